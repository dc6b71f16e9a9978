"""A split grammar and what it is made of.

=================  ============================================================
``split_grammar``  a split grammar, and a hierarchy of them from coarse to fine
``lexical_units``  frequent words, rare words and signatures of unknown ones
``lexicon``        P(word | tag subcategory)
``rule_layout``    rule probabilities in a row
``binarize``       binary trees with X-bar intermediates, and back
=================  ============================================================
"""
