"""Correction by a dependency grammar: the best sentence, tagging and tree of a tagged lattice.

Trained on the tags of clean text with those of SPELL≤k as neighborhood (2005b, §5.4). What is
weighted by *exponents*: ``emission`` is log p(words | tags), all others as in
:mod:`fstce.correction.factors.columns`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, pairwise
from typing import Any, ClassVar, NamedTuple

import numpy as np

from fstce.chart import best_trees, compile_charts
from fstce.corpora.signatures import signature
from fstce.corpora.words import check_aligned, checked_sentences
from fstce.correction import corrector_files
from fstce.correction.base import BaseCorrector, halved, unchanged
from fstce.correction.corrector_files import channel_entries, channel_of, counts_file, read_counts
from fstce.correction.decoding import Correction, with_words
from fstce.correction.factors.spelled import SpellingModel
from fstce.correction.mistakes.candidates import Candidates
from fstce.correction.mistakes.spelling import Spell, sausage
from fstce.correction.parameters import PARSED_CORRECTOR, PARSED_SCORES
from fstce.errors import CorpusError, MachineError, ModelFileError
from fstce.estimation.maximize import Monitor
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.base import Neighborhood, NoTransducer, numbered
from fstce.neighborhoods.first_use import beginning
from fstce.numeric.kernels import ranges
from fstce.numeric.types import Floats, Ints, Rows, Sentences
from fstce.parameters.rules import Table
from fstce.parameters.tables import check_arguments
from fstce.parsing.parser import DependencyParser
from fstce.speller.channel import Channel
from fstce.storage.state import State

BATCH = 50
GRAMMAR, WORDS, SIGNATURES = "grammar", "words.tsv", "signatures.tsv"
LEAST = -1000.0  # a log-probability of zero: an exponent of zero forgives it

Triple = tuple[list[str], list[str], tuple[int, ...]]
Counts = Mapping[tuple[str, str], int]
Spelling = Callable[[Sequence[str]], Floats]  # log p of the characters of words

MOST = 8  # tags of a word that a chart has, the most probable: more are hardly any word's
ADDED = 0.5  # to the count of each (signature, tag)


class Emissions:
    """log p(word | tag), by relative frequency; of unknown words by their signature.

    A tag t that rare words have in a share u(t) of its tokens leaves u(t) to unknown words:

        p(w | t) = (1 − u(t)) · c(w, t) / c(t)                for a known word w,
        p(s | t) = u(t) · (n(s, t) + ½) / (n(t) + ½(S + 1))   for all unknown words of signature s,

    n counting rare words and S their signatures; one more stands for all others.
    """

    def __init__(self, pairs: Counts, rare_pairs: Counts) -> None:
        self.pairs: dict[tuple[str, str], int] = dict(pairs)
        self.rare_pairs: dict[tuple[str, str], int] = dict(rare_pairs)
        self.tags: tuple[str, ...] = tuple(sorted({tag for _, tag in pairs}))
        self._known = self._by_word(pairs)
        self._signatures = self._by_word(rare_pairs)
        self.counts: dict[str, int] = {word: int(row.sum()) for word, row in self._known.items()}
        self._total = np.sum(list(self._known.values()), axis=0)
        self._rare = np.sum(list(self._signatures.values()), axis=0)
        if not (rare_pairs and np.all(self._rare <= self._total)):
            raise CorpusError("no word is rare, or a tag has more rare words than words")
        # A share of one would leave known words none
        self._unknown = self._rare / (self._total + 1.0)
        self.log_prior: Any = np.log(self._total / self._total.sum())

    @classmethod
    def of_text(cls, sentences: Rows, tags: Rows) -> Emissions:
        """From tagged sentences; words seen once are rare, or all words where none is."""
        flat = chain.from_iterable
        counts = Counter(flat(sentences))
        seldom = {word for word, count in counts.items() if count == 1} or set(counts)
        rare_pairs = Counter(
            (signature(word, position == 0, counts.__contains__), tag)
            for words, row in zip(sentences, tags, strict=True)
            for position, (word, tag) in enumerate(zip(words, row, strict=True))
            if word in seldom
        )
        return cls(Counter(zip(flat(sentences), flat(tags), strict=True)), rare_pairs)

    def __call__(self, word: str, first: bool = False) -> tuple[Ints, Floats]:
        """A word's tags by number, rising, and log p of it under each; `first` in its sentence."""
        if word in self._known:
            count = self._known[word]
            share = (1.0 - self._unknown) / self._total
        else:
            name = signature(word, first, self._known.__contains__)
            count = self._signatures.get(name, np.zeros(len(self.tags))) + ADDED * (self._rare > 0)
            share = self._unknown / (self._rare + ADDED * (len(self._signatures) + 1))
        tag = np.flatnonzero(count)
        return tag, np.log(count[tag] * share[tag])

    @cached_property
    def spelling(self) -> SpellingModel:
        """The model of the characters of unknown words."""
        return SpellingModel(self.counts)

    def _by_word(self, pairs: Counts) -> dict[str, Floats]:
        """The counts of the tags of each word, each of shape (tags,)."""
        number = {tag: i for i, tag in enumerate(self.tags)}
        rows: dict[str, Floats] = {}
        for (word, tag), count in pairs.items():
            rows.setdefault(word, np.zeros(len(number)))[number[tag]] += count
        return rows


