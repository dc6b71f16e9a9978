"""Latent-variable treebank grammars (Petrov et al. 2006) and their products (Petrov 2010).

The categories of a treebank grammar are split by EM into hidden subcategories. Grammars that
are trained from several seeds differ, and parse better together.

====================  ==================================================================
``latent_grammar``    the estimator and its files, with ``subcategories``
``product``           several of them, trained several processes at a time
``tree_parser``       what both share: sentences in, trees out
--------------------  ------------------------------------------------------------------
``model``             a split grammar, its lexicon, parameters
``training``          split, merge, smooth
``parsing``           from sentences to trees, coarse to fine
====================  ==================================================================
"""
