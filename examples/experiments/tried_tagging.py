"""Ways to learn from raw text that did not pay, remeasured: they are here and not in the package.

Held-out tagging as in ``held_out_tagging``, smaller: bigrams, 12,000 words of raw text with their
own dictionary, whole or its 500 commonest words, and the 5,000 words that follow the first 24,000.
Each way is an addition to EM or TRANS1; its row has the difference from that in points of all
words, with a 95 % interval (bootstrap over sentences). To run: ``python -m
examples.experiments.tried_tagging DATA [CORPUS ...]``.

- *Cost* (Gimpel & Bansal 2014): a neighbor weighs exp(α · words out of place).
- *Fewest bigrams* (Ravi & Knight 2009; greedy): the fewest tag bigrams that explain the text. EM gives
  the others no probability; in TRANS1 their prior has the mean −2.
- *L0* (Vaswani et al. 2010): EM with Σ α exp(−p/β) over transitions p, α = 80 and β = .05.
- *Shares* (generalized expectations, posterior regularization): each tag's expected share of the text is
  that of its own tags, or within two standard errors of that in 100 of its sentences. Weakly
  supervised; in Malagasy, whose raw text has no tags, by those of the sentences to be tagged.

Page: docs/notebook/tagging.md.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

import fstce
from examples.experiments.held_out_tagging import SPECS, parts_of, smaller
from fstce.estimation.maximize import maximize
from fstce.estimation.objective import GaussianPrior, Likelihood, Multinomials, Objective, Term
from fstce.evaluation import compare_taggings, tagging_accuracy
from fstce.machines.image import Arrays
from fstce.machines.symbols import FIRST_WORD_ID
from fstce.neighborhoods.alphabet import Words
from fstce.neighborhoods.base import Neighborhood
from fstce.neighborhoods.registry import neighborhood
from fstce.neighborhoods.shipped import shipped_module
from fstce.numeric.types import Floats

Rows = list[list[str]]
WORDS = 12_000
HUNDRED = 100


class Costly(Neighborhood):
    """Permutations, of which each weighs exp(α · words that stand where the sentence has another)."""

    def __init__(self, kind: Neighborhood, alpha: float) -> None:
        name = f"{kind.name}, cost {alpha:g}"
        super().__init__(shipped_module("identity").build, name, equivariant=True)
        self.kind = kind
        self.alpha = alpha

    def _pattern_lattice(self, pattern: tuple[int, ...], words: Words) -> Arrays:
        arrays = self.kind.over(pattern, words)
        place = np.zeros(len(arrays.final), dtype=int)
        for source, target in zip(arrays.source.tolist(), arrays.next.tolist(), strict=True):
            place[target] = place[source] + 1  # the same on all paths
        wrong = arrays.ilabel != np.array(pattern)[place[arrays.source]] + FIRST_WORD_ID
        return arrays._replace(weight=-self.alpha * wrong, final=arrays.final.astype(np.float64))


class Shares:
    """Σ log Z(θ) − min KL(q ‖ p_θ) over the q whose expected shares of tags are within bounds.

    The value is min over λ of Σ log Z(θ + λ · tags) − N (λ⁺ · low − λ⁻ · high): one number for each
    tag.
    """

    def __init__(
        self, terms: Sequence[Term], tagger: fstce.Tagger, low: Floats, high: Floats
    ) -> None:
        self.terms = terms
        self.low = low
        self.high = high
        codes = tagger.features_.ngrams - 1
        width = len(tagger.tags_)
        self.tags = np.zeros((width, tagger.features_.size))
        self.tags[:, : len(codes)] = codes % (width + 1) == np.arange(width)[:, None]
        self.moved = np.zeros(width)

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        for _ in range(15):
            shares = self.tags @ self._at(theta)[1]
            now = shares / shares.sum() + 1e-6
            up, down = (np.log((bound + 1e-6) / now) for bound in (self.low, self.high))
            raised = np.maximum(0, self.moved + up)
            lowered = np.minimum(0, self.moved + down)
            new = np.where(
                self.moved > 0, raised, np.where(self.moved < 0, lowered, raised + lowered)
            )
            step = np.clip(new - self.moved, -1, 1)
            if np.abs(step).max() < 0.02:
                break

            self.moved = np.clip(self.moved + step, -8, 8)

        value, counts = self._at(theta)
        paid = np.maximum(self.moved, 0) @ self.low + np.minimum(self.moved, 0) @ self.high
        return value - float((self.tags @ counts).sum() * paid), counts

    def _at(self, theta: Floats) -> tuple[float, Floats]:
        values, counts = zip(
            *(term(theta + self.moved @ self.tags) for term in self.terms), strict=True
        )
        return float(sum(values)), np.sum(counts, axis=0)


class Sparse(Multinomials):
    """EM's M-step with an approximation of the L0 norm of each tag's transitions, by projected
    gradients.
    """

    def __init__(self, tagger: fstce.Tagger, alpha: float = 80.0, beta: float = 0.05) -> None:
        super().__init__(tagger.features_.group)
        self.size_of = len(tagger.features_.ngrams)
        self.alpha = alpha
        self.beta = beta

    def normalize(self, counts: Floats, smoothing: float = 0.0) -> Floats:
        n = self.size_of
        counts = np.append(np.maximum(counts[:n] - 1, 1e-3), counts[n:])  # λ is for words alone
        theta = super().normalize(counts)
        for row in np.split(np.arange(n), np.flatnonzero(np.diff(self.group[:n])) + 1):
            theta[row] = np.log(self._row(counts[row], np.exp(theta[row])))
        return theta

    def _row(self, counts: Floats, p: Floats) -> Floats:
        def value(p: Floats) -> float:
            return float(counts @ np.log(p) + self.alpha * np.exp(-p / self.beta).sum())

        best = value(p)
        for _ in range(60):
            slope = counts / p - self.alpha / self.beta * np.exp(-p / self.beta)
            steps = (
                p + size * slope / np.abs(slope).max()
                for size in (0.3, 0.1, 0.03, 0.01, 0.003, 0.0003)
            )
            found = max((on_simplex(q) for q in steps), key=value)
            if value(found) < best + 1e-4:
                break

            p = found
            best = value(found)

        return p


def on_simplex(point: Floats) -> Floats:
    """The nearest distribution (Duchi et al. 2008), without zeros."""
    falling = -np.sort(-point)
    excess = (np.cumsum(falling) - 1) / np.arange(1, len(point) + 1)
    p = np.maximum(point - excess[np.flatnonzero(falling > excess)[-1]], 1e-9)
    return p / p.sum()


class Allowed(Multinomials):
    """Distributions in which some weights are impossible; λ = 1 is added to the others."""

    def __init__(self, tagger: fstce.Tagger, allowed: Floats) -> None:
        super().__init__(tagger.features_.group)
        self.allowed = np.append(allowed, np.ones(tagger.features_.size - len(allowed), bool))

    def normalize(self, counts: Floats, smoothing: float = 0.0) -> Floats:
        return super().normalize(np.where(self.allowed, counts + 1.0, 0.0))

    def first(self) -> Floats:
        """Where EM starts: uniform among the allowed."""
        return self.normalize(np.zeros(len(self.allowed)))


def fewest_bigrams(tagger: fstce.Tagger, raw: Rows) -> Floats:
    """Whether each bigram of the tagger is among the few: greedily, then where sentences have
    holes.
    """
    number = {tag: i for i, tag in enumerate(tagger.tags_)}
    width = len(tagger.tags_) + 1
    words = {word for row in raw for word in row}
    lookup = tagger.dictionary_.lookup
    tags = {word: np.array([number[t] for t in lookup(word)]) for word in words}
    tags[""] = np.array([width - 1])
    pairs = {pair for row in raw for pair in zip(["", *row], [*row, ""], strict=True)}
    left = [np.unique(tags[a][:, None] * width + tags[b]) for a, b in sorted(pairs)]
    few = np.zeros((width, width), bool)

    while left:
        few.flat[np.bincount(np.concatenate(left)).argmax()] = True
        left = [codes for codes in left if not few.flat[codes].any()]

    for row in sorted(raw, key=len):
        _close_holes(few, [tags[word] for word in ["", *row, ""]])

    return few.flat[tagger.features_.ngrams - 1]


def _close_holes(few: Floats, choices: list[Floats]) -> None:
    """Add the fewest bigrams that give a sentence a path, by Viterbi."""
    cost = np.zeros(1)
    back = []
    for before, after in itertools.pairwise(choices):
        step = cost[:, None] + ~few[np.ix_(before, after)]
        back.append(step.argmin(0))
        cost = step.min(0)
    at = int(cost.argmin())
    for i in range(len(back) - 1, -1, -1):
        before = int(back[i][at])
        few[choices[i][before], choices[i + 1][at]] = True
        at = before


def em(
    raw: Rows, listed: fstce.TagDictionary, change: Callable[..., Likelihood] | None = None
) -> fstce.Tagger:
    """An HMM of bigrams; `change` makes another likelihood of tagger and likelihood."""
    tagger = fstce.Tagger(criterion="em", order=2)
    likelihood = tagger.compile(raw, dictionary=listed)
    if change is not None:
        likelihood = change(tagger, likelihood)
    start = getattr(likelihood.multinomials, "first", likelihood.multinomials.uniform)()
    training = likelihood.climb(start)
    tagger.theta_ = training.theta
    tagger.training_ = training
    return tagger


def trans1(
    raw: Rows,
    listed: fstce.TagDictionary,
    change: Callable[..., Objective] | None = None,
    kind: str | Neighborhood = "trans1",
) -> fstce.Tagger:
    """TRANS1 with bigrams; `change` makes another objective of tagger and objective."""
    tagger = fstce.Tagger(kind, order=2)
    objective = tagger.compile(raw, dictionary=listed)
    if change is not None:
        objective = change(tagger, objective)
    training = maximize(objective, tagger.initial_weights())
    tagger.theta_ = training.theta
    tagger.training_ = training
    return tagger


def hundred(gold: Rows) -> list[int]:
    """The numbers of a hundred sentences, drawn."""
    return (
        np.random.default_rng(0).choice(len(gold), min(HUNDRED, len(gold)), replace=False).tolist()
    )


def labelled(raw: Rows, listed: fstce.TagDictionary, gold: Rows) -> fstce.Tagger:
    """The package's way with a hundred tagged sentences: EM of them and of the raw text."""
    few = [(raw[i], gold[i]) for i in hundred(gold) if set(gold[i]) <= set(listed.tagset)]
    entries = {word: set(listed[word]) for word in listed}
    for row, tags in few:
        for word, tag in zip(row, tags, strict=True):
            entries.setdefault(word, set()).add(tag)
    more = fstce.TagDictionary(entries, listed.tagset, listed.open_class, listed.unseen)
    pair = [row for row, _ in few], [tags for _, tags in few]
    return fstce.Tagger(criterion="em", order=2).fit(raw, dictionary=more, labelled=pair)


