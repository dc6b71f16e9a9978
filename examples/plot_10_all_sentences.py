"""Normalized by all sentences: the maximum-likelihood tagger that contrastive estimation replaces.

A log-linear tagger is a distribution over all tagged sentences of Σ* once its weights are
divided by their sum Z(θ) (Smith & Eisner 2005a, §3). The sum is one sparse linear system
over tag histories, and it diverges wherever longer sentences weigh as much as shorter
ones, at θ = 0 to begin with: training starts from small weights and turns back from there.
Contrastive estimation sums over a neighborhood instead, which is finite for any θ.

With M[p, q] = Σ exp w over the arcs p → q, start weights s and final weights f, the paths
of all lengths sum to Z = s·(I + M + M² + …)·f = s·(I − M)⁻¹·f, if every cycle's own sum
converges, which is to say that the spectral radius of M is below 1 (Tarjan 1981).

1. Only states on some path from start to end are kept: what no path uses may diverge.
2. A potential φ, near log β, makes the system M′[p, q] = M[p, q]·e^(φ(q) − φ(p)) and
   f′ = f·e^(−φ), whose solution is β·e^(−φ): exact for any φ, and within the floating-point
   range whatever the scores are.
3. One sparse LU serves both solves, β = (I − M)⁻¹·f and α = s·(I − M)⁻¹; the posterior
   count of an arc is α(p)·e^w·β(q)/Z. Its pivots stay on the diagonal: for a sum that
   converges they are positive, and nothing else is ever subtracted.
4. β is positive everywhere if and only if every component's spectral radius is below 1
   (I − M is then an M-matrix: Berman & Plemmons 1994, ch. 6), so the solve proves itself.

Of a sum near divergence, with spectral radius 1 − δ, 16 + log₁₀ δ digits are right; beyond
10¹⁴ expected visits of a state it counts as infinite.

Run: python examples/plot_10_all_sentences.py [FILE.svg]   (needs fstce[report])
"""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike
from scipy.sparse import csgraph
from scipy.sparse.linalg import splu

import fstce
from fstce.errors import MachineError
from fstce.estimation.maximize import maximize
from fstce.estimation.objective import Objective
from fstce.evaluation import bootstrap
from fstce.grammars import tag_ngrams
from fstce.numeric.semirings import LOG
from fstce.numeric.types import Floats, Ints
from fstce.wfsa.features import EmissionTable, TagFeatures, tag_pairs

SENTENCES = 200
OUTSIDE = -1e9  # nats, less than any value of the objective; a line search cannot reckon with −∞
TABLE_LIMIT = 1_100_000
MOST_VISITS = 1e14
PATIENCE = 32  # sweeps before the spectral radius is looked at
CERTAIN = 1e-9
RADIUS_STEPS = 5000


# %%
# **The sum** over all paths of a machine with cycles, or an error that says how far it is from one.


class DivergenceError(MachineError):
    """A sum over the paths of a cyclic machine that is infinite.

    ``radius``: the spectral radius of the arcs' weights, 1 or more to within rounding.
    """

    radius: float = np.inf

    @classmethod
    def at(cls, log_radius: float, paths: str = "paths", arc: str = "arc") -> DivergenceError:
        """The error for a spectral radius, in the words of the machine at hand."""
        with np.errstate(over="ignore"):
            radius = float(np.exp(log_radius))
        error = cls(
            f"the weights of all {paths} sum to infinity: the spectral radius of the cycles is "
            f"{radius:.12g}, not below 1; lower the weights: take more than {max(log_radius, 0.0):.6g} "
            f"from the log weight of every {arc}"
        )
        error.radius = radius
        return error


class PathSums(NamedTuple):
    """Sums over all paths of a machine.

    ``log_z``: in nats; −inf if there is no path. ``arcs`` (A,): how often each arc is expected on a path.
    ``start``, ``final`` (S,): the probability that a path begins, or ends, at each state.
    """

    log_z: float
    arcs: Floats
    start: Floats
    final: Floats


