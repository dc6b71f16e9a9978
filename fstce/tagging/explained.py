"""A tagger as explanations and inspections see it.

A page's script computes log p(x | N(x)) = log Z of the sentence's taggings − log Z of the neighborhood's
(Smith & Eisner 2005a, Eq. 7), and its gradient, for any weights: :func:`adjustable` says which arcs, cells
and features the two product automata have.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fstce.explanation.protocol import Name, Words
from fstce.inspection.adjustable import Adjustable, Feature
from fstce.machines.lattice import Lattice
from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.base import Neighborhood
from fstce.numeric.types import Ints
from fstce.tagging.criteria import is_auto
from fstce.tagging.export import emission_fst, history_fst
from fstce.tagging.over_lattice import TaggerModel, lattice_arcs
from fstce.tagging.product import TaggerProduct
from fstce.tagging.tagger import Tagger
from fstce.wfsa.batch import Batch


class ExplainedTagger:
    """A trained tagger as explanations see it."""

    def __init__(self, tagger: Tagger) -> None:
        tagger._check_fitted("theta_")
        self.tagger = tagger

    def contrast(self, asked: str | Neighborhood | None) -> str | Neighborhood:
        """The neighborhood that is asked about, by default the model's own; of ``auto`` the first."""
        if asked is not None and not is_auto(asked):
            return asked
        tagger = self.tagger
        chosen = tagger.contrasts_[0] if is_auto(tagger.neighborhood) else tagger.neighborhood
        tagger._check_runs_no_code([chosen])
        return chosen

    def symbols(self, words: Words) -> Symbols:
        """The tagger's words, and those of the sentence."""
        return Symbols([*self.tagger.features_.symbols, *words])

    def over(self, lattice: Lattice) -> TaggerModel:
        """The tagger over the taggings of a lattice's strings."""
        return TaggerModel(self.tagger, lattice)

    def adjustable(self, asked: TaggerModel, words: Words) -> Adjustable | None:
        """The sums of a sentence and its neighborhood, as a page has them."""
        return adjustable(asked, words)

    def machines(self) -> list[tuple[str, pynini.Fst, str]]:
        """The two transducers that a tagger is."""
        weighted = self.tagger.weighted_
        return [
            ("history", history_fst(weighted), "weighs tags by those before"),
            ("emissions", emission_fst(weighted), "writes for a word its tags"),
        ]


def explained(model: Tagger | TaggerProduct) -> ExplainedTagger:
    """A trained tagger as explanations see it; of a product the tagger that is its intersection."""
    return ExplainedTagger(model.intersect() if isinstance(model, TaggerProduct) else model)


PRODUCT_ARCS = 40_000  # of both products that a page holds


def adjustable(asked: TaggerModel, words: Words) -> Adjustable | None:
    """The products, features and weights; None where they are too large for a page.

    ``asked``: the tagger over the sentence's neighborhood.
    """
    own, all_ = asked.products(words)
    if own.n_arcs + all_.n_arcs > PRODUCT_ARCS:
        return None
    parts = [(batch, *asked.cells_of(batch)) for batch in (own, all_)]
    used = np.unique(np.concatenate([feature for *_, feature in parts]))
    extra = asked.listed(words, 1)
    shift = extra.log_z[extra.words.index(words)] - asked.of(words).log_z
    lattices = Lattice.of_sentence(words, asked.lattice.symbols), asked.lattice
    products = [_product(asked, part, used, one) for part, one in zip(parts, lattices, strict=True)]
    products[0] |= {"constant": shift, "positions": len(words)}
    theta = asked.theta[used]
    counts = asked.of(words).counts[used], asked.whole().counts[used]
    names = [_spelt(name) for name in asked.names(used)]
    rows = [Feature(*row) for row in zip(names, theta.tolist(), *(c.tolist() for c in counts), strict=True)]
    order = np.argsort(-np.abs(counts[0] - counts[1]) * (1 + np.abs(theta)), kind="stable")
    data = {"theta": theta.tolist(), "sentence": products[0], "neighborhood": products[1]}
    tags = asked.tagger.tags_
    return Adjustable(data, [(i, rows[i]) for i in order.tolist()], words, tags)


def _product(
    asked: TaggerModel, part: tuple[Batch, Any, Ints, Ints], used: Ints, lattice: Lattice
) -> dict[str, Any]:
    batch, scores, cell, feature = part
    column = np.searchsorted(used, feature)
    lists: list[list[int]] = [[] for _ in scores]
    for row, number in zip(cell.tolist(), column.tolist(), strict=True):
        lists[row].append(number)
    fixed = scores - np.bincount(cell, asked.theta[feature], minlength=len(scores))
    tag = ((batch.ngram - 1) % (len(asked.features.tags) + 1)).tolist()
    rows = zip(lists, fixed.tolist(), tag, strict=True)
    return {
        "states": batch.n_states,
        "start": int(batch.start[0]),
        "final": int(batch.final[0]),
        "source": batch.source.tolist(),
        "target": batch.target.tolist(),
        "cell": batch.cell.tolist(),
        "cells": [{"features": f, "constant": c, "tag": t} for f, c, t in rows],
        "bias": None if batch.bias is None else batch.bias.tolist(),
        "place": lattice_arcs(batch, lattice).tolist(),
        "places": len(lattice.arrays.source),
        "tags": len(asked.features.tags),
        "constant": 0.0,
    }


def _spelt(name: Name) -> str:
    """A feature's name as it reads: its kind, then its parts."""
    return f"{name[0]}: {' '.join(name[1:])}"
