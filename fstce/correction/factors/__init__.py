"""What speaks for a reading: n-grams, models, the channel, each with its exponent.

==============  ====================================================================
``ngrams``      a Kneser–Ney word n-gram model; ``spelled``, one of characters
``weighting``   lattices whose states know the words before them
``readings``    what may have been meant, and what speaks for it: ``columns`` of
                numbers, ``pruning``, and ``composing`` with the model
==============  ====================================================================
"""