def partition(
    source: ArrayLike,
    target: ArrayLike,
    scores: ArrayLike,
    start: ArrayLike,
    final: ArrayLike,
    n_states: int,
) -> PathSums:
    """Sum over all paths of a machine that may have cycles.

    ``source``, ``target`` (A,): the states that each arc joins. ``scores`` (A,): log weights of the arcs;
    −inf for none. ``start``, ``final`` (S,): log weights of beginning and of ending at each state; −inf for
    none.

    One state with a loop of weight 1/4 sums to 1 + 1/4 + 1/16 + … = 4/3, with 1/3 of a loop a path.

    >>> sums = partition([0], [0], [np.log(0.25)], [0.0], [0.0], 1)
    >>> float(np.exp(sums.log_z).round(9)), sums.arcs.round(9).tolist()
    (1.333333333, [0.333333333])
    """
    tail, head = np.asarray(source, dtype=np.int64), np.asarray(target, dtype=np.int64)
    weight, first, last = (np.asarray(w, dtype=np.float64) for w in (scores, start, final))
    _check(tail, head, weight, first, last, n_states)
    arcs, states = _on_paths(tail, head, weight, first, last, n_states)
    found = PathSums(-np.inf, np.zeros(len(weight)), np.zeros(n_states), np.zeros(n_states))
    if not len(states):
        return found
    tail, head = np.searchsorted(states, tail[arcs]), np.searchsorted(states, head[arcs])
    graph = _Graph(tail, head, weight[arcs], len(states))
    log_z, found.arcs[arcs], found.start[states], found.final[states] = _solve(
        graph, first[states], last[states]
    )
    return found._replace(log_z=log_z)


def spectral_radius(
    source: ArrayLike, target: ArrayLike, scores: ArrayLike, n_states: int
) -> float:
    """The greatest growth of a cycle's sum: the spectral radius ρ of M[p, q] = Σ exp w.

    By power iteration in log space, each strongly connected component between the bounds
    min and max of (Mx)(p)/x(p) (Collatz & Wielandt), until these meet.

    ``source``, ``target`` is (A,). ``scores`` (A,): log weights. Returns zero for a machine without cycles;
    inf beyond the floating-point range.

    >>> round(spectral_radius([0, 1], [1, 0], np.log([0.5, 8.0]), 2), 9)
    2.0
    """
    tail, head = np.asarray(source, dtype=np.int64), np.asarray(target, dtype=np.int64)
    weight, none = np.asarray(scores, dtype=np.float64), np.full(n_states, -np.inf)
    _check(tail, head, weight, none, none, n_states)
    arcs = np.flatnonzero(weight > -np.inf)
    cycles = _Cycles(_Graph(tail[arcs], head[arcs], weight[arcs], n_states))
    with np.errstate(over="ignore"):
        return float(np.exp(np.mean(cycles.log_radius())))


def _check(
    source: Ints, target: Ints, scores: Floats, start: Floats, final: Floats, n_states: int
) -> None:
    if not len(source) == len(target) == len(scores):
        raise MachineError(
            f"{len(source)} sources, {len(target)} targets and {len(scores)} weights: give one each an arc"
        )
    if not len(start) == len(final) == n_states:
        raise MachineError(
            f"{len(start)} start and {len(final)} final weights for {n_states} states: give one each a state"
        )
    for name, column in (("source", source), ("target", target)):
        if len(column) and (column.min() < 0 or column.max() >= n_states):
            raise MachineError(f"an arc's {name} state is outside the machine's {n_states} states")
    for name, weights in (("arc", scores), ("start", start), ("final", final)):
        if not np.all(weights < np.inf):
            raise MachineError(
                f"{name} weights: NaN or +inf; a log weight is a number, or −inf for none"
            )


def _on_paths(
    source: Ints, target: Ints, scores: Floats, start: Floats, final: Floats, n_states: int
) -> tuple[Ints, Ints]:
    """The arcs and the states that lie on some path from a start to a final state."""
    real = scores > -np.inf
    begin, end = np.flatnonzero(start > -np.inf), np.flatnonzero(final > -np.inf)
    here = np.concatenate((source[real], np.full(len(begin), n_states), end))
    there = np.concatenate((target[real], begin, np.full(len(end), n_states + 1)))
    shape = (n_states + 2, n_states + 2)
    graph = sp.csr_matrix((np.ones(len(here), dtype=np.int8), (here, there)), shape=shape)
    graph.data[:] = 1  # parallel arcs have been added up, and may have wrapped to zero
    visits = np.zeros(n_states + 2, dtype=np.int64)
    for edges, root in ((graph, n_states), (graph.T.tocsr(), n_states + 1)):
        visits[csgraph.breadth_first_order(edges, root, return_predecessors=False)] += 1
    state = visits[:n_states] == 2
    return np.flatnonzero(real & state[source] & state[target]), np.flatnonzero(state)