def shares(gold: Rows, tagger: fstce.Tagger, drawn: bool) -> tuple[Floats, Floats]:
    """Bounds of the tags' shares: those of the text, or two standard errors around those of 100
    sentences.
    """
    found = [tag for i in (hundred(gold) if drawn else range(len(gold))) for tag in gold[i]]
    share = np.array([found.count(tag) for tag in tagger.tags_]) / len(found)
    error = 2 * np.sqrt((share * (1 - share) + 1 / len(found)) / len(found)) * drawn
    return np.maximum(share - error, 0), share + error


class PriorAround(GaussianPrior):
    """A Gaussian prior of variance one around a mean."""

    def __init__(self, mean: Floats) -> None:
        super().__init__()
        self.mean = mean

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        return super().__call__(theta - self.mean)


def few_prior(raw: Rows) -> Callable[..., Objective]:
    """The prior of bigrams that are not among the fewest at −2."""

    def change(tagger: fstce.Tagger, objective: Objective) -> Objective:
        mean = np.zeros(tagger.features_.size)
        mean[: len(tagger.features_.ngrams)] = np.where(fewest_bigrams(tagger, raw), 0.0, -2.0)
        prior = PriorAround(mean)
        return Objective(objective.numerators, prior, objective.denominators)

    return change


def ways(
    raw: Rows, listed: fstce.TagDictionary, gold: Rows, is_of_text: bool
) -> dict[str, Callable[[], fstce.Tagger]]:
    """The taggers by name; before the comma what each is compared with.

    The tags may be those of the raw text, or of the sentences to be tagged where no other are
    tagged.
    """

    def shared(drawn: bool) -> Callable[..., Likelihood]:
        return lambda t, old: Likelihood(
            [Shares(old.terms, t, *shares(gold, t, drawn))], old.multinomials, 1.0
        )

    def contrasted(drawn: bool) -> Callable[..., Objective]:
        return lambda t, old: Objective(
            [Shares(old.numerators, t, *shares(gold, t, drawn))], old.prior, old.denominators
        )

    def sparse(tagger: fstce.Tagger, old: Likelihood) -> Likelihood:
        return Likelihood(old.terms, Sparse(tagger), 1.0)

    def few(tagger: fstce.Tagger, old: Likelihood) -> Likelihood:
        return Likelihood(old.terms, Allowed(tagger, fewest_bigrams(tagger, raw)), 0.0)

    kind = neighborhood("trans1")
    return {
        "EM": lambda: em(raw, listed),
        "EM, L0": lambda: em(raw, listed, sparse),
        "EM, fewest bigrams": lambda: em(raw, listed, few),
        "EM, shares of the text": lambda: em(raw, listed, shared(False)),
        "EM, shares of 100 sentences": lambda: em(raw, listed, shared(True)),
        **(
            {"EM, 100 sentences labelled": lambda: labelled(raw, listed, gold)}
            if is_of_text
            else {}
        ),
        "TRANS1": lambda: trans1(raw, listed),
        **{
            f"TRANS1, cost {alpha:g}": lambda alpha=alpha: trans1(
                raw, listed, kind=Costly(kind, alpha)
            )
            for alpha in (0.5, -0.5, -1.5, -3.0)
        },
        "TRANS1, fewest bigrams": lambda: trans1(raw, listed, few_prior(raw)),
        "TRANS1, shares of the text": lambda: trans1(raw, listed, contrasted(False)),
        "TRANS1, shares of 100 sentences": lambda: trans1(raw, listed, contrasted(True)),
    }


