"""Products of grammars at the level of whole trees (Petrov 2010, section 3.2, Eq. 3).

Each grammar lists its k best trees; the union of the lists is ranked by Σ_G log P(T | w, G),
where P(T, w | G) sums over the subcategories of the given tree. Trees of one sentence share
most of their parts, so that parts are numbered first and each is summed once a grammar.
The product of single constituents needs no lists: see ``maxrule``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.parsing.maxrule import IDENTITY, UNARY, WORD, RuleGraph
from fstce.latent.parsing.refine import word_scaled
from fstce.numeric.types import Floats, Ints

Derivation = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SharedParts:
    """The distinct parts of some derivations, children first.

    ``edge``, ``left``, ``right``: each part's first edge and the parts below it, −1 for none. ``tops``: the
    part that each derivation is.
    """

    edge: list[int]
    left: list[int]
    right: list[int]
    tops: list[int]


def shared_parts(graph: RuleGraph, derivations: Iterable[Derivation]) -> SharedParts:
    """Number the distinct parts of derivations, each a row of edges, parents first."""
    parts: dict[tuple[int, int, int], int] = {}
    tops = []
    for derivation in derivations:
        done: list[int] = []
        for edge in reversed(derivation):
            left = done.pop() if graph.left[edge] != graph.nothing else -1
            right = done.pop() if graph.right[edge] != graph.nothing else -1
            done.append(parts.setdefault((edge, left, right), len(parts)))
        tops.append(done[0])
    edges, lefts, rights = ([key[i] for key in parts] for i in range(3))
    return SharedParts(edges, lefts, rights, tops)


def tree_log_probabilities(
    graph: RuleGraph, grammar: SplitGrammar, scores: Floats, parts: SharedParts
) -> Floats:
    """log P(T, w | G) of unsplit derivations, exact: the sum over all subcategories.

    ``scores`` (n_words, n_subcategories of tags): P(word | subcategory) for the words of the forest's
    sentences, end to end. Returns an array (n_derivations,).
    """
    forest = graph.forest
    values, scale = word_scaled(forest, scores)
    columns = np.concatenate([[0], np.cumsum(grammar.sizes[grammar.tags])])
    place = {int(tag): slice(columns[i], columns[i + 1]) for i, tag in enumerate(grammar.tags)}
    inside: list[Floats] = []
    for edge, left, right in zip(parts.edge, parts.left, parts.right, strict=True):
        kind, at, node = int(graph.kind[edge]), int(graph.index[edge]), int(graph.parent[edge])
        if kind == WORD:
            inside.append(values[int(graph.span[node]), place[int(graph.symbol[node])]])
        elif kind == IDENTITY:
            inside.append(inside[left])
        elif kind == UNARY:
            inside.append(grammar.unary_probabilities[int(forest.unary.rule[at])] @ inside[left])
        else:
            # IN(A_x) = Σ_yz p(A_x → B_y C_z) · IN(B_y) · IN(C_z): (x, y, z) @ (z,) @ (y,)
            table = grammar.binary_probabilities[int(forest.binary.rule[at])]
            inside.append((table @ inside[right]) @ (inside[left] * forest.binary.factor[at]))
    tops = graph.parent[np.array([parts.edge[top] for top in parts.tops], dtype=np.int64)]
    with np.errstate(divide="ignore"):
        totals = np.log(np.array([inside[top].sum() for top in parts.tops]))
    found: Floats = totals + scale[graph.span[tops]]
    return found


def ranked(
    graph: RuleGraph,
    grammars: Sequence[SplitGrammar],
    scores: Sequence[Floats],
    log_probability: Floats,
    derivations: Sequence[Derivation],
) -> tuple[Ints, Floats]:
    """Derivations of one sentence by Σ_G log P(T | w, G), best first; equal ones stay in order.

    ``log_probability`` (n_grammars,): log P(w | G).
    """
    parts = shared_parts(graph, derivations)
    total = np.zeros(len(derivations))
    for grammar, of_words, whole in zip(grammars, scores, log_probability, strict=True):
        total += tree_log_probabilities(graph, grammar, of_words, parts) - whole
    order = np.argsort(-total, kind="stable")
    return order, total[order]
