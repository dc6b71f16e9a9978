"""Correction with a dependency grammar: ``tagged`` lattices, their ``charts``, and the ``corrector``."""
