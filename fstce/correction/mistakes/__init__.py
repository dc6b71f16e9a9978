"""What can be typed for what: channels, candidates, and mistakes made on purpose.

===============  ==================================================================
``channel``      what each edit costs, in −log: one cost a kind, or a confusion table
``wordlist``     a lexicon as a minimal automaton
``nearby``       its words within k edits of others: typed ∘ edits ∘ words
``candidates``   the vocabulary words that a typed word may have been meant to be
``casing``       capitals put back
``spelling``     SPELL≤k, a sausage of candidates
``punctuation``  PUNC≤k, marks inserted, deleted, substituted
``misspellings`` what people typed and meant, and a channel learned from it by contrast
``corruption``   mistakes made on purpose, by a seed
===============  ==================================================================
"""
