"""Coarse-to-fine parsing with one split grammar or several: ``coarse_to_fine`` leads from sentences
to trees.

Charts of the unsplit grammar (``coarse``) leave a forest for a batch (``pruned_forest``), over
which split grammars are summed (``refine``) and derivations sought by weights of rules
(``maxrule``, ``search``).
"""
