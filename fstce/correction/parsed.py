"""Correction by a dependency grammar: the best sentence, tagging and tree of a tagged lattice.

A corrector whose model is not a tagger but :class:`fstce.DependencyParser` (Smith & Eisner
2005b, §5.4), trained on the tags of clean text with the tags of SPELL≤k as its neighbourhood.

>>> text = [s.split() for s in ("the dog barks", "the cats run", "a dog runs")] * 5
>>> tags = [s.split() for s in ("DT NN VBZ", "DT NNS VBP", "DT NN VBZ")] * 5
>>> corrector = ParsedCorrector().fit(text, tags)
>>> corrector.predict([["the", "dgo", "runs"]])
[['the', 'dog', 'runs']]
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from numbers import Integral, Real
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from fstce.correction.candidates import Candidates
from fstce.correction.channel import Channel
from fstce.correction.corruption import random_edits
from fstce.correction.decoding import DECODERS, Change, Correction
from fstce.correction.parsed_readings import (
    COLUMNS,
    Choices,
    Grammar,
    ParsedReadings,
    columns_of,
    learned,
    read_parsed,
    strongest,
)
from fstce.correction.parsed_tags import Emissions, Pairs, TaggedSpell, pairs_of
from fstce.correction.scores import correction_scores
from fstce.correction.spelled import SpellingModel
from fstce.correction.spelling import Spell
from fstce.correction.tuning import Tuning
from fstce.errors import CorpusError, MachineError, ParameterError
from fstce.estimation.maximize import Monitor
from fstce.estimator import Estimator, checked_sentences
from fstce.parsing import DependencyParser

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Sentences = Iterable[Sequence[str]]
Rows = Sequence[Sequence[str]]
Heads = Sequence[Sequence[int]]

BATCH = 50
SENTENCES = 10  # so many sentences are summed over structures
TYPINGS = 3  # how often the held-out text is mistyped
LEAST_HELD_OUT = 10
FIRST = {
    "model": 0.5,
    "emission": 0.7,
    "channel": 0.5,
    "edited": 3.0,
    "length": 1.0,
    "unknown": 6.0,
    "spelling": 0.3,
}


class Other(Protocol):
    """Whatever corrects the sentences that are too long for a chart, such as a trained Corrector."""

    def correct(self, sentences: Sentences, *, alternatives: int = 5) -> list[Correction]:
        """Correct sentences."""
        ...


class _Parts(NamedTuple):
    """All that is learnt from a text but the exponents."""

    emissions: Emissions
    spelling: SpellingModel
    spell: Spell
    parser: DependencyParser


class ParsedCorrector(Estimator):
    """Corrects spelling by a dependency grammar over tagged lattices (Smith & Eisner 2005b, §3.3).

    Parameters
    ----------
    parser : DependencyParser, optional
        How the grammar is trained; its own neighbourhood gives way to the tags of SPELL≤k. By
        default contrastively, with σ² = 1.
    spell : {1, 2, 3}
        How many edits a word may be away from what was meant.
    damerau : bool
        Whether two adjacent letters in the wrong order are one edit.
    limit : int
        How many candidates of a word are kept, the most frequent.
    channel : Channel, optional
        What edits cost; by default one nat each.
    weight : float or None
        Of the channel in training, which then weighs the tags of the neighbourhood by their
        candidates' p(w | t), too; None trains with sets of tag sequences, as the paper does.
    tags : int
        How many tags a word of an observed sentence keeps, the most probable ones.
    rare : int
        Words seen at most so often teach the model what unknown words are like.
    longest : int
        Sentences of more words are too long for a chart: they are left as they are, with a
        warning, or corrected by `other`.
    train_longest : int
        The grammar is trained on sentences of at most so many words; the words on all.
    exponents : mapping of str to float, optional
        Of the factors in decoding, in place of those that are learnt; see
        :mod:`fstce.correction.parsed_readings`.
    rate : float
        How many words of the held-out text are mistyped to learn the exponents.
    held_out : float
        The share of the text, from its end, that the exponents are learnt from.
    decoder : {"words", "best", "sum"}
        The most probable word of each place, over all sentences, taggings and trees; the words
        of the best triple (2005b, Eq. 11); or the sentence with the greatest sum over taggings
        and trees (Eq. 10), reported as ``n-best`` where it is not proven to be that.
    threshold : float
        Changes of less posterior probability are not made.
    other : object with a method ``correct``, optional
        Corrects what is too long, such as a trained :class:`fstce.Corrector`.
    seed : int

    Attributes
    ----------
    emissions_ : Emissions
    parser_ : DependencyParser
        The trained grammar.
    exponents_ : dict of str to float
    tuning_ : Tuning or None
        What the exponents were learnt from.
    """

    emissions_: Emissions
    parser_: DependencyParser
    exponents_: dict[str, float]
    tuning_: Tuning | None

    def __init__(
        self,
        parser: DependencyParser | None = None,
        spell: int = 1,
        damerau: bool = True,
        limit: int = 50,
        channel: Channel | None = None,
        weight: float | None = None,
        tags: int = 8,
        rare: int = 1,
        longest: int = 30,
        train_longest: int = 15,
        exponents: Mapping[str, float] | None = None,
        rate: float = 0.1,
        held_out: float = 0.1,
        decoder: str = "words",
        threshold: float = 0.0,
        other: Other | None = None,
        seed: int = 0,
    ) -> None:
        self.parser = parser
        self.spell = spell
        self.damerau = damerau
        self.limit = limit
        self.channel = channel
        self.weight = weight
        self.tags = tags
        self.rare = rare
        self.longest = longest
        self.train_longest = train_longest
        self.exponents = exponents
        self.rate = rate
        self.held_out = held_out
        self.decoder = decoder
        self.threshold = threshold
        self.other = other
        self.seed = seed

    def fit(
        self,
        sentences: Sentences,
        tags: Sentences,
        *,
        heads: Iterable[Sequence[int]] | None = None,
        monitor: Monitor | None = None,
    ) -> ParsedCorrector:
        """Train on clean sentences and their tags, right or predicted.

        Parameters
        ----------
        sentences, tags : iterable of sequences of str
        heads : iterable of sequences of int, optional
            For a parser whose criterion is supervised; others do not see them.
        monitor : Monitor, optional
            Called after every iteration of the parser's training.

        Raises
        ------
        CorpusError
            Sentences, tags and heads do not fit each other, or no sentence is short enough.
        MachineError, ParameterError
        """
        self._check_parameters()
        rows, named = checked_sentences(sentences), checked_sentences(tags)
        trees = None if heads is None else list(heads)
        _check_aligned(rows, named, "tags")
        if trees is not None:
            _check_aligned(rows, trees, "heads")
        self.exponents_ = {**FIRST, **dict(self.exponents or {})}
        self.tuning_ = None
        held = int(len(rows) * self.held_out)
        if held >= LEAST_HELD_OUT and self.exponents is None:
            before = None if trees is None else trees[:-held]
            self._adopt(self._parts(rows[:-held], named[:-held], before, monitor))
            self._tune([row for row in rows[-held:] if len(row) <= self.longest])
        self._adopt(self._parts(rows, named, trees, monitor))
        return self

    def predict(self, sentences: Sentences) -> list[list[str]]:
        """The corrected words of each sentence."""
        return [list(found.words) for found in self.correct(sentences)]

    def correct(self, sentences: Sentences, *, alternatives: int = 5) -> list[Correction]:
        """Correct sentences, and say what was changed, how surely, and what else it may be.

        A sentence that is too long, or whose chart exceeds its limit, is left to `other`, or
        comes back unchanged with a warning.
        """
        self._check_fitted("parser_")
        self._check_parameters()
        rows = checked_sentences(sentences)
        found: dict[int, Correction] = {}
        short = [i for i, row in enumerate(rows) if len(row) <= self.longest]
        short.sort(key=lambda i: len(rows[i]))  # like sizes together, so that batches are even
        for at in range(0, len(short), BATCH):
            batch = short[at : at + BATCH]
            numbers = [i + 1 for i in batch]
            corrected = self._corrected([rows[i] for i in batch], numbers, alternatives)
            found.update(zip(batch, corrected, strict=True))
        long = [i for i, row in enumerate(rows) if len(row) > self.longest]
        reason = f"{len(long)} sentences have more than {self.longest} words, too many for a chart"
        found.update(zip(long, self._left([rows[i] for i in long], alternatives, reason), strict=True))
        return [found[i] for i in range(len(rows))]

    def parse(self, sentences: Sentences) -> list[tuple[list[str], list[str], tuple[int, ...]]]:
        """The words, tags and heads of the best triple of each sentence (2005b, Eq. 11).

        Raises
        ------
        MachineError
            A sentence's chart exceeds its limit.
        """
        self._check_fitted("parser_")
        rows = checked_sentences(sentences)
        spellings, names = self._trained.spell.candidates.spellings, self.emissions_.tags
        result = []
        for at in range(0, len(rows), BATCH):
            readings = self._readings(rows[at : at + BATCH], range(at + 1, len(rows) + 1))
            for pairs, heads in readings.best(self._values()):
                words = [spellings[i] for i in readings.pairs.spelling[pairs].tolist()]
                result.append((words, [names[t] for t in readings.pairs.tag[pairs].tolist()], heads))
        return result

    def score(self, sentences: Sentences, true: Sentences) -> float:
        """F½ of the corrections of typed sentences, given what was meant; from 0 to 1."""
        typed = list(sentences)
        return correction_scores(typed, true, self.predict(typed)).correction.f(0.5)

    def _adopt(self, parts: _Parts) -> None:
        self._trained = parts
        self.emissions_, self.parser_ = parts.emissions, parts.parser

    def _parts(self, rows: Rows, tags: Rows, heads: Heads | None, monitor: Monitor | None) -> _Parts:
        """Train all parts on some sentences."""
        emissions = Emissions(rows, tags, self.rare)
        candidates = Candidates(
            emissions.counts, self.spell, damerau=self.damerau, limit=self.limit, channel=self.channel
        )
        short = [i for i, row in enumerate(rows) if len(row) <= self.train_longest]
        if not short:
            raise CorpusError(f"no sentence has at most {self.train_longest} words; raise train_longest")
        kind = TaggedSpell([rows[i] for i in short], Spell(candidates, self.weight), emissions)
        given = self.parser or DependencyParser(sigma2=1.0, tolerance=1e-4)
        parser = DependencyParser(**{**given.get_params(), "neighborhood": kind})
        trees = None if heads is None else [heads[i] for i in short]
        parser.fit([tags[i] for i in short], trees, tags=emissions.tags, monitor=monitor)
        return _Parts(emissions, SpellingModel(emissions.counts), Spell(candidates), parser)

    def _values(self) -> Floats:
        return np.array([self.exponents_[name] for name in COLUMNS])

    def _read(self, rows: Rows) -> tuple[Pairs, Floats]:
        """The pairs of the sentences and their columns."""
        emissions, spelling, spell, _ = self._trained
        pairs = pairs_of(rows, spell, emissions)
        typed = [word for row in rows for word in row]
        return pairs, columns_of(pairs, typed, spell.candidates.spellings, emissions, spelling)

    def _meant(self, pairs: Pairs, rows: Rows) -> Bools:
        """Which pairs are of the words that were meant.

        A word that is out of reach was meant as typed, as far as one can tell.
        """
        number = {word: i for i, word in enumerate(self._trained.spell.candidates.spellings)}
        wanted = np.array([number.get(word, -1) for row in rows for word in row])
        found = pairs.spelling == wanted[pairs.place]
        reached = np.bincount(pairs.place[found], minlength=len(wanted)) > 0
        return np.where(reached[pairs.place], found, pairs.typed)

    def _readings(self, rows: Rows, numbers: Sequence[int]) -> ParsedReadings:
        pairs, columns = self._read(rows)
        kept = self._strongest(pairs, columns)
        return self._compiled(pairs.only(kept), columns[:, kept], numbers)

    def _strongest(self, pairs: Pairs, columns: Floats, always: Bools | None = None) -> Bools:
        score = self._values()[1:] @ columns
        return strongest(pairs, score, self.emissions_.log_prior, self.tags, always)

    def _compiled(
        self, pairs: Pairs, columns: Floats, numbers: Sequence[int] | None = None
    ) -> ParsedReadings:
        grammar = Grammar(self.parser_.model_, self.parser_.theta_)
        return read_parsed(pairs, columns, grammar, self.emissions_.tags, numbers)

    def _corrected(self, rows: Rows, numbers: Sequence[int], n: int) -> list[Correction]:
        try:
            readings = self._readings(rows, numbers)
        except MachineError as error:
            if len(rows) == 1:
                return self._left(rows, n, str(error))
            half = len(rows) // 2
            halves = (rows[:half], numbers[:half]), (rows[half:], numbers[half:])
            return [found for part in halves for found in self._corrected(*part, n)]
        return self._decoded(readings, rows, n)

    def _left(self, rows: Rows, n: int, reason: str) -> list[Correction]:
        """Sentences that the grammar does not correct."""
        if not rows:
            return []
        if self.other is not None:
            return self.other.correct(rows, alternatives=n)
        warnings.warn(f"sentences are left as they are: {reason}", stacklevel=2)
        return [Correction(tuple(row), tuple(row)) for row in rows]

    def _decoded(self, readings: ParsedReadings, rows: Rows, n: int) -> list[Correction]:
        values = self._values()
        choices = readings.choices(values)
        chosen, how = self._chosen(readings, choices)
        spellings = self._trained.spell.candidates.spellings
        listed = list(
            zip((spellings[i] for i in choices.spelling.tolist()), choices.mass.tolist(), strict=True)
        )
        ends = [*choices.first.tolist(), len(listed)]
        ranked = [tuple(listed[a : min(a + n, b)]) for a, b in pairwise(ends)]
        best = [listed[i] for i in chosen.tolist()]
        bounds = pairwise(readings.pairs.sentence.tolist())
        return [
            _correction(tuple(typed), best[a:b], ranked[a:b], self.threshold, found)
            for typed, (a, b), found in zip(rows, bounds, how, strict=True)
        ]

    def _chosen(self, readings: ParsedReadings, choices: Choices) -> tuple[NDArray[np.int64], list[str]]:
        """The choice at each place, and how the sentences were chosen."""
        values = self._values()
        if self.decoder == "words":
            return choices.first, ["words"] * len(readings.batch)
        if self.decoder == "best":
            pairs = [parse.pairs for parse in readings.best(values)]
            return choices.of_pair[np.concatenate(pairs)], ["best"] * len(pairs)
        rows, sure = zip(*readings.best_sums(values, choices, SENTENCES), strict=True)
        return np.concatenate(rows), ["sum" if proven else "n-best" for proven in sure]

    def _tune(self, rows: Rows) -> None:
        """Learn the exponents from sentences that the parts at hand were not trained on."""
        pairs = [
            (found.typed, row)
            for typing in range(TYPINGS)
            for found, row in zip(
                random_edits(rows, self.seed * TYPINGS + typing, self.rate), rows, strict=True
            )
        ]
        whole, true = [], []
        for at in range(0, len(pairs), BATCH):
            typed = [row for row, _ in pairs[at : at + BATCH]]
            meant = [row for _, row in pairs[at : at + BATCH]]
            candidates, columns = self._read(typed)
            is_meant = self._meant(candidates, meant)
            kept = self._strongest(candidates, columns, is_meant)
            whole.append(self._compiled(candidates.only(kept), columns[:, kept]))
            true.append(self._compiled(candidates.only(is_meant), columns[:, is_meant]))
        if not pairs:
            return
        found, before, after = learned(whole, true, self._values())
        self.exponents_ = dict(zip(COLUMNS, found.tolist(), strict=True))
        mistakes = sum(a != b for typed, row in pairs for a, b in zip(typed, row, strict=True))
        self.tuning_ = Tuning(len(pairs), mistakes, before, after)

    def _check_parameters(self) -> None:
        self._check_choices(decoder=DECODERS)
        for name in ("spell", "limit", "tags", "rare", "longest", "train_longest"):
            value = getattr(self, name)
            if not isinstance(value, Integral) or value < 1:
                raise ParameterError(f"{name}={value!r}: give a whole number from 1")
        if not isinstance(self.seed, Integral) or self.seed < 0:
            raise ParameterError(f"seed={self.seed!r}: give a whole number, not negative")
        for name in ("rate", "held_out", "threshold"):
            value = getattr(self, name)
            if not isinstance(value, Real) or not 0 <= value <= 1:
                raise ParameterError(f"{name}={value!r}: it is a number from 0 to 1")
        for name, value in dict(self.exponents or {}).items():
            if name not in COLUMNS:
                raise ParameterError(f"there is no exponent {name!r}; they are {', '.join(COLUMNS)}")
            if not 0 <= value < np.inf:
                raise ParameterError(f"the exponent {name}={value!r} is not a number from 0")


def _check_aligned(rows: Rows, others: Sequence[Sequence[object]], what: str) -> None:
    if len(rows) != len(others):
        raise CorpusError(
            f"{len(rows)} sentences but {len(others)} rows of {what}; give each sentence its own"
        )
    for number, (words, row) in enumerate(zip(rows, others, strict=True), 1):
        if len(words) != len(row):
            raise CorpusError(f"sentence {number} has {len(words)} words and {len(row)} {what}")


def _correction(
    typed: tuple[str, ...],
    best: Sequence[tuple[str, float]],
    ranked: Sequence[tuple[tuple[str, float], ...]],
    threshold: float,
    how: str,
) -> Correction:
    changes = tuple(
        Change(i, i + 1, (own,), (word,), probability)
        for i, (own, (word, probability)) in enumerate(zip(typed, best, strict=True))
        if word != own and probability >= threshold
    )
    words = list(typed)
    for change in changes:
        words[change.start] = change.words[0]
    return Correction(typed, tuple(words), changes, tuple(ranked), how)
