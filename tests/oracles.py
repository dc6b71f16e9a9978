"""Brute-force twins: each algorithm of the package once more, as plainly as its definition reads."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np
import pywrapfst
from numpy.typing import NDArray

from fstce.wfsa.batch import Batch

Strings = set[tuple[str, ...]]

# --- Neighborhoods (Smith & Eisner 2005a, §4); the empty string is never in one -----------------------


def identity(words: Sequence[str]) -> Strings:
    """The sentence alone."""
    return {tuple(words)} - {()}


def del1word(words: Sequence[str]) -> Strings:
    """The sentence, and the sentence without its i-th word."""
    shorter = {(*words[:i], *words[i + 1 :]) for i in range(len(words))}
    return identity(words) | shorter - {()}


def trans1(words: Sequence[str]) -> Strings:
    """The sentence, and the sentence with its i-th word after the next."""
    swapped = {(*words[:i], words[i + 1], words[i], *words[i + 2 :]) for i in range(len(words) - 1)}
    return identity(words) | swapped


def delortrans1(words: Sequence[str]) -> Strings:
    """One word deleted, or two neighbors transposed, or neither."""
    return del1word(words) | trans1(words)


def del1subseq(words: Sequence[str]) -> Strings:
    """The sentence, and the sentence without its words i to j."""
    shorter = {
        (*words[:i], *words[j:]) for i, j in itertools.combinations(range(len(words) + 1), 2)
    }
    return identity(words) | shorter - {()}


def length(words: Sequence[str], vocabulary: Iterable[str]) -> Strings:
    """Every sentence of the same length over the vocabulary."""
    return set(itertools.product(vocabulary, repeat=len(words))) - {()}


# --- Taggers: every tag sequence of every string, one by one ---------------------------------------------

BOUNDARY = "<boundary>"
Words = tuple[str, ...]
Name = tuple[str, ...]
Weights = Mapping[Name, float]


class Lookup(Protocol):
    """A tagging dictionary."""

    def lookup(self, word: str) -> tuple[str, ...]: ...


def taggings(words: Words, dictionary: Lookup) -> list[Words]:
    """All tag sequences that the dictionary allows."""
    return list(itertools.product(*(dictionary.lookup(word) for word in words)))


def spelling_signs(word: str) -> list[str]:
    """Suffixes of 1–3 characters, an initial capital, a hyphen, a digit (Smith & Eisner 2005a, §5.2)."""
    signs = [f"suffix={word[len(word) - n :]}" for n in (1, 2, 3) if n <= len(word)]
    if word[0] != word[0].lower():
        signs.append("capital")
    if set(word) & {"-"}:
        signs.append("hyphen")
    if set(word) & set("0123456789"):
        signs.append("digit")
    return signs


def tagged_features(words: Words, tags: Words, order: int) -> Counter[Name]:
    """How often each feature occurs in a tagged string: n-grams, (word, tag)s, (spelling, tag)s."""
    padded = (BOUNDARY,) * (order - 1) + tags + (BOUNDARY,)
    found = Counter(("ngram", *padded[i : i + order]) for i in range(len(tags) + 1))
    for word, tag in zip(words, tags, strict=True):
        found["word", word, tag] += 1
        found.update(("spelling", sign, tag) for sign in spelling_signs(word))
    return found


def log_weight(words: Words, tags: Words, weights: Weights, order: int) -> float:
    """θ · f(x, y); a feature without a weight counts nothing."""
    return sum(
        weights.get(name, 0.0) * n for name, n in tagged_features(words, tags, order).items()
    )


def log_sum(values: Iterable[float]) -> float:
    """log Σ exp, in nats."""
    values = list(values)
    greatest = max(values)
    return greatest + math.log(math.fsum(math.exp(value - greatest) for value in values))


class BruteTagger:
    """All tagged strings (x, y) of a set of strings, each with its log weight."""

    def __init__(
        self, strings: Iterable[Words], dictionary: Lookup, weights: Weights, order: int
    ) -> None:
        self.order = order
        self.weight = {
            (x, y): log_weight(x, y, weights, order)
            for x in strings
            for y in taggings(x, dictionary)
        }
        self.log_z = log_sum(self.weight.values())
        self.probability = {xy: math.exp(w - self.log_z) for xy, w in self.weight.items()}

    def expected_counts(self) -> Counter[Name]:
        """E[f(x, y)]."""
        expected: Counter[Name] = Counter()
        for (x, y), p in self.probability.items():
            for name, n in tagged_features(x, y, self.order).items():
                expected[name] += p * n
        return expected

    def k_best(self, k: int) -> list[tuple[Words, float]]:
        """The k best tag sequences with their log weights, best first."""
        best = sorted(self.weight.items(), key=lambda item: -item[1])
        return [(y, weight) for (_, y), weight in best[:k]]

    def posterior(self, position: int, tag: str) -> float:
        """The probability of a tag at a position."""
        return math.fsum(p for (_, y), p in self.probability.items() if y[position] == tag)

    def entropy(self) -> float:
        """−Σ p log p, in nats."""
        return -math.fsum(p * math.log(p) for p in self.probability.values() if p > 0)


def contrast(
    sentences: Sequence[Words],
    neighbours: Callable[[Words], Iterable[Words]],
    dictionary: Lookup,
    weights: Weights,
    order: int,
) -> tuple[float, Counter[Name]]:
    """Σ log Z of each sentence − log Z of its neighbors (Eq. 7, no prior) and its gradient (Eq. 10)."""
    value, gradient = 0.0, Counter[Name]()
    for sentence in sentences:
        observed = BruteTagger([sentence], dictionary, weights, order)
        contrasted = BruteTagger(sorted(neighbours(sentence)), dictionary, weights, order)
        value += observed.log_z - contrasted.log_z
        for name, n in observed.expected_counts().items():
            gradient[name] += n
        for name, n in contrasted.expected_counts().items():
            gradient[name] -= n
    return value, gradient


# --- OpenFst as a second oracle --------------------------------------------------------------------------


def openfst_machine(batch: Batch, arc_scores: NDArray[np.float64]) -> pywrapfst.VectorFst:
    """All machines of a batch as one log64 machine; states keep their numbers, a new start is the last."""
    fst = pywrapfst.VectorFst("log64")
    fst.add_states(batch.n_states + 1)
    fst.set_start(batch.n_states)
    one = pywrapfst.Weight.one("log64")
    for start in batch.start.tolist():
        fst.add_arc(batch.n_states, pywrapfst.Arc(0, 0, one, start))
    for final in batch.final.tolist():
        fst.set_final(final, one)
    columns = (batch.source.tolist(), batch.target.tolist(), arc_scores.tolist())
    for source, target, score in zip(*columns, strict=True):
        fst.add_arc(source, pywrapfst.Arc(1, 1, pywrapfst.Weight("log64", repr(-score)), target))
    return fst


def openfst_distances(
    batch: Batch, arc_scores: NDArray[np.float64], reverse: bool = False
) -> NDArray[np.float64]:
    """log α or log β of every state by OpenFst's shortest distance; Weight prints nine digits, no more."""
    machine = openfst_machine(batch, arc_scores)
    distance = pywrapfst.shortestdistance(machine, delta=1e-12, reverse=reverse)
    return np.array([-float(weight) for weight in distance[: batch.n_states]])


