"""From corpora and a dictionary to the terms of a criterion: what is built once, before any number.

Criteria differ only in their lattices. A numerator is the sentence's own lattice, with
all its taggings, or, where tags are observed, one tagged sentence, which is linear in θ.
A denominator is a neighborhood's lattice. Equal sentences are built once and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from copy import copy
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fstce.corpora.words import check_aligned
from fstce.errors import CorpusError, MachineError
from fstce.estimation.objective import Linear
from fstce.estimation.resources import IN_MEMORY, Forecast, Resources
from fstce.grammars import tag_ngrams
from fstce.machines.lattice import wildcard_length
from fstce.machines.symbols import SIGMA_ID, Symbols
from fstce.neighborhoods.base import Neighborhood
from fstce.numeric.kernels import places, ranges, total, without_repeats
from fstce.numeric.types import Floats, Ints, Rows, Term
from fstce.wfsa.batch import Batch, Shard, TagAutomaton, pack_products
from fstce.wfsa.building import CONTRASTED, OBSERVED, CompilationPlan, build
from fstce.wfsa.chain import LengthSum
from fstce.wfsa.dense import DenseLattices, DenseSum, is_dense
from fstce.wfsa.features import (
    TABLE_LIMIT,
    Describe,
    EmissionTable,
    TagFeatures,
    TagLookup,
    WordScores,
    locate,
    tag_pairs,
    word_of,
)
from fstce.wfsa.parts import TagParts
from fstce.wfsa.terms import LatticeSum

DENSE_LIMIT = 4_000_000  # an HMM with more n-grams keeps those that occur
# Of a tag n-gram in a table of all, in training, measured
BYTES_A_CODE = 230
SECONDS_A_CODE = 1e-6
LARGE = 100_000_000  # bytes that are worth a word


@dataclass(frozen=True)
class TrainingData:
    """A corpus and how it teaches: numerators and denominators of a contrast.

    ``kind``: what each sentence is contrasted with; None for a model that normalizes locally.
    ``gold``: the tags of the sentences, where they are observed; by default they are summed over.
    ``weight``: how much these data count against others. ``shown``: how much the sentences
    themselves count, by default as much: those of several contrasts are shown by the first of them,
    with the weight of all, and weigh zero in the others. ``counts``: how often each sentence
    occurs, by default once.

    With `gold` and the identity as neighborhood this is conditional likelihood, with
    `gold` and another neighborhood supervised contrastive estimation (Smith & Eisner
    2005b, Table 1), without either the likelihood of EM.
    """

    sentences: Rows
    kind: Neighborhood | None
    gold: Rows | None = None
    weight: float = 1.0
    shown: float | None = None
    counts: Sequence[int] | None = None


class Contrast:
    """The terms of a criterion and the features they need (Smith & Eisner 2005a, Eq. 7).

    ``tags``: all tags, in the order of their numbers. ``spelling``: whether spelling features are
    added; or what names those of a word, which then has no weights of its own. ``oov``: whether
    unknown words share the weights of a symbol of their own. ``rare``: with `oov`, words that the
    sentences have at most so often count as unknown, so that the symbol's weights are learned.
    ``dense``: whether every possible tag n-gram has a weight, not only those that occur (up to four
    million; beyond that the others score 1/(T + 1), as an unseen history would). ``features``: a
    trained model's features, for held-out sentences; by default made from these. ``fixed``: scores
    of words outside θ, such as those of an unknown-word model. ``observed``: whether only the
    spellings of observed (word, tag) pairs have weights: a supervised model of many features is as
    accurate with a twentieth of them. ``listed``: the only words with weights of their own, and
    whose spellings have weights; by default all. ``parts``: those of the tags.
    ``resources``: processes that build automata, threads that add up, memory, disk, other machines.
    ``numerators``, ``denominators``: θ →
    (value, gradient), to be summed; denominators have negative coefficients. ``is_length``: whether
    a denominator is LENGTH, which has no lattices.
    """

    def __init__(
        self,
        data: TrainingData | Sequence[TrainingData],
        dictionary: TagLookup,
        tags: Sequence[str],
        order: int,
        *,
        spelling: bool | Describe = False,
        oov: bool = False,
        rare: int = 0,
        dense: bool = False,
        features: TagFeatures | None = None,
        fixed: WordScores | None = None,
        observed: bool = False,
        listed: Container[str] | None = None,
        parts: TagParts | None = None,
        resources: Resources = IN_MEMORY,
    ) -> None:
        rows = [data] if isinstance(data, TrainingData) else list(data)
        tokens = Counter(token for row in rows for sentence in row.sentences for token in sentence)
        words = Counter[str]()
        for token, number in tokens.items():
            words[word_of(token)] += number

        # Words with weights of their own: none where features describe them
        weighted = [word for word in words if listed is None or word in listed]
        if features is None:
            least = 1 + (rare if oov else 0)
            own = Symbols([] if callable(spelling) else [w for w in weighted if words[w] >= least])
        else:
            own = features.symbols
            oov = features.has_oov

        symbols = Symbols([*own, *words, *tokens])
        pairs = tag_pairs(symbols, symbols, dictionary, tags, oov)
        self._structure = structure = TagAutomaton(symbols, pairs, tags, order)
        numbered = enumerate(rows, 1)
        self._parts = [_Part(row, structure, resources, number) for number, row in numbered]
        self.is_length: bool = any(len(part.lengths) for part in self._parts)

        if features is None:
            ngrams, missing = self._ngrams(dense or parts is not None)
            spelt = None
            if observed:
                spelt = self._observed_pairs()
            elif listed is not None:
                is_weighted = np.isin(pairs[0], symbols.ids(weighted))
                spelt = pairs[0][is_weighted], pairs[1][is_weighted]
            features = TagFeatures.from_pairs(
                tags, order, symbols, ngrams, *pairs, spelling, missing, own, fixed, spelt, parts
            )
        self._bind(features)

    @property
    def terms(self) -> list[Term]:
        """Numerators, then denominators."""
        return self.numerators + self.denominators

    def bound_to(self, features: TagFeatures) -> Contrast:
        """This criterion as a function of another model's weights; the automata are shared.

        The other model must know the same words: it was trained on the same corpus.
        """
        bound = copy(self)
        bound._bind(features)
        return bound

    def _bind(self, features: TagFeatures) -> None:
        self.features: TagFeatures
        structure, self.features = self._structure, features
        wild = any(part.has_wildcards for part in self._parts)
        emissions = EmissionTable(features, structure.symbols, *structure.pairs, wildcards=wild)
        self.numerators: list[Term] = []
        self.denominators: list[Term] = []
        for part in self._parts:
            part.add_terms(features, emissions, self.numerators, self.denominators)

    def _ngrams(self, dense: bool) -> tuple[Ints, float]:
        """The codes that need weights, all or those that occur, and the weight of all others."""
        n_tags, order = len(self._structure.tags), self._structure.order
        fits = (n_tags + 1) ** order <= DENSE_LIMIT
        missing = -float(np.log(n_tags + 1)) if dense and not fits else 0.0
        if self.is_length or (dense and fits):
            return tag_ngrams.possible(n_tags, order), missing
        return np.concatenate([codes for part in self._parts for codes in part.ngrams]), missing

    def _observed_pairs(self) -> tuple[Ints, Ints]:
        """The (word, tag) pairs of tagged sentences, ascending."""
        n_tags, tagged = len(self._structure.tags), [part.tagged for part in self._parts]
        keys = [one.word * n_tags + one.tag for one in tagged if one is not None]
        word, tag = np.divmod(without_repeats(np.concatenate(keys)), n_tags)
        return word, tag


class _Part:
    """Training data on its way to terms: its automata and tokens, before the features are known."""

    def __init__(
        self, data: TrainingData, structure: TagAutomaton, resources: Resources, number: int
    ) -> None:
        sentences, numbers, self._counts = _distinct(data)
        kind = data.kind
        self._weight = data.weight
        self._shown = data.weight if data.shown is None else data.shown
        self._structure, self._resources = structure, resources

        self.tagged = None
        if data.gold is not None:
            self.tagged = tokens(
                data.sentences, data.gold, structure.symbols, structure.tags, structure.order
            )
            check_allowed(self.tagged, structure.pairs, structure.symbols, structure.tags)
        self.lengths = wildcard_lengths(kind, sentences, structure.symbols)
        self._dense: dict[str, DenseLattices] = {}
        if len(self.lengths):
            announce_table(structure, int(self.lengths.max()), len(sentences), resources)
            kind = None

        shared = None
        if kind is not None and kind.corpus_wide:
            shared, kind = kind, None
        is_observed = self.tagged is None and self._shown > 0
        plan = CompilationPlan(sentences, numbers, self._counts, structure, is_observed, kind)

        self._shards: dict[str, list[Shard]] = {}
        if plan.sides and is_dense(structure, sentences):
            positions = sum(map(len, sentences))
            announce_table(structure, positions, len(sentences), resources)
            for side in plan.sides:
                lattices = plan.lattices(side, range(len(sentences)))
                self._dense[side] = DenseLattices.of(structure, lattices, self._counts)
        elif plan.sides:
            self._shards = build(plan, resources, number)

        if shared is not None:
            batch = pack_products(structure, shared.expand(sentences, structure.symbols))
            times = np.array([self._counts.sum()]) if batch.n_machines == 1 else self._counts
            self._shards[CONTRASTED] = [Shard(batch, times)]

    @property
    def has_wildcards(self) -> bool:
        """Whether ``<sigma>`` occurs."""
        if len(self.lengths):
            return True
        words = [batch.word for batch in self._batches]
        words += [lattices.words for lattices in self._dense.values()]
        return any(np.any(ids == SIGMA_ID) for ids in words)

    @property
    def _batches(self) -> list[Batch]:
        return [shard.batch for shards in self._shards.values() for shard in shards]

    @property
    def ngrams(self) -> list[Ints]:
        """The codes that automata, lattices and tokens need, with repeats."""
        codes = [without_repeats(batch.ngram) for batch in self._batches]
        codes += [lattices.codes for lattices in self._dense.values()]
        return codes + ([] if self.tagged is None else [self.tagged.ngram])

    def add_terms(
        self,
        features: TagFeatures,
        emissions: EmissionTable,
        numerators: list[Term],
        denominators: list[Term],
    ) -> None:
        """Add the sums over taggings of the sentences, or their counts, and over neighborhoods."""
        if self.tagged is not None and self._shown:
            counts, fixed = feature_counts(self.tagged, features, self._structure.symbols)
            numerators.append(Linear(self._shown * counts, self._shown * fixed))

        resources = self._resources
        sides = (OBSERVED, numerators, self._shown), (CONTRASTED, denominators, -self._weight)
        for side, terms, scale in sides:
            if side in self._dense:
                lattices = self._dense[side]
                terms.append(DenseSum(features, emissions, lattices, scale, resources.jobs))
            elif side in self._shards:
                shards = self._shards[side]
                terms.append(LatticeSum(features, emissions, shards, scale, resources))

        if len(self.lengths):
            lengths, place = np.unique(self.lengths, return_inverse=True)
            times = total(place, -self._weight * self._counts, len(lengths))
            denominators.append(LengthSum(features, emissions, lengths, times))


def _distinct(data: TrainingData) -> tuple[list[tuple[str, ...]], list[int], Floats]:
    """The distinct sentences, the number of the first of each, and how often each occurs."""
    place: dict[tuple[str, ...], int] = {}
    at = np.array([place.setdefault(tuple(sentence), len(place)) for sentence in data.sentences])
    times = np.ones(len(at)) if data.counts is None else np.asarray(data.counts, dtype=np.float64)
    numbers = np.unique(at, return_index=True)[1] + 1
    return list(place), numbers.tolist(), total(at, times, len(place))


class Tokens(NamedTuple):
    """A tagged corpus as numbers: each word with its tag, and the code of each tag n-gram."""

    word: Ints
    tag: Ints
    ngram: Ints


def tokens(
    sentences: Rows, gold: Rows, symbols: Symbols, tags: Sequence[str], order: int
) -> Tokens:
    """Number the words, tags and n-grams of a tagged corpus, sentence after sentence."""
    check_aligned(sentences, gold)
    number = places(tags)
    for i, row in enumerate(gold, 1):
        strange = next((tag for tag in row if tag not in number), None)
        if strange is not None:
            raise CorpusError(
                f"sentence {i}: the tag {strange!r} is not in the dictionary's tagset"
            )
    tag = np.array([number[t] for row in gold for t in row], dtype=np.int64)
    lengths = np.array([len(row) for row in gold])
    word = symbols.ids([w for sentence in sentences for w in sentence]).astype(np.int64)
    return Tokens(word, tag, _codes(tag, lengths, len(tags), order))


def check_allowed(
    tagged: Tokens, pairs: tuple[Ints, Ints], symbols: Symbols, tags: Sequence[str]
) -> None:
    """Raise CorpusError unless the dictionary has every gold tag: others have no weight."""
    _, known = locate(pairs[0] * len(tags) + pairs[1], tagged.word * len(tags) + tagged.tag)
    if not np.all(known):
        i = int(np.argmin(known))
        word, tag = symbols.word(int(tagged.word[i])), tags[int(tagged.tag[i])]
        raise CorpusError(
            f"{word}/{tag}: the dictionary does not list this tag for the word; "
            "add it, or leave the word out of the dictionary"
        )


def feature_counts(tagged: Tokens, features: TagFeatures, symbols: Symbols) -> tuple[Floats, float]:
    """How often each feature occurs in the tagged corpus, (features,); fixed scores, nats."""
    width = len(features.tags)
    times_of_ngram = np.bincount(features.places(tagged.ngram), minlength=len(features.ngrams) + 1)
    ngrams = features.ngram_gradient(times_of_ngram[:-1].astype(np.float64))
    keys, times = np.unique(tagged.word * width + tagged.tag, return_counts=True)
    pairs, count = np.divmod(keys, width), times.astype(np.float64)
    pair, feature = features.emission_entries(symbols, *pairs)
    emissions = total(feature, count[pair], features.size - features.first_word)
    fixed = float(features.fixed_scores(symbols, *pairs) @ count)
    return np.concatenate((ngrams, emissions)), fixed


def _codes(tag: Ints, lengths: Ints, n_tags: int, order: int) -> Ints:
    """The code of the n-gram that each tag and each final boundary completes."""
    ended = np.insert(tag, np.cumsum(lengths), n_tags)
    place = ranges(np.zeros(len(lengths), dtype=np.int64), lengths + 1)
    recent = np.array([np.where(place >= i, np.roll(ended, i), n_tags) for i in range(order)])
    # code = Σ_i (T + 1)^i · t_(j − i), T standing for a boundary: one a place, (places,)
    return (n_tags + 1) ** np.arange(order) @ recent + 1


def announce_table(
    structure: TagAutomaton, positions: int, sentences: int, resources: Resources
) -> None:
    """Say how large a table of all tag n-grams will be, before anything of its size is built.

    ``positions``: at which it is looked at. Raises MachineError where there is no room for it.
    """
    n_codes = (len(structure.tags) + 1) ** structure.order
    nbytes = BYTES_A_CODE * n_codes
    if n_codes > TABLE_LIMIT or nbytes > max(resources.room, LARGE):
        raise MachineError(
            f"LENGTH, or words of any tag, keep a dense table of {n_codes:,} tag n-grams, which "
            f"takes about {nbytes / 1e9:.1f} GB, more than there is room for; project the tags to "
            "a coarser set or lower the order"
        )

    if resources.building is not None and nbytes > LARGE:
        seconds = SECONDS_A_CODE * n_codes
        arcs = float(positions * n_codes)
        resources.building.planned(Forecast(sentences, arcs, nbytes, seconds, on_disk=False))


def wildcard_lengths(kind: Neighborhood | None, sentences: Rows, symbols: Symbols) -> Ints:
    """The length m of each sentence's neighborhood if all are Σ^m, which needs no lattice."""
    none = np.zeros(0, dtype=np.int64)
    if kind is not None:
        kind.try_first(sentences, symbols)  # here, and not in each worker that builds
    if (
        kind is None
        or not kind.equivariant
        or not wildcard_length(next(kind.expand(sentences[:1], symbols)))
    ):
        return none
    lengths = np.array([wildcard_length(lattice) for lattice in kind.expand(sentences, symbols)])
    return lengths if np.all(lengths > 0) else none
