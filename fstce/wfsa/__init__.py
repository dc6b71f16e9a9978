"""Tagging with weighted automata: intersection in OpenFst, sums and paths over packed arrays.

=================  ==================================================================
``intersect``      lattice ∘ emissions ∘ tag n-grams → product automata
``batch``          product automata, packed; ``building`` cuts and builds a corpus of them
``shard_folder``   those of a corpus in files; ``remote`` the workers of a Dask client
``sumproduct``     log Z and expected counts, the inner loop; shortest distance in any semiring
``chain``          LENGTH, without enumerating Σ; ``bigram_chain`` dense bigrams
``features``       the features' names and numbers; ``terms`` sums as functions of θ
``compile``        from sentences to terms; ``decoder`` to tags, paths, entropy
=================  ==================================================================
"""
