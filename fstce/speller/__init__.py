"""Spellers, and what knows words and their edits: lists, channels, the search of one through both.

A speller is an acceptor of words, and a transducer of errors learned by contrast.

=============  ==================================================================
``lexicon``    the acceptor of words
``lexicons``   words by language or file
``wordlist``   a lexicon as a minimal automaton
``channel``    what each kind of edit costs, in −log
``nearby``     listed words within k edits of others: observed ∘ edits ∘ words
=============  ==================================================================
"""
