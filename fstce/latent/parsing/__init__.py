"""Coarse-to-fine parsing with split grammars: ``coarse_to_fine`` leads from words to trees.

Charts of the unsplit grammar (``coarse``) leave a forest for a batch (``pruned_forest``), over
which split grammars are summed (``refine``) and derivations sought by weights of rules
(``maxrule``, ``search``).
"""