def main(data: Path, corpora: list[str]) -> None:
    """Print the table."""
    print("| corpus | dictionary | tagger | % of all words | difference | 95 % |")
    print("|---|---|---|---|---|---|", flush=True)

    for corpus in corpora:
        raw, tagged, test, dictionary = parts_of(corpus, data)
        n = int(np.searchsorted(np.cumsum([len(row) for row in raw]), WORDS)) + 1
        if tagged is not None:
            dictionary = fstce.TagDictionary.from_corpus(tagged[:n])

        gold = [list(s.tags) for s in (tagged[:n] if tagged is not None else test)]
        words = [s.words for s in test]
        answers = [s.tags for s in test]

        for size, listed in ("whole", dictionary), ("500 words", smaller(dictionary, raw[:n])):
            base: Rows = []
            for name, way in ways(raw[:n], listed, gold, tagged is not None).items():
                found = way().predict(words)
                right = tagging_accuracy(words, answers, found, listed).all
                if "," not in name:
                    base = found
                    print(f"| {corpus} | {size} | {name} | {right:.1f} | | |", flush=True)
                    continue

                one = compare_taggings(words, answers, found, base, listed)["all"]
                interval = f"{one.difference:+.2f} | [{one.low:+.2f}, {one.high:+.2f}]"
                print(f"| {corpus} | {size} | {name} | {right:.1f} | {interval} |", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or list(SPECS))
