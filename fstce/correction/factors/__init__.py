"""What speaks for a reading: n-grams, models, the channel, each with its exponent.

======================  ================================================================
``ngrams``              a Kneser–Ney word n-gram model; ``spelled``, one of characters
``respelling``          arcs of words that are split or joined
``candidate_lattices``  what may have been intended, and what speaks for it: ``columns`` of
                        numbers, pruned, and composed with the model
======================  ================================================================
"""
