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

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import ClassVar, Protocol

import numpy as np

from fstce.corpora.rows import check_aligned, listed, optional_rows
from fstce.correction.base import BaseCorrector, unchanged
from fstce.correction.checks import check_typed
from fstce.correction.corrector import Corrector
from fstce.correction.decoding import Correction
from fstce.correction.factors.spelled import SpellingModel
from fstce.correction.mistakes.channel import Channel
from fstce.correction.mistakes.corruption import random_edits
from fstce.correction.mistakes.spelling import Spell
from fstce.correction.parsed import files
from fstce.correction.parsed.decoding import corrections
from fstce.correction.parsed.emissions import Emissions
from fstce.correction.parsed.files import TrainedParsedCorrector
from fstce.correction.parsed.parsed_model import BATCH, ParsedModel, in_batches
from fstce.correction.parsed.readings import COLUMNS, ParsedReadings
from fstce.correction.parsed.tagged_spell import TaggedSpell
from fstce.correction.tuning import TYPINGS, Tuning, held_out_size
from fstce.errors import CorpusError, MachineError, ModelFileError
from fstce.estimation.estimator import checked_sentences
from fstce.estimation.maximize import Monitor
from fstce.estimation.rules import PARSED_CORRECTOR, Table, check_arguments
from fstce.neighborhoods.first_use import beginning
from fstce.numeric.types import Rows, Sentences
from fstce.parsing.parser import DependencyParser
from fstce.storage.state import State

Heads = Sequence[Sequence[int]]

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


