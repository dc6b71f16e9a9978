"""What speaks for a reading: n-grams, models, the channel, each with its exponent.

==============  ====================================================================
``ngrams``      a Kneser–Ney word n-gram model; ``spelled``, one of characters
``weighting``   lattices whose states know the words before them
``respelling``  arcs of words that are split or joined; ``nearest``, the arcs of what was meant
``readings``    what may have been meant, and what speaks for it: ``columns`` of
                numbers, ``pruning``, and ``composing`` with the model
==============  ====================================================================
"""
