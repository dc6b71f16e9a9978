"""Ways to learn a dependency grammar without trees that did not pay: here, not in the package.

Each is an addition to the label-free default, or replaces a part of it, on sentences of at most ten
words: trained on at most 300 sentences of eight of the ten folds of ``fstce reproduce
dependencies``, scored on the test fold, three folds. To run: ``python -m
examples.experiments.tried_grammars DATA [CORPUS ...] [--last]``, where DATA holds
``ud/UD_French-Sequoia`` and so on; ``--last`` for valence and sprawl alone.

- *Viterbi EM*; *lateen EM* (Spitkovsky et al. 2011): Viterbi EM, and EM for three steps where it stands.
- *Growing* (Spitkovsky et al. 2010): from sentences of at most three words to ten.
- *Products* of trainings that differ in δ and λ, by the posteriors of their edges.
- *Sparse children* (after Gillenwater et al. 2010): each expected count of head and child is lowered by s.
- *Gaps*: a link pays δ for each gap that it spans, more where the tags next to it seldom meet.
- *Punctuation, loose* (after Spitkovsky et al. 2011): a link pays two nats for each gap with punctuation.
- *Minimum risk*: the default, decoded as products are, by the posteriors of edges.
- *Extended valence* (Headden et al. 2009): stops see none, one or more children, children too (EVG); decoded
  by minimum risk. See ``tried_valence.py``.
- *Punctuation, sprawl* (Spitkovsky et al. 2011), at decoding: of the words between two punctuation marks one
  alone has its head elsewhere.
- *Features* (Berg-Kirkpatrick et al. 2010): log-linear choices that coarse tags and both sides share.

Page: docs/notebook/dependencies.md.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from examples.experiments.tried_valence import Valence, links_of
from fstce.chart import (
    InsideOutside,
    attachments,
    best_trees,
    compile_charts,
)
from fstce.chart.batch import ChartBatch, ItemFactors
from fstce.chart.derivations import Trees, assemble
from fstce.chart.terms import ChartSum
from fstce.chart.trees import best_derivations
from fstce.corpora import read_corpus
from fstce.corpora.dependencies import dependency_corpus
from fstce.corpora.tagset import coarse_map
from fstce.estimation.objective import Multinomials
from fstce.evaluation import attachment
from fstce.evaluation.parsing import attach_next
from fstce.grammars.dmv import DependencyModel
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import Symbols
from fstce.numeric.types import Floats, Ints, Rows, Term
from fstce.parsing.headedness import SMOOTHING, headed_weights, headedness
from fstce.tagging.product import multiplied

SPECS = {
    "WSJ": ("nltk:treebank", None),
    "English ATIS": ("ud/UD_English-Atis/en_atis-ud-train.conllu", "upos"),
    "Turkish ATIS": ("ud/UD_Turkish-Atis/tr_atis-ud-train.conllu", "upos"),
    "French": ("ud/UD_French-Sequoia/fr_sequoia-ud-train.conllu", "upos"),
    "CRAFT": ("craft/craft-20k.mrg", None),
}
FOLDS = 3
TRAINED = 300
STEPS = 40
# The default at that time: EM from the start by headedness, without headedness in the E-step.
BIAS = -0.3
NEARNESS = -1.0
STRENGTH = 2.0
LEAVING = 30.0  # nats a link that leaves a fragment: more than any tree is worth
CLASSES = {
    **dict.fromkeys(("NOUN", "PROPN", "PRON", "NUM", "SYM"), "noun"),
    **dict.fromkeys(("VERB", "AUX"), "verb"),
    **dict.fromkeys(("ADJ", "DET"), "adjective"),
    **dict.fromkeys(("ADP", "SCONJ", "CCONJ", "PART"), "particle"),
}


class Text:
    """The charts of a training part, its test part, and the start by headedness."""

    def __init__(self, train: list, test: list) -> None:
        self.rows = [s.tags for s in train]
        self.test = test
        tags = sorted({tag for s in (*train, *test) for tag in s.tags})
        self.model = DependencyModel(tags)
        self.plain = self.charts(self.rows)
        self.biased = self.plain.with_length_bias(BIAS)
        near = self.plain.with_length_bias(NEARNESS)
        weights = headed_weights(self.model, self.rows, [s.words for s in train])
        counts = InsideOutside(near)(STRENGTH * weights).counts
        self.start = self.model.log_probabilities(counts + SMOOTHING)
        self.step = Multinomials(self.model.group)
        inside = [np.diff(s.kept) > 1 for s in train]  # equal rows have one chart: their mean
        places = self.plain.index
        self.stops = [
            np.mean([inside[i] for i in np.flatnonzero(places == m)], axis=0)
            for m in range(self.plain.n_distinct)
        ]

    def charts(self, rows: list) -> ChartBatch:
        symbols = Symbols(self.model.tags)
        return compile_charts([Lattice.of_sentence(row, symbols) for row in rows], self.model)

    def em(
        self,
        theta: Floats,
        batch: ChartBatch | None = None,
        steps: int = STEPS,
        smoothing: float = 1.0,
        m_step: Callable[[Floats], Floats] | None = None,
    ) -> Floats:
        term = ChartSum(self.biased if batch is None else batch, np.ones(len(batch or self.plain)))
        return self._climb(
            term, theta, steps, m_step or (lambda c: self.step.normalize(c + smoothing))
        )

    def viterbi(self, theta: Floats) -> Floats:
        term = viterbi_sum(self.biased, self.rows)
        return self._climb(term, theta, STEPS, lambda c: self.step.normalize(c + 1))

    def _climb(self, term: Callable, theta: Floats, steps: int, m_step: Callable) -> Floats:
        before = -np.inf
        for _ in range(steps):
            value, counts = term(theta)
            theta = m_step(counts)
            if abs(value - before) <= 1e-6 * abs(value):
                break
            before = value
        return theta

    def costly(self, delta: float, cost: Callable[[int, Ints], Floats]) -> ChartBatch:
        """The charts, a link paying δ times the costs of the gaps that it spans."""
        packs = []
        for pack in self.plain.packs:
            first = pack.graph.arc_first
            place = np.zeros(len(pack.tag))
            for number, lattice in enumerate(pack.lattices.tolist()):
                a, b = int(first[number]), int(first[number + 1])
                place[a + 1 : b] = np.cumsum(cost(lattice, pack.tag[a:b, 0]))
            span = np.abs(place[pack.graph.links.head] - place[pack.graph.links.child])
            bias = {"link_bias": delta * span[:, None], "root_bias": np.zeros(pack.root.shape)}
            packs.append(replace(pack, **bias))
        return replace(self.plain, packs=packs)

    def valence(self, train: list, by_valence: bool) -> float:
        """Right heads by a grammar with three slots of valence."""
        rows = [self.model.numbers(row) for row in self.rows]
        grammar = Valence(rows, self.model.n_tags, BIAS, by_valence)
        headed = headedness(self.model, self.rows, [s.words for s in train])
        weights = grammar.em(grammar.start(STRENGTH * headed, NEARNESS), STEPS)
        tests = [s.tags for s in self.test]
        return self.right(
            minimum_risk_trees(self.charts(tests), links_of(weights, self.model.numbers, tests))
        )

    def minimum_risk(self, theta: Floats) -> float:
        batch = self.charts([s.tags for s in self.test])
        return self.right(
            minimum_risk_trees(batch, attachments(batch, InsideOutside(batch).posteriors(theta)))
        )

    def sprawl(self, theta: Floats) -> float:
        """Right heads where as few links as can be, one a fragment, leave a fragment."""
        found = []
        for sentence in self.test:
            batch = self.charts([sentence.tags])  # equal rows may have other punctuation
            (pack,) = batch.packs
            fragment = np.concatenate([[0], np.cumsum(np.diff(sentence.kept) > 1)])
            links = pack.graph.links
            leaves = fragment[links.head] != fragment[links.child]
            bound = replace(pack, link_bias=-LEAVING * leaves[:, None])
            heads = best_trees(replace(batch, packs=[bound]), theta).heads[0]
            found.append(heads[: len(sentence)].tolist())
        return attachment([s.heads for s in self.test], found).directed

    def right(self, trees: Trees) -> float:
        """Right heads in percent."""
        found = [row[: len(s)] for row, s in zip(trees.heads.tolist(), self.test, strict=True)]
        return attachment([s.heads for s in self.test], found).directed

    def score(self, *grammars: Floats) -> float:
        """Right heads of the test part in percent, of one grammar or of a product."""
        batch = self.charts([s.tags for s in self.test])
        if len(grammars) == 1:
            trees = best_trees(batch, grammars[0])
        else:
            tables = [
                attachments(batch, InsideOutside(batch).posteriors(theta)) for theta in grammars
            ]
            votes = [multiplied([t.T for t in members]).T for members in zip(*tables, strict=True)]
            trees = minimum_risk_trees(batch, votes)
        return self.right(trees)


def viterbi_sum(charts: ChartBatch, sentences: Rows) -> Term:
    """Σ of the log weight of each sentence's best tree.

    Its "gradient" counts that tree's features.
    """
    _, distinct, times = np.unique(charts.index, return_index=True, return_counts=True)

    def term(theta: Floats) -> tuple[float, Floats]:
        trees = best_trees(charts, theta)
        counts = np.zeros_like(theta)
        for row, weight in zip(distinct.tolist(), times.tolist(), strict=True):
            if trees.score[row] > -np.inf:
                heads = trees.heads[row, : len(sentences[row])].tolist()
                counts += weight * charts.model.tree_counts(sentences[row], heads)
        return float(trees.score.sum()), counts

    return term


def minimum_risk_trees(batch: ChartBatch, tables: list[Floats]) -> Trees:
    """The tree of each sentence with the fewest expected wrong heads.

    A best tree, too, of a grammar that scores each attachment by its posterior and nothing else.
    """
    _, first = np.unique(batch.index, return_index=True)
    derived = []
    for pack in batch.packs:
        n, columns = pack.tag.shape
        gains = np.zeros((n + 1, n, columns))
        for column, lattice in enumerate(pack.lattices.tolist()):
            table = tables[first[lattice]]
            gains[: len(table), : len(table) - 1, column] = table

        links, roots = pack.graph.links, pack.graph.roots
        root = gains[0, roots.arc]
        if pack.root_bias is not None:
            root[np.isneginf(pack.root_bias)] = -np.inf
        free = np.zeros(pack.stop.shape)
        scores = ItemFactors(gains[links.head + 1, links.child], free, free, root)
        derived.append(best_derivations(pack, scores))
    return Trees(*(of_each[:, 0] for of_each in assemble(batch, derived, 1)))


class Features:
    """The M-step of log-linear choices: weights by L-BFGS, σ² = 1, shared by coarse tags and sides."""

    def __init__(self, model: DependencyModel) -> None:
        try:
            coarse = coarse_map()
            classes = [coarse[tag] for tag in model.tags]
        except KeyError:
            classes = [CLASSES.get(tag, tag) for tag in model.tags]
        of = dict(zip(model.tags, classes, strict=True))
        rows = [self._templates(name, of) for name in model.names]
        number: dict[tuple, int] = {}
        self.ids = np.array([[number.setdefault(f, len(number)) for f in row] for row in rows])
        self.size = len(number)
        self.group = model.group
        self.w = np.zeros(len(number))

    @staticmethod
    def _templates(name: tuple[str, ...], of: dict[str, str]) -> list[tuple]:
        kind, head, *rest = name
        if kind == "root":
            return [name, ("root", of[head]), ("root",), ("root",)]
        if kind == "child":
            child, side = rest
            return [
                name,
                (kind, of[head], of[child], side),
                (kind, head, child),
                (kind, of[head], child, side),
            ]
        return [name, (kind, of[head], *rest), (kind, head, *rest[1:]), (kind, *rest)]

    def log_p(self, w: Floats) -> Floats:
        score = np.exp(w[self.ids].sum(axis=1))
        return np.log(score / np.bincount(self.group, score)[self.group])

    def __call__(self, counts: Floats) -> Floats:
        totals = np.bincount(self.group, counts)[self.group]

        def loss(w: Floats) -> tuple[float, Floats]:
            theta = self.log_p(w)
            slope = np.repeat(counts - totals * np.exp(theta), self.ids.shape[1])
            gradient = w - np.bincount(self.ids.ravel(), slope, self.size)
            return float(0.5 * w @ w - counts @ theta), gradient

        found = minimize(loss, self.w, jac=True, method="L-BFGS-B", options={"maxiter": 20})
        self.w = found.x
        return self.log_p(self.w)


def gaps(text: Text) -> Callable[[int, Ints], Floats]:
    """The cost of each gap: 1 on the mean, more by a deviation of how seldom its tags are
    neighbors.
    """
    rows = [text.model.numbers(row) for row in text.rows]
    n = text.model.n_tags
    found = np.zeros((n, n))
    for row in rows:
        np.add.at(found, (row[:-1], row[1:]), 1.0)
    chance = np.outer(found.sum(1), found.sum(0)) / found.sum()
    slack = np.sqrt(chance) + 1e-3
    seldom = -np.log((found + slack) / (chance + slack))
    share = found / found.sum()
    mean = (share * seldom).sum()
    seldom = (seldom - mean) / np.sqrt((share * (seldom - mean) ** 2).sum())
    return lambda lattice, tags: np.maximum(0, 1 + 0.5 * seldom[tags[:-1], tags[1:]])


def sparse(text: Text, s: float) -> Callable[[Floats], Floats]:
    """The M-step of counts of head and child that are lowered by s."""
    children = slice(text.model.n_tags, text.model.n_tags * (2 * text.model.n_tags + 1))

    def m_step(counts: Floats) -> Floats:
        lowered = counts.copy()
        lowered[children] = np.maximum(counts[children] - s, 0)
        return text.step.normalize(lowered + 0.1)

    return m_step


def later(text: Text, train: list) -> dict[str, float]:
    """The test scores of what was tried last."""
    default = text.em(text.start)
    return {
        "the default": text.score(default),
        "minimum risk": text.minimum_risk(default),
        "three slots of valence": text.valence(train, by_valence=False),
        "extended valence": text.valence(train, by_valence=True),
        "punctuation, sprawl": text.sprawl(default),
    }


def ways(text: Text) -> dict[str, float]:
    """The test scores by way."""
    default = text.em(text.start)
    hard = text.viterbi(text.start)
    lateen = hard

    for _ in range(3):
        lateen = text.viterbi(text.em(lateen, steps=3))

    grown = text.start
    for longest in (3, 5, 7):
        short = [row for row in text.rows if len(row) <= longest]
        if short:
            grown = text.em(grown, text.charts(short).with_length_bias(BIAS), steps=5)

    by_delta = [
        text.em(text.start, text.plain.with_length_bias(delta)) for delta in (0.0, -0.1, -0.6)
    ]
    by_smoothing = [text.em(text.start, smoothing=value) for value in (0.1, 10.0)]
    pauses = text.costly(-2.0, lambda lattice, tags: text.stops[lattice] - BIAS / 2)
    uniform = text.em(text.model.log_probabilities(np.zeros(text.model.size)), text.plain)
    next_word = attachment(
        [s.heads for s in text.test], [attach_next(len(s)) for s in text.test]
    ).directed
    return {
        "attach to the next": next_word,
        "the default": text.score(default),
        "EM, uniform start": text.score(uniform),
        "δ = 0": text.score(by_delta[0]),
        "δ = −.6": text.score(by_delta[2]),
        "λ = .1": text.score(by_smoothing[0]),
        "λ = 10": text.score(by_smoothing[1]),
        "Viterbi EM": text.score(hard),
        "Viterbi EM from the default's end": text.score(text.viterbi(default)),
        "lateen EM, hard first": text.score(lateen),
        "EM from Viterbi EM's end": text.score(text.em(hard)),
        "growing, 3, 5, 7, 10 words": text.score(text.em(grown)),
        "product over δ": text.score(default, *by_delta),
        "product over δ and λ": text.score(default, *by_delta, *by_smoothing),
        "product with the uniform start": text.score(default, uniform),
        "sparse children, s = .3": text.score(text.em(text.start, m_step=sparse(text, 0.3))),
        "sparse children, s = 1": text.score(text.em(text.start, m_step=sparse(text, 1.0))),
        "gaps": text.score(text.em(text.start, text.costly(BIAS, gaps(text)))),
        "punctuation, loose": text.score(text.em(text.start, pauses)),
        "features": text.score(text.em(text.start, m_step=Features(text.model))),
    }


def main(data: Path, corpora: list[str], last: bool) -> None:
    """Print the table."""
    table: dict[str, list[str]] = {}
    for corpus in corpora:
        spec, column = SPECS[corpus]
        path = spec if spec.startswith("nltk:") else str(data / spec)
        whole = dependency_corpus(
            read_corpus(path, tag_column=column), max_length=10, heads="required"
        )
        pieces = np.array_split(np.random.default_rng(0).permutation(len(whole)), 10)
        scores: dict[str, list[float]] = {}

        for fold in range(FOLDS):
            places = np.concatenate(
                [p for i, p in enumerate(pieces) if i not in (fold, (fold - 1) % 10)]
            )
            train = [whole[i] for i in np.sort(places[:TRAINED])]
            text = Text(train, [whole[i] for i in pieces[fold]])

            for name, score in (later(text, train) if last else ways(text)).items():
                scores.setdefault(name, []).append(score)

        for name, found in scores.items():
            cell = f"{np.mean(found):.1f} ± {np.std(found, ddof=1):.1f}"
            table.setdefault(name, []).append(cell)
            print(f"{corpus}: {name}: {cell}", file=sys.stderr, flush=True)

    print(f"| way | {' | '.join(corpora)} | mean |\n|---|{'---|' * (len(corpora) + 1)}")
    for name, cells in table.items():
        mean = np.mean([float(cell.split()[0]) for cell in cells])
        print(f"| {name} | {' | '.join(cells)} | {mean:.1f} |")


if __name__ == "__main__":
    corpora = [name for name in sys.argv[2:] if name != "--last"]
    main(Path(sys.argv[1]), corpora or list(SPECS), "--last" in sys.argv)