# %%
# **Arcs and cycles**: sums over the arcs that leave a state, and bounds of the spectral radius.


class _Graph:
    """Arcs with finite log weights, and sums over the arcs that leave a state."""

    def __init__(self, source: Ints, target: Ints, weight: Floats, n_states: int) -> None:
        order = np.argsort(source, kind="stable")
        self.source, self.target, self.weight = source, target, weight
        self.n_states = n_states
        self._sorted = target[order], weight[order]
        self._leaving, self._first = np.unique(source[order], return_index=True)

    def step(self, x: Floats) -> Floats:
        """log Σ over arcs p → q of exp(w + x(q)), for every state p."""
        result = np.full(self.n_states, -np.inf)
        if len(self._first):
            target, weight = self._sorted
            result[self._leaving] = LOG.plus_reduce(weight + x[target], self._first)
        return result


class _Cycles:
    """The states of a graph that lie on cycles, with the arcs within strongly connected components."""

    def __init__(self, graph: _Graph) -> None:
        shape = (graph.n_states, graph.n_states)
        edges = sp.coo_matrix(
            (np.ones(len(graph.source)), (graph.source, graph.target)), shape=shape
        )
        _, label = csgraph.connected_components(edges, directed=True, connection="strong")
        arcs = np.flatnonzero(label[graph.source] == label[graph.target])
        self.states, number = np.unique(graph.source[arcs], return_inverse=True)
        target = np.searchsorted(self.states, graph.target[arcs])
        self.graph = _Graph(number, target, graph.weight[arcs], len(self.states))
        _, self.component = np.unique(label[self.states], return_inverse=True)
        self._order = np.argsort(self.component, kind="stable")
        self._first = np.unique(self.component[self._order], return_index=True)[1]

    def growth(self, x: Floats) -> tuple[Floats, Floats]:
        """The least and greatest log (M·e^x)(p)/e^x(p) of each component: its radius lies between."""
        change = (self.graph.step(x) - x)[self._order]
        return np.minimum.reduceat(change, self._first), np.maximum.reduceat(change, self._first)

    def log_radius(self) -> tuple[float, float]:
        """Bounds of the log of the greatest spectral radius of a component, −inf without cycles."""
        if not len(self.states):
            return -np.inf, -np.inf
        x = np.zeros(len(self.states))
        for _ in range(RADIUS_STEPS):
            least, most = self.growth(x)
            if np.all(most - least <= 1e-13 * (10.0 + np.abs(x).max())):
                break
            # x + Mx/ρ grows as Mx does, and does not alternate where all cycles share a period
            x = np.logaddexp(x, self.graph.step(x) - ((least + most) / 2)[self.component])
            x -= np.maximum.reduceat(x[self._order], self._first)[self.component]
        return float(least.max()), float(most.max())


def _solve(graph: _Graph, start: Floats, final: Floats) -> tuple[float, Floats, Floats, Floats]:
    """log Z and the posteriors of arcs, starts and ends, where every state lies on a path."""
    source, target = graph.source, graph.target
    potential = _potential(graph, final)
    weight = np.exp(graph.weight + potential[target] - potential[source])
    shift = float((start + potential).max())
    first, last = np.exp(start + potential - shift), np.exp(final - potential)
    alpha, beta = _both_ways(graph, weight, first, last)
    z = float(first @ beta)
    if not (beta.min() > 0.0 and (alpha * (beta / z)).max() < MOST_VISITS):
        raise _divergence(graph)
    arcs = alpha[source] * weight * (beta[target] / z)
    return shift + float(np.log(z)), arcs, first * (beta / z), alpha * (last / z)


