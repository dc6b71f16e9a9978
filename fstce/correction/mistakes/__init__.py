"""What can be observed for what: candidates, and mistakes made on purpose.

===============  ==================================================================
``candidates``   the vocabulary words that may have been intended by an observed one
``spelling``     SPELL≤k, a sausage of candidates
``punctuation``  PUNC≤k, marks inserted, deleted, substituted
``misspellings`` a channel learned from misspellings by contrast
``corruption``   mistakes made on purpose, by a seed
===============  ==================================================================
"""
