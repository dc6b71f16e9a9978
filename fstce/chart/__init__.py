"""Dependency parsing of lattices: split-head charts in numpy, all lattices of a corpus at once.

==================  ====================================================================
``shape``           the chart of one lattice as hyperedges, by its shape alone; shapes end to end
``batch``           packs of them, with their features
``compile``         from lattices to batches
``columns``         from plain sentences to batches: those of like length in one chart
``rows``            the sums over hyperedges, and ``rectangles``, those of plain sentences
``insideoutside``   SUMPARSES: log Z, expected counts, posteriors; in the real
                    semiring where that is exact, else in log space
``trees``           BESTPARSE, samples, attachments
``derivations``     from chosen hyperedges to trees; the k best
``terms``           sums as functions of θ; LENGTH, without enumerating Σ
==================  ====================================================================
"""

from __future__ import annotations

from fstce.chart.batch import ChartBatch
from fstce.chart.columns import compile_sentences
from fstce.chart.compile import compile_charts
from fstce.chart.derivations import Trees, k_best_trees
from fstce.chart.insideoutside import InsideOutside
from fstce.chart.trees import attachments, best_trees, favoring_best_trees, sample_trees
from fstce.grammars.dmv import DependencyModel

__all__ = [
    "ChartBatch",
    "DependencyModel",
    "InsideOutside",
    "Trees",
    "attachments",
    "best_trees",
    "compile_charts",
    "compile_sentences",
    "favoring_best_trees",
    "k_best_trees",
    "sample_trees",
]
