"""Latent-variable treebank grammars (Petrov et al. 2006) and their products (Petrov 2010).

The categories of a treebank grammar are split by EM into hidden subcategories. Grammars that
are trained from several seeds differ, and parse better together.
"""