# --- The hidden Markov model: every tag sequence once more, with probabilities (Merialdo 1994) -----------

UNKNOWN = "<unk>"


def hmm_names(
    vocabulary: Iterable[str], dictionary: Lookup, tagset: Sequence[str], order: int
) -> list[Name]:
    """The events of an HMM: n-grams that sentences can have, words with their tags, ``<unk>`` with all."""
    lengths = range(1, order + 1)
    some = [tags for n in lengths for tags in itertools.product(tagset, repeat=n)]
    ngrams = {
        name for tags in some for name in tagged_features(tags, tags, order) if name[0] == "ngram"
    }
    listed = [
        ("word", word, tag) for word in sorted(set(vocabulary)) for tag in dictionary.lookup(word)
    ]
    return [*sorted(ngrams), *listed, *(("word", UNKNOWN, tag) for tag in tagset)]


def hmm_events(words: Words, tags: Words, order: int, vocabulary: set[str]) -> Counter[Name]:
    """How often each event occurs in a tagged string, a word outside the vocabulary being ``<unk>``."""
    seen = tuple(word if word in vocabulary else UNKNOWN for word in words)
    features = tagged_features(seen, tags, order)
    return Counter({name: n for name, n in features.items() if name[0] != "spelling"})


def distribution(name: Name) -> Name:
    """What an event's probability is conditioned on: the history of an n-gram, the tag of a word."""
    return name[:-1] if name[0] == "ngram" else ("word", name[2])


