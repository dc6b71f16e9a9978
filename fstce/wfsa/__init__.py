"""Tagging with weighted automata: intersection in OpenFst, sums and paths over packed arrays.

=================  ==================================================================
``intersect``      lattice ∘ emissions ∘ tag n-grams → product automaton
``batch``          product automata, packed; ``shards`` cuts a corpus by size; ``building`` builds it
``resources``      threads, memory, disk; ``remote`` the workers of a Dask client
``semirings``      real, log, tropical, expectation
``distance``       shortest distance in any semiring
``sumproduct``     log Z and expected counts, the inner loop; ``kernels`` its sparse loops
``chain``          LENGTH, without enumerating Σ
``paths``          best, k best, sampled paths; entropy
``features``       the features' names and numbers; ``terms`` sums as functions of θ
``compile``        from sentences to terms; ``decoder`` from sentences to tags
=================  ==================================================================
"""
