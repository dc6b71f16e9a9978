"""Correction by a dependency grammar: the best sentence, tagging and tree of a tagged lattice.

Trained on the tags of clean text with those of SPELL≤k as neighborhood (2005b, §5.4). What is weighted by
*exponents*: ``emission`` is log p(words | tags), all others as in :mod:`fstce.correction.factors.columns`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from fstce.chart import best_trees, compile_charts
from fstce.corpora.rows import check_aligned, checked_sentences
from fstce.correction import corrector_files
from fstce.correction.base import BaseCorrector, checked_typed, halved, unchanged
from fstce.correction.corrector import Corrector
from fstce.correction.corrector_files import channel_entries, channel_of, counts_file, read_counts
from fstce.correction.decoding import Correction, with_words
from fstce.correction.factors.spelled import SpellingModel
from fstce.correction.mistakes.channel import Channel
from fstce.correction.mistakes.spelling import Spell
from fstce.correction.parameters import PARSED_CORRECTOR, PARSED_SCORES
from fstce.correction.parsed.tagged import Emissions, TaggedSpell, tagged
from fstce.errors import CorpusError, MachineError, ModelFileError
from fstce.estimation.maximize import Monitor
from fstce.estimation.rules import ARGUMENTS
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.first_use import beginning
from fstce.numeric.rules import Table, check
from fstce.numeric.types import Rows, Sentences
from fstce.parsing.files import saved_parameters
from fstce.parsing.parser import DependencyParser
from fstce.storage.state import State, typed

BATCH = 50
DROPPED = corrector_files.DROPPED | {"weight", "tags", "rate", "held_out", "decoder", "threshold", "seed"}
LEAST = -1000.0  # a log-probability of zero: an exponent of zero forgives it

Triple = tuple[list[str], list[str], tuple[int, ...]]


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
    KIND = "parsed corrector"
    FORMER: ClassVar[Mapping[str, str | None]] = MappingProxyType(dict.fromkeys(DROPPED))
    SIZES = MappingProxyType({"parser_.theta_": "features", "exponents_": "factors", "vocabulary_": "words"})
    COLUMNS = PARSED_SCORES
    FIRST = MappingProxyType(dict(zip(PARSED_SCORES, (0.5, 0.7, 0.5, 3.0, 1.0, 6.0, 0.3), strict=True)))

    parser: DependencyParser | None = None
    spell: int = 1
    channel: Channel | None = None
    exponents: Mapping[str, float] | None = None
    longest: int = 30
    train_longest: int = 15
    other: Any = None

    emissions_: Emissions = field(init=False)
    parser_: DependencyParser = field(init=False)
    vocabulary_: dict[str, int] = field(init=False)
    _known: tuple[object, Spell, SpellingModel] | None = field(init=False, default=None)

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
        check(ARGUMENTS, monitor=monitor)
        rows, named = checked_sentences(sentences), checked_sentences(tags)
        self._record_reading(rows)
        check_aligned(rows, named)
        short = [i for i, row in enumerate(rows) if len(row) <= self.train_longest]
        if not short:
            most = f"train_longest={self.train_longest}: raise it (on the command line, --max-length)"
            raise CorpusError(f"every sentence is longer than {most}")
        emissions = Emissions.of_text(rows, named)
        kind = TaggedSpell([rows[i] for i in short], Spell(self._candidates(emissions.counts)), emissions)
        recipe = self.parser or DependencyParser(sigma2=1.0, tolerance=1e-4)
        parser = DependencyParser(**{**recipe.get_params(), "neighborhood": kind})
        parser.fit([named[i] for i in short], tags=emissions.tags, monitor=monitor)
        # Only now, so that training that fails or is interrupted leaves what was there.
        self.emissions_, self.parser_, self._known = emissions, parser, None
        self.vocabulary_, self.exponents_ = emissions.counts, self._initial_exponents()
        return self

    def correct(self, sentences: Sentences, *, alternatives: int = 5) -> list[Correction]:
        """Correct sentences as their best triples have them; one too long is left to `other` or as it is."""
        check(ARGUMENTS, alternatives=alternatives)
        self._check_parameters()
        rows = checked_typed(sentences)
        short = [i for i, row in enumerate(rows) if len(row) <= self.longest]
        triples = self._triples(rows, sorted(short, key=lambda i: len(rows[i])))  # so that batches are even
        best = {i: triple for i, triple in triples.items() if isinstance(triple, tuple)}
        corrected = {i: with_words(rows[i], words) for i, (words, _, _) in best.items()}
        left = [i for i in range(len(rows)) if i not in corrected]
        if self.other is not None and left:
            made = self.other.correct([rows[i] for i in left], alternatives=alternatives)
            corrected |= dict(zip(left, made, strict=True))
        for i in left if self.other is None else ():
            many = f"{beginning(rows[i])} has {len(rows[i])} words, too many for a chart"
            reason = triples.get(i, f"{many} (at most {self.longest})")
            corrected[i] = unchanged(rows[i], reason, stacklevel=2)
        return [corrected[i] for i in range(len(rows))]

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
        >>> ParsedCorrector().fit([["the", "dog"]] * 9, [["D", "N"]] * 9).parse([["the", "dgo"]])[0][:2]
        (['the', 'dog'], ['D', 'N'])
        """
        rows = checked_typed(sentences)
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
        if not isinstance(self.other, Corrector | None):
            what = f"other={self.other!r} cannot be saved with the model, for it is no fstce.Corrector"
            raise ModelFileError(f"{what}; save the model with other=None, and set it again afterwards")
        # The parser that was given is trained anew, so no more is kept than its parameters.
        recipe = None if self.parser is None else saved_parameters(self.parser.get_params())
        other = {} if self.other is None else {"other": self.other.to_state()}
        own = {"channel": channel_entries(self.channel), "parser": recipe, "other": next(iter(other), None)}
        entries = {"parameters": {**self.get_params(), **own}, "exponents": self.exponents_, "tuning": None}
        tables = {"words.tsv": self.emissions_.pairs, "signatures.tsv": self.emissions_.rare_pairs}
        files = {name: counts_file(table) for name, table in tables.items()}
        return State(self.KIND, entries, files=files, parts={"grammar": self.parser_.to_state(), **other})

    @classmethod
    def from_state(cls, state: State) -> ParsedCorrector:
        saved = corrector_files.saved_parameters_of(state, DROPPED)
        parser, other = saved["parser"], typed(saved["other"], "other", str, type(None))
        recipe = None if parser is None else DependencyParser.of_parameters({"parameters": parser})
        corrector = cls.of_parameters(
            state.entries,
            channel=channel_of(saved["channel"]),
            parser=recipe,
            other=None if other is None else Corrector.from_state(state.part("other", Corrector.KIND)),
        )
        corrector._check_parameters()
        words, signatures = (read_counts(state.path(f"{name}.tsv"), 2) for name in ("words", "signatures"))
        corrector.emissions_ = Emissions(words, signatures)
        corrector.vocabulary_ = corrector.emissions_.counts
        corrector.exponents_ = corrector_files.exponents_of(state, PARSED_SCORES)
        corrector_files.tuning_of(state)  # raises where what older versions saved is no such thing
        corrector.parser_ = DependencyParser.from_state(state.part("grammar", DependencyParser.KIND))
        if set(corrector.parser_.model_.tags) != set(corrector.emissions_.tags):
            raise ModelFileError(f"{state.path('words.tsv')}: has other tags than the grammar; save it again")
        return corrector

    def _triples(self, rows: Rows, numbers: Sequence[int]) -> dict[int, Triple | MachineError]:
        """The best triples of these sentences; the error of one with a chart beyond its limit."""
        self._check_fitted("parser_")
        self._check_parameters()
        triples: dict[int, Triple | MachineError] = {}
        for at in range(0, len(numbers), BATCH):
            batch = numbers[at : at + BATCH]
            for some, best in halved(batch, lambda some: self._best([rows[i] for i in some], some)):
                triples |= dict(zip(some, [best] if isinstance(best, MachineError) else best, strict=True))
        return triples

    def _best(self, rows: Rows, numbers: Sequence[int]) -> list[Triple]:
        """The best triple of each sentence: on each arc the best word, on the arcs the best tree."""
        key = self.spell, self.channel
        if self._known is None or self._known[0] != key:
            counts = self.emissions_.counts
            self._known = key, Spell(self._candidates(counts)), SpellingModel(counts)
        _, spell, spelling = self._known
        exponents, tags = self._exponents(), self.emissions_.tags
        names = (f"sentence {i + 1}" for i in numbers)
        lattices = tagged(rows, spell, self.emissions_, exponents, spelling)
        charts = compile_charts(lattices.machines(tags, Symbols(tags), names), self.parser_.model_)
        trees = best_trees(charts, exponents[0] * np.maximum(self.parser_.theta_, LEAST))
        first = np.searchsorted(lattices.place, lattices.sentence).tolist()
        triples = []
        for row, arcs, heads, begin in zip(rows, trees.arcs, trees.heads, first, strict=False):
            chosen, n = arcs[: len(row)] + begin, len(row)
            words = [spell.candidates.spellings[i] for i in lattices.spelling[chosen].tolist()]
            triples.append((words, [tags[t] for t in lattices.tag[chosen]], tuple(heads[:n].tolist())))
        return triples
