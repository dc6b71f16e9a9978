"""A tagger's two product automata as the page's script reads them: what its sums are made of.

log p(x | N(x)) = log Z of the sentence's taggings − log Z of the neighbourhood's (Smith & Eisner
2005a, Eq. 7); its gradient is E[f] over the one minus E[f] over the other. The script computes
both for any weights; here stands which arcs, cells and features they have.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fstce.explanation.protocol import Name, Words
from fstce.inspection.adjustable import Adjustable, Feature
from fstce.machines.lattice import Lattice
from fstce.numeric.types import Ints
from fstce.tagging.over_lattice import TaggerModel, lattice_arcs
from fstce.wfsa.batch import Batch

PRODUCT_ARCS = 40_000  # of both products that a page holds


def adjustable(asked: TaggerModel, words: Words) -> Adjustable | None:
    """The products, features and weights; None where they are too large for a page.

    ``asked``: the tagger over the sentence's neighbourhood.
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