def _both_ways(graph: _Graph, weight: Floats, first: Floats, last: Floats) -> tuple[Floats, Floats]:
    """first·(I − M)⁻¹ and (I − M)⁻¹·last by one factorization."""
    shape = (graph.n_states, graph.n_states)
    matrix = sp.identity(graph.n_states) - sp.coo_matrix(
        (weight, (graph.source, graph.target)), shape=shape
    )
    try:
        factors = splu(matrix.tocsc(), diag_pivot_thresh=0.0)
    except RuntimeError:  # a pivot of exactly zero
        raise _divergence(graph) from None
    return factors.solve(first, "T"), factors.solve(last)


def _potential(graph: _Graph, final: Floats) -> Floats:
    """φ ≤ log β from sweeps of β ← f + Mβ, until the sweeps that remain cannot leave the range.

    The greatest change of a sweep never exceeds that of the sweep before, so what is left of
    the acyclic part, at most a sweep a state, is at most e^300.
    """
    enough = min(np.log(2.0), 300.0 / graph.n_states)
    potential = final
    for sweep in range(graph.n_states + PATIENCE + 1):
        before, potential = potential, np.logaddexp(final, graph.step(potential))
        if np.all(potential <= before + enough):
            break
        if sweep == PATIENCE and _Cycles(graph).log_radius()[0] > CERTAIN:
            raise _divergence(graph)
    return potential


def _divergence(graph: _Graph) -> DivergenceError:
    return DivergenceError.at(float(np.mean(_Cycles(graph).log_radius())))


# %%
# **The tagger's own machine**: states are tag histories, and a step carries the log-sum of all words.


class TagUniverse:
    """All tagged sentences of Σ*, of every length but zero, under an n-gram tagger.

    States are tag histories, and each step to a tag carries the log-sum over the words that
    the tag may emit; the sum is the limit of those of LENGTH over all lengths.
    """

    def __init__(self, n_tags: int, order: int) -> None:
        base = n_tags + 1
        if base**order > TABLE_LIMIT:
            raise MachineError(
                f"the sum over all sentences has {base**order:,} tag n-grams, more than {TABLE_LIMIT:,}; "
                "project the tags to a coarser set or lower the order"
            )
        self.n_tags = n_tags
        self._copies = base if order == 1 else 1  # unigrams become bigrams that ignore the history
        self._histories = base ** max(order - 1, 1)
        number = np.arange(self._histories * base).reshape(-1, base)[:, :-1].ravel()
        self._source, self._target = number // base, number % self._histories
        self._start = np.full(self._histories, -np.inf)
        self._start[-1] = 0.0  # nothing but boundaries

    def __call__(
        self, ngram_scores: Floats, wildcard_scores: Floats
    ) -> tuple[float, Floats, Floats]:
        """Sum over all tagged sentences.

        ``ngram_scores`` ((T + 1)^order,): log weights by n-gram number (code − 1); −inf where no sentence has
        it. ``wildcard_scores`` (T,): the log-sum of the emission weights of each tag. ``ngram_counts`` is ((T
        + 1)^order,). ``wildcard_counts`` (T,): expected counts in a sentence.
        """
        table = np.tile(ngram_scores, self._copies).reshape(self._histories, -1)
        steps = (table[:, :-1] + wildcard_scores).ravel()
        stops = table[:, -1].copy()
        stops[-1] = -np.inf  # the empty sentence
        try:
            sums = partition(self._source, self._target, steps, self._start, stops, self._histories)
        except DivergenceError as error:
            raise DivergenceError.at(
                np.log(error.radius), "tagged sentences", "step to a tag"
            ) from None
        counts = np.column_stack((sums.arcs.reshape(self._histories, -1), sums.final))
        ngram_counts = counts.reshape(self._copies, -1).sum(axis=0)
        return sums.log_z, ngram_counts, counts[:, :-1].sum(axis=0)


