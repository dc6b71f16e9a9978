"""Coarse-to-fine parsing with one split grammar or several.

==================  ==============================================================================
``coarse_to_fine``  from sentences to trees, with ``attempts``
``coarse``          charts of the unsplit grammar, by its ``coarse_tables``
``pruned_forest``   what survives pruning, as one hypergraph a batch
``pruning``         fewer of them, by the grammars between the coarse and the finest
``refine``          inside, outside and posteriors of a split grammar over it
``search``          from sentences to weighted hypergraphs
``maxrule``         weights of rules, of one grammar or several, and the best derivation by them
``lazy_kbest``      the k best
``pieces``          long sentences in parts; how sentences fared
==================  ==============================================================================
"""
