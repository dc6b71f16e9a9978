"""A split grammar and what it is made of.

==============  ===================================================================
``grammar``     a split grammar, and a hierarchy of them from coarse to fine
``vocabulary``  frequent words, rare words and signatures of unknown ones
``lexicon``     P(word | tag subcategory)
``parameters``  rule probabilities in a row
``binarize``    binary trees with X-bar intermediates, and back
``files``       a hierarchy as arrays and JSON
==============  ===================================================================
"""
