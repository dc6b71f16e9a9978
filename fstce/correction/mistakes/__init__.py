"""What can be observed for what: channels, candidates, and mistakes made on purpose.

===============  ==================================================================
``channel``      what each kind of edit costs, in −log
``wordlist``     a lexicon as a minimal automaton
``nearby``       its words within k edits of others: observed ∘ edits ∘ words
``candidates``   the vocabulary words that may have been intended by an observed one
``spelling``     SPELL≤k, a sausage of candidates
``punctuation``  PUNC≤k, marks inserted, deleted, substituted
``misspellings`` a channel learned from misspellings by contrast
``corruption``   mistakes made on purpose, by a seed
===============  ==================================================================
"""
