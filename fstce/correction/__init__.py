"""Correction: choose the best sentence among those that could have been meant.

===================  ================================================================
``channel``          what each edit costs, in −log: one cost a kind, or a confusion table
``edits``            the edit transducer: at most k edits
``lookup``           a deletion dictionary, the fast way to the same words
``distance``         the costs of many pairs of words at once
``candidates``       the vocabulary words that a typed word may have been meant to be
``casing``           capitals put back
``spelling``         SPELL≤k, a sausage of candidates
``punctuation``      PUNC≤k, marks inserted, deleted, substituted
``ngrams``           a Kneser–Ney word n-gram model; ``spelled``, one of characters
``weighting``        lattices whose states know the words before them
``readings``         what was typed may have been meant to be, and what speaks for it
``tuning``           the exponents of what speaks for it, from ``mistyping`` clean text
``decoding``         which words to change, and how sure that is
``corrector``        the estimator, with ``checks`` and ``corrector_files``
``parsed``           the same with a dependency grammar, with ``parsed_tags``, ``parsed_readings``
``tokens``           running text into words and back, its spacing kept
``alignment``        what was changed between two sentences
``corruption``       mistakes made on purpose, by a seed
``scores``           precision, recall, F½, word error rate
``baselines``        what a corrector must beat
===================  ================================================================
"""