@dataclass(eq=False, repr=False)
class ParsedCorrector(BaseCorrector):
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
    variants : bool
        Whether a word may become one that differs in capitals or accents alone.
    limit : int
        How many candidates of a word are kept, the most frequent.
    channel : Channel, optional
        What edits cost; by default one nat each.
    exponent : float or None
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
        :mod:`fstce.correction.parsed.readings`.
    rate : float
        How many words of the held-out text are mistyped to learn the exponents.
    held_out : float
        The share of the text, from its end, that the exponents are learnt from; at most a
        thousand sentences.
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

    Examples
    --------
    >>> from fstce import ParsedCorrector
    >>> text, tags = [["the", "dog", "barks"]] * 9, [["D", "N", "V"]] * 9
    >>> corrector = ParsedCorrector().fit(text, tags)
    >>> corrector.predict([["the", "dgo", "barks"]])
    [['the', 'dog', 'barks']]
    """

    rules: ClassVar[Table] = PARSED_CORRECTOR
    FORMER: ClassVar[Mapping[str, str | None]] = MappingProxyType({"weight": "exponent"})
    KIND = files.KIND
    SIZES = MappingProxyType({"parser_.theta_": "features", "exponents_": "factors", "vocabulary_": "words"})
    COLUMNS = COLUMNS
    FIRST = FIRST

    parser: DependencyParser | None = None
    spell: int = 1
    damerau: bool = True
    limit: int = 50
    channel: Channel | None = None
    exponent: float | None = None
    tags: int = 8
    rare: int = 1
    longest: int = 30
    train_longest: int = 15
    exponents: Mapping[str, float] | None = None
    rate: float = 0.1
    held_out: float = 0.1
    decoder: str = "words"
    threshold: float = 0.0
    other: Other | None = None
    seed: int = 0
    variants: bool = False

    emissions_: Emissions = field(init=False)
    parser_: DependencyParser = field(init=False)

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

        Returns
        -------
        This estimator, trained.

        Raises
        ------
        CorpusError
            Sentences, tags and heads do not fit each other, or no sentence is short enough.
        MachineError, ParameterError

        Examples
        --------
        >>> from fstce import ParsedCorrector
        >>> text, tags = [["the", "dog", "barks"]] * 9, [["D", "N", "V"]] * 9
        >>> corrector = ParsedCorrector().fit(text, tags)
        >>> corrector.vocabulary_
        {'the': 9, 'dog': 9, 'barks': 9}
        """
        self._check_parameters()
        check_arguments(monitor=monitor)
        rows, named = checked_sentences(sentences), checked_sentences(tags)
        self._record_reading(rows)
        trees = optional_rows(heads, "heads")
        check_aligned(rows, named)
        if trees is not None:
            check_aligned(rows, trees, "heads")
        self.check_lengths(rows)
        held, learnt = self._held_out_size(rows), None
        if held:
            before = None if trees is None else trees[:-held]
            first = self._trained_model(rows[:-held], named[:-held], before, monitor)
            learnt = self._tuned(first, [row for row in rows[-held:] if len(row) <= self.longest])
        # Only now, so that training that fails or is interrupted leaves what was there.
        self._adopt(self._trained_model(rows, named, trees, monitor))
        self.exponents_, self.tuning_ = learnt or (self._initial_exponents(), None)
        return self

    def check_lengths(self, sentences: Sequence[Sequence[str]]) -> None:
        """Raise CorpusError where all sentences are too long to train on, before `other` is trained."""
        sentences = checked_sentences(sentences)
        held = self._held_out_size(sentences)
        if min(map(len, sentences[: len(sentences) - held]), default=0) > self.train_longest:
            raise CorpusError(
                f"every sentence{' that is not held out' if held else ''} is longer than "
                f"train_longest={self.train_longest}: raise it (on the command line, --max-length)"
            )

    def correct(self, sentences: Sentences, *, alternatives: int = 5) -> list[Correction]:
        """Correct sentences, and say what was changed, how surely, and what else it may be.

        A sentence that is too long, or whose chart exceeds its limit, is left to `other`, or
        comes back unchanged, with a warning for each, in their order.

        Parameters
        ----------
        sentences : iterable of sequences of str
            A sentence is a list of words.
        alternatives : int
            How many other readings of each word are listed at most.

        Returns
        -------
        list of Correction

        Examples
        --------
        >>> from fstce import ParsedCorrector
        >>> text, tags = [["the", "dog", "barks"]] * 9, [["D", "N", "V"]] * 9
        >>> corrector = ParsedCorrector().fit(text, tags)
        >>> corrector.correct([["the", "dgo", "barks"]])[0].words
        ('the', 'dog', 'barks')
        """
        self._check_fitted("parser_")
        self._check_parameters()
        check_arguments(alternatives=alternatives)
        rows = _checked_typed(sentences)
        found: list[Correction | str] = [self._too_long(row) for row in rows]
        short = [i for i, row in enumerate(rows) if len(row) <= self.longest]
        short.sort(key=lambda i: len(rows[i]))  # like sizes together, so that batches are even
        model = self._decoding_model()

        def read(numbers: Sequence[int]) -> ParsedReadings:
            return self._readings(model, [rows[i] for i in numbers], [i + 1 for i in numbers])

        for numbers, readings in in_batches(short, read):
            if isinstance(readings, MachineError):
                found[numbers[0]] = str(readings)
                continue
            typed = [rows[i] for i in numbers]
            for i, result in zip(numbers, self._corrected(model, readings, typed, alternatives), strict=True):
                found[i] = result
        reasons = {i: result for i, result in enumerate(found) if isinstance(result, str)}
        left = self._left([rows[i] for i in reasons], list(reasons.values()), alternatives)
        replaced = dict(zip(reasons, left, strict=True))
        return [replaced[i] if isinstance(result, str) else result for i, result in enumerate(found)]

    def parse(self, sentences: Sentences) -> list[tuple[list[str], list[str], tuple[int, ...]]]:
        """The words, tags and heads of the best triple of each sentence (2005b, Eq. 11).

        Parameters
        ----------
        sentences : iterable of sequences of str
            A sentence is a list of words.

        Returns
        -------
        list of (words, tags, heads)

        Raises
        ------
        MachineError
            A sentence's chart exceeds its limit.

        Examples
        --------
        >>> from fstce import ParsedCorrector
        >>> text, tags = [["the", "dog", "barks"]] * 9, [["D", "N", "V"]] * 9
        >>> corrector = ParsedCorrector().fit(text, tags)
        >>> corrector.parse([["the", "dgo", "barks"]])[0][:2]
        (['the', 'dog', 'barks'], ['D', 'N', 'V'])
        """
        self._check_fitted("parser_")
        self._check_parameters()
        rows, model = _checked_typed(sentences), self._decoding_model()
        spellings, names = model.spellings, self.emissions_.tags
        result = []
        for at in range(0, len(rows), BATCH):
            readings = self._readings(model, rows[at : at + BATCH], range(at + 1, len(rows) + 1))
            for pairs, heads in readings.best(self._exponents()):
                words = [spellings[i] for i in readings.pairs.spelling[pairs].tolist()]
                result.append((words, [names[t] for t in readings.pairs.tag[pairs].tolist()], heads))
        return result

    def to_state(self) -> State:
        self._check_fitted("parser_")
        if not isinstance(self.other, Corrector | None):
            raise ModelFileError(
                f"other={self.other!r} cannot be saved with the model, for it is no "
                "fstce.Corrector; save the model with other=None, and set other again when it is loaded"
            )
        learnt = TrainedParsedCorrector(self.emissions_, self.parser_, self.exponents_, self.tuning_)
        other = None if self.other is None else self.other.to_state()
        return files.to_state(learnt, self.get_params(), other)

    @classmethod
    def from_state(cls, state: State) -> ParsedCorrector:
        corrector = cls.of_parameters(state.entries, **files.own_parameters_of(state))
        corrector._check_parameters()
        emissions, parser, corrector.exponents_, corrector.tuning_ = files.from_state(state)
        corrector._adopt(
            ParsedModel(emissions, SpellingModel(emissions.counts), corrector._spell(emissions), parser)
        )
        other = files.other_of(state, Corrector.KIND)
        corrector.other = None if other is None else Corrector.from_state(other)
        return corrector

    @property
    def vocabulary_(self) -> dict[str, int]:
        """The words of the text and their counts."""
        return self.emissions_.counts

    def _outcome(self) -> dict[str, str]:
        return self.parser_._outcome() if hasattr(self, "parser_") else {}

    def _adopt(self, model: ParsedModel) -> None:
        self._model = model
        self.emissions_, self.parser_ = model.emissions, model.parser

    def _trained_model(
        self, rows: Rows, tags: Rows, heads: Heads | None, monitor: Monitor | None
    ) -> ParsedModel:
        """All that scores triples, trained on some sentences."""
        emissions = Emissions(rows, tags, self.rare)
        spell = self._spell(emissions)
        short = [i for i, row in enumerate(rows) if len(row) <= self.train_longest]
        kind = TaggedSpell([rows[i] for i in short], Spell(spell.candidates, self.exponent), emissions)
        given = self.parser or DependencyParser(sigma2=1.0, tolerance=1e-4)
        parser = DependencyParser(**{**given.get_params(), "neighborhood": kind})
        trees = None if heads is None else [heads[i] for i in short]
        parser.fit([tags[i] for i in short], trees, tags=emissions.tags, monitor=monitor)
        return ParsedModel(emissions, SpellingModel(emissions.counts), spell, parser)

    def _spell(self, emissions: Emissions) -> Spell:
        """SPELL≤k of the known words, as decoding wants it."""
        return Spell(self._candidates(emissions.counts))

    def _decoding_model(self) -> ParsedModel:
        """What was learnt, with SPELL≤k as the parameters now have it; it remembers candidates."""
        kind = self._model.spell.candidates
        wanted = (self.spell, self.damerau, self.variants, self.limit, self.channel or Channel())
        if (kind.k, kind.damerau, kind.variants, kind.limit, kind.channel) != wanted:
            self._model = replace(self._model, spell=self._spell(self.emissions_))
        return self._model

    def _held_out_size(self, rows: Rows) -> int:
        """How many sentences the exponents are learnt from; none where they are given."""
        return held_out_size(len(rows), self.held_out) if self.exponents is None else 0

    def _readings(self, model: ParsedModel, rows: Rows, numbers: Sequence[int]) -> ParsedReadings:
        return model.readings(rows, self._exponents(), self.tags, numbers)

    def _too_long(self, row: Sequence[str]) -> str:
        return f"{beginning(row)} has {len(row)} words, too many for a chart (at most {self.longest})"

    def _corrected(
        self, model: ParsedModel, readings: ParsedReadings, rows: Rows, n: int
    ) -> list[Correction]:
        return corrections(
            readings,
            self._exponents(),
            model.spellings,
            rows,
            decoder=self.decoder,
            threshold=self.threshold,
            n=n,
        )

    def _left(self, rows: Rows, reasons: Sequence[str], n: int) -> list[Correction]:
        """Sentences that the grammar does not correct, and why."""
        if self.other is not None and rows:
            return self.other.correct(rows, alternatives=n)
        return list(map(partial(unchanged, stacklevel=3), rows, reasons))

    def _tuned(self, model: ParsedModel, rows: Rows) -> tuple[dict[str, float], Tuning] | None:
        """The exponents learnt from sentences that the model was not trained on, if there are any."""
        seeds = self._mistyping_seeds()
        made = [mistake for seed in seeds for mistake in random_edits(rows, seed, self.rate)]
        typed, true = [mistake.typed for mistake in made], [*rows] * TYPINGS
        first = np.array([FIRST[name] for name in COLUMNS])
        found, numbers = model.learn_exponents(typed, true, first, self.tags)
        if not numbers:
            return None
        mistakes = sum(made[i].mistakes for i in numbers)
        exponents = dict(zip(COLUMNS, found.exponents.tolist(), strict=True))
        return exponents, Tuning(len(numbers), mistakes, found.before, found.after)


def _checked_typed(sentences: Sentences) -> Rows:
    rows = listed(sentences, "sentences")
    for number, row in enumerate(rows, 1):
        check_typed(row, number)
    return rows
