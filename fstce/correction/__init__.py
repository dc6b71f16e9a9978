"""Correction: choose the best sentence among those that could have been intended.

=====================  ================================================================
``corrector``          the estimator, with ``corrector_model`` and ``corrector_files``
``base``               what it shares with the corrector by a grammar
``mistakes``           what can be observed for what
``factors``            what speaks for a reading
``reader``             observed sentences read with one model
``synthetic_errors``   the exponents and the threshold, from synthetic errors
``decoding``           which words to change, and how sure that is
``parsed``             the same with a dependency grammar, over tagged lattices
``domain_vocabulary``  unknown words that a text means, estimated from all of it
``spacing``            corrected words back into their line, its spacing kept
=====================  ================================================================
"""