def relative_frequencies(
    counts: Mapping[Name, float], names: Iterable[Name], smoothing: float = 0.0
) -> dict[Name, float]:
    """(count + λ) over its sum in the distribution; a distribution that was never seen is uniform."""
    names = list(names)
    mass = {name: counts.get(name, 0.0) + smoothing for name in names}
    whole: Counter[Name] = Counter()
    size: Counter[Name] = Counter()
    for name in names:
        whole[distribution(name)] += mass[name]
        size[distribution(name)] += 1
    return {
        name: mass[name] / whole[distribution(name)]
        if whole[distribution(name)] > 0
        else 1 / size[distribution(name)]
        for name in names
    }


class BruteHMM:
    """p(x, y) = Π p(tag | history) · Π p(word | tag), from probabilities by event."""

    def __init__(self, probability: Mapping[Name, float], dictionary: Lookup, order: int) -> None:
        self.probability = probability
        self.dictionary = dictionary
        self.order = order
        self.vocabulary = {name[1] for name in probability if name[0] == "word"} - {UNKNOWN}

    def events(self, words: Words, tags: Words) -> Counter[Name]:
        """How often each event occurs in a tagged sentence."""
        return hmm_events(words, tags, self.order, self.vocabulary)

    def joint(self, words: Words, tags: Words) -> float:
        """p(x, y); an event without a probability is impossible."""
        events = self.events(words, tags)
        return math.prod(self.probability.get(name, 0.0) ** n for name, n in events.items())

    def marginal(self, words: Words) -> float:
        """p(x) = Σ over y of p(x, y)."""
        return math.fsum(self.joint(words, tags) for tags in taggings(words, self.dictionary))

    def expected_counts(self, sentences: Iterable[Words]) -> Counter[Name]:
        """The E-step: Σ over sentences of Σ over y of p(y | x) · count."""
        expected: Counter[Name] = Counter()
        for words in sentences:
            whole = self.marginal(words)
            for tags in taggings(words, self.dictionary):
                for name, n in self.events(words, tags).items():
                    expected[name] += n * self.joint(words, tags) / whole
        return expected

    def log_likelihood(self, sentences: Iterable[Words]) -> float:
        """Σ log p(x), in nats."""
        return math.fsum(_log(self.marginal(words)) for words in sentences)

    def log_joint(self, sentences: Iterable[Words], gold: Iterable[Words]) -> float:
        """Σ log p(x, y), in nats."""
        return math.fsum(_log(self.joint(*pair)) for pair in zip(sentences, gold, strict=True))

    def em_step(self, sentences: Iterable[Words], smoothing: float = 0.0) -> BruteHMM:
        """One E-step and one M-step."""
        expected = self.expected_counts(sentences)
        return BruteHMM(
            relative_frequencies(expected, self.probability, smoothing), self.dictionary, self.order
        )


def _log(value: float) -> float:
    return math.log(value) if value > 0 else -math.inf
