"""Tagging with weighted automata: products of lattices, sums and paths over packed arrays.

=================  ==================================================================
``batch``          lattice ∘ emissions ∘ tag n-grams → product automata, packed
``building``       cuts a corpus into shards and builds them; ``remote`` workers of a Dask client
``sumproduct``     log Z and expected counts, the inner loop; shortest distance in any semiring
``dense``          lattices whose words may take most tags
``chain``          LENGTH: one chain of wildcards for all lengths
``features``       the features' names and numbers; ``terms`` sums as functions of θ
``compile``        from sentences to terms; ``decoder`` to tags, paths, entropy
=================  ==================================================================
"""