class TaggedLattices(NamedTuple):
    """Tagged candidates of sentences: A arcs in order of place and tag, of the best words alone.

    `sentence` has the first place of each sentence, shape (sentences + 1,); `place`, `spelling`
    (the number of the arc's best candidate), `tag` and `score` (its log weight) have the shape
    (A,).
    """

    sentence: Ints
    place: Ints
    spelling: Ints
    tag: Ints
    score: Floats

    def machines(
        self, tags: Sequence[str], symbols: Symbols, names: Iterable[str]
    ) -> Iterator[Lattice]:
        """The lattice of each sentence over these tags; weighted if any score is not 0."""
        label = np.asarray(symbols.ids(list(tags)))[self.tag]
        weight = -self.score if self.score.any() else np.zeros(len(label), np.float32)
        places = pairwise(self.sentence.tolist())
        arcs = pairwise(np.searchsorted(self.place, self.sentence).tolist())

        for name, (begin, end), (a, b) in zip(names, places, arcs, strict=False):
            position = self.place[a:b] - begin
            yield Lattice(sausage(end - begin, position, label[a:b], weight[a:b]), symbols, name)


def tagged(
    sentences: Rows,
    spell: Spell,
    emissions: Emissions,
    exponents: Floats,
    spelling: Spelling | None = None,
    most: int = MOST,
) -> TaggedLattices:
    """The candidates of each word of the sentences under the most probable tags of its place."""
    sausages = spell.sausages(sentences)
    position = sausages.position
    place = np.repeat(np.arange(len(position) - 1), np.diff(position))
    is_first = np.isin(place, sausages.sentence[:-1])

    # Distinct words, a word at the beginning of a sentence apart; `row` is that of each candidate
    codes, row = np.unique(sausages.spelling * 2 + is_first, return_inverse=True)
    words = [spell.candidates.spellings[code] for code in (codes // 2).tolist()]
    unknown = np.array([word not in emissions.counts for word in words], dtype=bool)
    spelt = np.zeros(len(words))
    if spelling is not None:
        spelt[unknown] = spelling([word for word in words if word not in emissions.counts])

    # What the exponents of candidates weigh, whatever their tags: (4, candidates)
    edited = 1.0 - np.isin(np.arange(len(place)), position[:-1])
    columns = np.stack((-sausages.cost, -edited, -1.0 * unknown[row], spelt[row]))

    entries = list(map(emissions, words, (codes % 2 == 1).tolist()))
    candidate, tag, log_p = _under_tags(entries, row)
    score = exponents[1] * log_p + (exponents[2:] @ columns)[candidate]

    # Of the candidates of a place with one tag the best, of its tags the strongest
    arcs = _best_of_each(place[candidate] * len(emissions.tags) + tag, score)
    strength = score[arcs] + emissions.log_prior[tag[arcs]]
    arcs = arcs[_strongest(place[candidate[arcs]], strength, most)]
    candidate = candidate[arcs]
    return TaggedLattices(
        sausages.sentence, place[candidate], sausages.spelling[candidate], tag[arcs], score[arcs]
    )


def _under_tags(entries: Sequence[tuple[Ints, Floats]], row: Ints) -> tuple[Ints, Ints, Floats]:
    """Each candidate under each of its tags: the candidate, the tag, log p(word | tag).

    ``entries``: the tags of words with log p. ``row`` (candidates,): the word of each.
    """
    tags, log_p = (np.concatenate(column) for column in zip(*entries, strict=True))
    n_tags = np.array([len(tag) for tag, _ in entries])
    under = ranges((np.cumsum(n_tags) - n_tags)[row], n_tags[row])
    return np.repeat(np.arange(len(row)), n_tags[row]), tags[under], log_p[under]


def _best_of_each(key: Ints, score: Floats) -> Ints:
    """The place of the greatest score of each key, in order of keys."""
    order = np.lexsort((-score, key))
    return order[np.diff(key[order], prepend=-1) != 0]


def _strongest(place: Ints, strength: Floats, most: int) -> Ints:
    """The arcs that are among so many of their place, in order; `place` (arcs,) rises."""
    order = np.lexsort((-strength, place))
    rank = np.arange(len(place)) - np.searchsorted(place, place[order])
    return np.sort(order[rank < most])


class TaggedSpell(Neighborhood):
    """SPELL≤k of these sentences, in order, as tags: any tag of any candidate of a word."""

    def __init__(self, sentences: Rows, spell: Spell, emissions: Emissions) -> None:
        super().__init__(NoTransducer(), f"tags of {spell.name}")
        self.sentences = sentences
        self.spell = spell
        self.emissions = emissions

    def expand(
        self, sentences: Sentences, symbols: Symbols, numbers: Iterable[int] | None = None
    ) -> Iterator[Lattice]:
        """The lattice of each tag sequence; messages name them by `numbers`, or from 1."""
        every = len(self.emissions.tags)
        lattices = tagged(self.sentences, self.spell, self.emissions, np.zeros(6), most=every)
        names = (f"sentence {number} ∘ {self.name}" for number, _ in numbered(sentences, numbers))
        return lattices.machines(self.emissions.tags, symbols, names)


@dataclass(eq=False, repr=False)
class ParsedCorrector(BaseCorrector):
    """Corrects spelling by a dependency grammar over tagged lattices (Smith & Eisner 2005b, §3.3).

    Examples
    --------
    >>> from fstce import ParsedCorrector
    >>> text, tags = [["the", "dog", "barks"]] * 9, [["D", "N", "V"]] * 9
    >>> corrector = ParsedCorrector().fit(text, tags)
    >>> corrector.predict([["the", "dgo", "barks"]])
    [['the', 'dog', 'barks']]
    """

    rules: ClassVar[Table] = PARSED_CORRECTOR
    KIND: ClassVar[str] = "parsed corrector"
    SIZES: ClassVar[Mapping[str, str]] = {
        "parser_.theta_": "features",
        "exponents_": "factors",
        "vocabulary_": "words",
    }
    COLUMNS: ClassVar[tuple[str, ...]] = PARSED_SCORES
    FIRST: ClassVar[Mapping[str, float]] = dict(
        zip(PARSED_SCORES, (0.5, 0.7, 0.5, 4.5, 6.0, 0.3), strict=True)
    )

    parser: DependencyParser | None = None
    spell: int = 1
    channel: Channel | None = None
    exponents: Mapping[str, float] | None = None
    longest: int = 30
    train_longest: int = 15

    emissions_: Emissions = field(init=False)
    parser_: DependencyParser = field(init=False)
    vocabulary_: dict[str, int] = field(init=False)

    def fit(
        self, sentences: Sentences, tags: Sentences, *, monitor: Monitor | None = None
    ) -> ParsedCorrector:
        """Train on clean sentences and their tags, right or predicted.

        Parameters
        ----------
        sentences, tags : iterable of sequences of str
        monitor : Monitor, optional
            Called after every iteration of the parser's training.

        Returns
        -------
        This estimator, trained.

        Examples
        --------
        >>> from fstce import ParsedCorrector
        >>> ParsedCorrector().fit([["the", "dog"]] * 9, [["D", "N"]] * 9).vocabulary_
        {'the': 9, 'dog': 9}
        """
        self._check_parameters()
        check_arguments(monitor=monitor)
        rows = checked_sentences(sentences)
        named = checked_sentences(tags)
        self._record_tokenization(rows)
        check_aligned(rows, named)
        short = [i for i, row in enumerate(rows) if len(row) <= self.train_longest]
        if not short:
            raise CorpusError(
                f"every sentence is longer than train_longest={self.train_longest}: raise it, or "
                "cut the sentences"
            )

        emissions = Emissions.of_text(rows, named)
        spell = self._spell_over(emissions)
        neighborhood = TaggedSpell([rows[i] for i in short], spell, emissions)
        recipe = self.parser or DependencyParser(sigma2=1.0, tolerance=1e-4)
        parser = DependencyParser(**{**recipe.get_params(), "neighborhood": neighborhood})
        parser.fit([named[i] for i in short], tags=emissions.tags, monitor=monitor)

        # Only now, so that training that fails or is interrupted leaves what was there.
        self.emissions_ = emissions
        self.parser_ = parser
        self.vocabulary_ = emissions.counts
        self.exponents_: dict[str, float] = self._initial_exponents()
        return self

    def correct(self, sentences: Sentences, *, alternatives: int = 5) -> list[Correction]:
        """Correct sentences by their best triples; one that is too long is left as it is."""
        check_arguments(alternatives=alternatives)
        self._check_parameters()
        rows = checked_sentences(sentences, least=0)
        short = [i for i, row in enumerate(rows) if len(row) <= self.longest]
        # By length, so that batches are even.
        triples = self._triples(rows, sorted(short, key=lambda i: len(rows[i])))

        corrected = []
        for i, row in enumerate(rows):
            many = f"{beginning(row)} has {len(row)} words, too many for a chart"
            triple = triples.get(i, f"{many} (at most {self.longest})")
            if isinstance(triple, tuple):
                corrected.append(with_words(row, triple[0]))
            else:
                corrected.append(unchanged(row, triple, stacklevel=2))
        return corrected

    def parse(self, sentences: Sentences) -> list[Triple]:
        """The words, tags and heads of the best triple of each sentence (2005b, Eq. 11).

        Parameters
        ----------
        sentences : iterable of sequences of str

        Returns
        -------
        list of (words, tags, heads)

        Examples
        --------
        >>> from fstce import ParsedCorrector
        >>> corrector = ParsedCorrector().fit([["the", "dog"]] * 9, [["D", "N"]] * 9)
        >>> corrector.parse([["the", "dgo"]])[0][:2]
        (['the', 'dog'], ['D', 'N'])
        """
        rows = checked_sentences(sentences, least=0)
        triples = self._triples(rows, range(len(rows)))
        parsed = []
        for i in range(len(rows)):
            triple = triples[i]
            if isinstance(triple, MachineError):
                raise triple
            parsed.append(triple)
        return parsed

    def to_state(self) -> State:
        self._check_fitted("parser_")
        # The parser that was given is trained anew, so no more is kept than its parameters.
        recipe = None if self.parser is None else self.parser._saved_parameters()
        saved = {"channel": channel_entries(self.channel), "parser": recipe}
        entries = {"parameters": {**self.get_params(), **saved}, "exponents": self.exponents_}

        tables = {WORDS: self.emissions_.pairs, SIGNATURES: self.emissions_.rare_pairs}
        files = {name: counts_file(table) for name, table in tables.items()}
        return State(self.KIND, entries, files=files, parts={GRAMMAR: self.parser_.to_state()})

    @classmethod
    def from_state(cls, state: State) -> ParsedCorrector:
        saved: dict[str, Any] = state.entry("parameters", dict)
        parser = saved["parser"]
        recipe = None if parser is None else DependencyParser.of_parameters({"parameters": parser})
        channel = channel_of(saved["channel"])
        corrector = cls.of_parameters(state.entries, channel=channel, parser=recipe)
        corrector._check_parameters()

        words, signatures = (read_counts(state.path(name), 2) for name in (WORDS, SIGNATURES))
        corrector.emissions_ = Emissions(words, signatures)
        corrector.vocabulary_ = corrector.emissions_.counts
        corrector.exponents_ = corrector_files.exponents_of(state, PARSED_SCORES)
        corrector.parser_ = DependencyParser.from_state(state.part(GRAMMAR, DependencyParser.KIND))
        if set(corrector.parser_.model_.tags) != set(corrector.emissions_.tags):
            raise ModelFileError(
                f"{state.path(WORDS)}: has other tags than the grammar; save it again"
            )
        return corrector

    def _triples(self, rows: Rows, numbers: Sequence[int]) -> dict[int, Triple | MachineError]:
        """The best triples of these sentences; the error of one with a chart beyond its limit."""
        self._check_fitted("parser_")
        self._check_parameters()
        spell = self._spell_over(self.emissions_)

        def best_of(some: Sequence[int]) -> list[Triple]:
            return self._best([rows[i] for i in some], some, spell)

        triples: dict[int, Triple | MachineError] = {}
        for at in range(0, len(numbers), BATCH):
            for some, best in halved(numbers[at : at + BATCH], best_of):
                answers = [best] if isinstance(best, MachineError) else best
                triples.update(zip(some, answers, strict=True))
        return triples

    def _best(self, rows: Rows, numbers: Sequence[int], spell: Spell) -> list[Triple]:
        """The best triple of each sentence: the best word of each arc, the best tree over arcs."""
        exponents = self._exponents()
        tags = self.emissions_.tags
        lattices = tagged(rows, spell, self.emissions_, exponents, self.emissions_.spelling)
        names = (f"sentence {i + 1}" for i in numbers)
        charts = compile_charts(lattices.machines(tags, Symbols(tags), names), self.parser_.model_)
        trees = best_trees(charts, exponents[0] * np.maximum(self.parser_.theta_, LEAST))

        spellings = spell.candidates.spellings
        first = np.searchsorted(lattices.place, lattices.sentence).tolist()
        triples = []
        for row, arcs, heads, begin in zip(rows, trees.arcs, trees.heads, first, strict=False):
            arc = arcs[: len(row)] + begin
            best = [spellings[i] for i in lattices.spelling[arc].tolist()]
            best_tags = [tags[i] for i in lattices.tag[arc].tolist()]
            triples.append((best, best_tags, tuple(heads[: len(row)].tolist())))

        return triples

    def _spell_over(self, emissions: Emissions) -> Spell:
        """SPELL≤k over the words of a text."""
        return Spell(Candidates(emissions.counts, self.spell, channel=self.channel))
