"""Correction with a dependency grammar.

=================  ===============================================
``corrector``      the estimator, with ``parsed_model`` and ``files``
``tagged_spell``   its neighbourhood and ``emissions``, to train it
``pairs``          ``readings`` and ``decoding``, to correct
=================  ===============================================
"""