class UniverseSum:
    """coefficient · log Z(θ) of Σ*: what a log-linear tagger of all sentences normalizes by.

    ``features``: those of the tagger. ``emissions``: with wildcards.
    """

    def __init__(self, features: TagFeatures, emissions: EmissionTable, coefficient: float) -> None:
        self.coefficient = coefficient
        self._features = features
        self._emissions = emissions
        self._universe = TagUniverse(len(features.tags), features.order)

    def bound_to(self, features: TagFeatures, emissions: EmissionTable) -> UniverseSum:
        """The same sum as a function of another model's weights."""
        return UniverseSum(features, emissions, self.coefficient)

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        """The value in nats and its gradient, shape of θ."""
        features = self._features
        emission = self._emissions.scores(theta)
        tags = slice(-1 - len(features.tags), -1)
        table = np.full((len(features.tags) + 1) ** features.order, -np.inf)
        table[tag_ngrams.possible(len(features.tags), features.order) - 1] = 0.0
        table[features.ngrams - 1] = features.ngram_weights(theta)
        log_z, ngrams, wildcards = self._universe(table, emission[tags])

        rows = np.zeros_like(emission)
        rows[tags] = wildcards
        of_ngrams = features.ngram_gradient(ngrams[features.ngrams - 1])
        gradient = np.concatenate((of_ngrams, self._emissions.gradient(emission, rows)))
        return self.coefficient * log_z, self.coefficient * gradient


# %%
# **Training** maximizes the probability of the sentences, normalized by all there are.


def over_all_sentences(
    text: list[fstce.corpora.Sentence], dictionary: fstce.TagDictionary
) -> fstce.Tagger:
    """A bigram tagger trained to maximize Σ log p(x), p normalized over Σ*."""
    tagger = fstce.Tagger("length", order=2, sigma2=10.0)
    objective = tagger.compile(text, dictionary=dictionary)
    features = tagger.features_
    pairs = tag_pairs(features.symbols, list(features.symbols), dictionary, tagger.tags_)
    emissions = EmissionTable(features, features.symbols, *pairs, wildcards=True)
    universe = UniverseSum(features, emissions, -float(len(text)))

    def normalizer(theta: Floats) -> tuple[float, Floats]:
        try:
            return universe(theta)
        except DivergenceError:  # no distribution: the line search turns back
            return OUTSIDE, np.zeros_like(theta)

    start = np.zeros(features.size)
    # Each step of a path to one of half as much weight as there are pairs of tag and word: it converges.
    start[: len(features.ngrams)] = -np.log(2 * len(pairs[0]))
    training = maximize(Objective([*objective.numerators, normalizer], objective.prior), start)
    tagger.theta_, tagger.training_ = training.theta, training
    print(
        f"log Z over all sentences: {normalizer(start)[0] / -len(text):.2f} nats at first,", end=" "
    )
    print(f"{universe(training.theta)[0] / -len(text):.2f} when trained")
    return tagger


# %%
# **Compared** with LENGTH, which sums over the sentences of one length, and with TRANS1. Bars have 95 %
# intervals over sentences.


def scored(
    tagger: fstce.Tagger, text: list[fstce.corpora.Sentence], dictionary: fstce.TagDictionary
):
    """% of ambiguous words with the right tag, with its interval."""
    counts = []
    for sentence, tagged in zip(text, tagger.predict(text), strict=True):
        ambiguous = [i for i, word in enumerate(sentence) if len(dictionary[word]) > 1]
        counts.append((sum(sentence.tags[i] == tagged[i] for i in ambiguous), len(ambiguous)))
    return bootstrap(counts, lambda sums: 100 * sums[..., 0] / sums[..., 1])


def main(path: str) -> None:
    """Train by Σ*, by LENGTH and by TRANS1 on the same text, compare and draw."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    text = fstce.corpora.sample()[:SENTENCES]
    dictionary = fstce.TagDictionary.from_corpus(text)
    taggers = {"all sentences": over_all_sentences(text, dictionary)}
    for name in ("length", "trans1"):
        taggers[name.upper()] = fstce.Tagger(name, order=2, sigma2=10.0).fit(
            text, dictionary=dictionary
        )
    figure, axes = pyplot.subplots(figsize=(5.6, 1.8), layout="constrained")
    for name, tagger in taggers.items():
        score = scored(tagger, text, dictionary)
        print(f"{name:14s} {score.estimate:5.1f} % of ambiguous words, ", end="")
        print(f"{tagger.training_.steps[-1].iteration} iterations")
        error = [[score.estimate - score.low], [score.high - score.estimate]]
        axes.barh(name, score.estimate, color="#3b6ea5", xerr=error, ecolor="#444444")
    axes.invert_yaxis()
    axes.set(xlabel="% of ambiguous words tagged right, with 95 % intervals", xlim=(0, 100))
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main(sys.argv[1] if sys.argv[1:] else "all_sentences.svg")
