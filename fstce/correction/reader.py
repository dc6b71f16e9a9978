"""The candidate lattices of observed sentences, read with one model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import filterfalse
from typing import Any, NamedTuple, cast

import numpy as np

from fstce.corpora.words import fault
from fstce.correction.base import halved
from fstce.correction.corrector_model import CorrectorModel
from fstce.correction.factors.candidate_lattices import CandidateLattices, read_arcs
from fstce.correction.factors.columns import COLUMNS, ScoredArcs, scored, with_terms
from fstce.correction.factors.prefiltering import PrefilteredCandidates
from fstce.correction.factors.respelling import labelled, rewrites_in
from fstce.correction.mistakes.candidates import Candidates
from fstce.correction.mistakes.channel import Channel
from fstce.correction.mistakes.punctuation import Punctuate
from fstce.correction.mistakes.respacing import Respacing
from fstce.correction.mistakes.spelling import Spell
from fstce.correction.mistakes.wordlist import WordList
from fstce.errors import MachineError
from fstce.machines.symbols import END_ID, Symbols
from fstce.numeric.types import Floats, Rows
from fstce.wfsa.batch import ended, restricted

Words = Sequence[str]
LONGEST = 2_000  # words of a sentence; a longer one is none
REMEMBERED = 100_000  # spellings, some 2.5 KB each with all that is remembered of them


class SyntheticErrors(NamedTuple):
    """Sentences with synthetic errors: their lattices, and these of the truth alone."""

    observed: Sequence[Words]
    true: Sequence[Words]
    lattices: CandidateLattices
    true_lattices: CandidateLattices


@dataclass(frozen=True)
class Settings:
    """The settings of a reader, by which it is made anew when one of them changes.

    ``channel``, ``mark_channel``: what edits of words and marks cost. ``marks`` come and go where
    `punctuation` is above 0. ``exponents``: in the order of the columns. ``prune``: arcs of less
    posterior probability, without the tagger, are not composed with it.
    """

    spell: int
    punctuation: int
    channel: Channel | None
    mark_channel: Channel | None
    marks: tuple[str, ...]
    user_dictionary: tuple[str, ...]
    protected_words: tuple[str, ...]
    exponents: tuple[float, ...]
    prune: float

    @property
    def free_marks(self) -> frozenset[str]:
        """The marks that may come and go."""
        return frozenset(self.marks if self.punctuation else ())

    @property
    def spacing(self) -> bool:
        """Whether words that were split or joined are put right."""
        return self.spell > 0 and self._exponent("spaces") > 0

    @property
    def stay(self) -> tuple[str, ...]:
        """Words that stay as they were observed."""
        return (*self.user_dictionary, *self.protected_words)

    def neighborhood(self, vocabulary: Mapping[str, int], lexicon: WordList) -> Spell | Punctuate:
        """SPELL≤k, PUNC≤k or both over words, each as probable as any other."""
        spell = None
        if self.spell:
            spell = Spell(self._candidates(Candidates, vocabulary, lexicon))
        return self._with_marks(spell, weighted=False)

    def weighted_neighborhood(self, model: CorrectorModel) -> Spell | Punctuate:
        """The neighborhood over the words of a model, weighted by the channel.

        Candidates that no context makes probable are left out.
        """
        spell = None
        if self.spell:
            candidates = self._candidates(
                PrefilteredCandidates,
                model.vocabulary,
                model.lexicon,
                factors=model.factors,
                exponents=np.array(self.exponents),
                least=self.prune,
            )
            spell = Spell(candidates, weighted=True)
        return self._with_marks(spell, weighted=True)

    def _candidates(
        self,
        cls: Callable[..., Candidates],
        vocabulary: Mapping[str, int],
        lexicon: WordList,
        **options: Any,
    ) -> Candidates:
        return cls(
            {**dict.fromkeys(self.user_dictionary, 1), **vocabulary},
            self.spell,
            channel=self.channel,
            lexicon=lexicon,
            accents=self._exponent("accents") > 0,
            kept=self.stay,
            **options,
        )

    def _with_marks(self, spell: Spell | None, weighted: bool) -> Spell | Punctuate:
        if spell is not None and not self.punctuation:
            return spell
        return Punctuate(
            self.punctuation, self.marks, channel=self.mark_channel, weighted=weighted, spell=spell
        )

    def _exponent(self, name: str) -> float:
        return self.exponents[COLUMNS.index(name)]


class SentenceReader:
    """Reads sentences with a model; it remembers the candidates of words."""

    def __init__(self, model: CorrectorModel, settings: Settings) -> None:
        self.trained = model
        self.settings = settings
        words = settings.user_dictionary
        self.model: CorrectorModel = model.with_words(words) if words else model
        self.exponents: Floats = np.array(settings.exponents)

    @cached_property
    def neighborhood(self) -> Spell | Punctuate:
        """The weighted neighborhood of the settings."""
        return self.settings.weighted_neighborhood(self.model)

    def lattices(
        self, sentences: Sequence[Words], terms: Mapping[str, float] | None = None
    ) -> CandidateLattices:
        """The candidate lattices of sentences; `terms`: nats for words, in small letters, to stay.

        Raises
        ------
        MachineError
            A sentence is too long, or a lattice exceeds its limit.
        """
        longest = max(map(len, sentences))
        if longest > LONGEST:
            raise MachineError(
                f"it has {longest:,} words; at most {LONGEST:,} are corrected together"
            )
        arcs = self._scored(sentences, self.settings.spacing)
        if terms:
            arcs = with_terms(arcs, terms)
        return self._read(arcs, self.settings.prune)

    def synthetic_errors(
        self, pairs: Sequence[tuple[Words, Words]], spacing: bool
    ) -> list[SyntheticErrors]:
        """The lattices of (observed, true) pairs, but for those too large or without the truth."""
        answers = halved(pairs, lambda some: self._synthetic_errors(some, spacing))
        return [answer for _, answer in answers if isinstance(answer, SyntheticErrors)]

    def _synthetic_errors(
        self, pairs: Sequence[tuple[Words, Words]], spacing: bool
    ) -> SyntheticErrors | None:
        arcs = self._scored([observed for observed, _ in pairs], spacing)
        paths = nearest_arcs(arcs, [true for _, true in pairs])
        if None in paths:
            reached = [pair for pair, path in zip(pairs, paths, strict=True) if path is not None]
            return self._synthetic_errors(reached, spacing) if reached else None

        # What is pruned here must not be what the exponents turn out to favor.
        lattices = self._read(arcs, self.settings.prune / 10)
        is_true = np.zeros(len(arcs.slot), dtype=bool)
        is_true[[arc for path in paths for arc in path or ()]] = True
        true_arcs = arcs.over(restricted(arcs.machines, is_true))
        observed, true = zip(*pairs, strict=True)
        return SyntheticErrors(observed, true, lattices, self._read(true_arcs, 0.0))

    def log_ratio(self, observed: str, intended: str) -> float | None:
        """log p(intended) / p(observed) of words without a context; None if that is not known."""
        candidates = self._candidates
        return None if candidates is None else candidates.log_ratio(observed, intended)

    @property
    def is_full(self) -> bool:
        """Whether it remembers so much that another should take its place."""
        candidates = self._candidates
        return candidates is not None and len(candidates.spellings) > REMEMBERED

    @property
    def _candidates(self) -> PrefilteredCandidates | None:
        neighborhood = self.neighborhood
        spell = neighborhood if isinstance(neighborhood, Spell) else neighborhood.spell
        return None if spell is None else cast(PrefilteredCandidates, spell.candidates)

    @cached_property
    def _respacing(self) -> Respacing:
        return self.model.respacing(self.settings.stay)

    def _read(self, arcs: ScoredArcs, prune: float) -> CandidateLattices:
        numbers = range(1, len(arcs.machines.size) + 1)
        names = [f"sentence {i} ∘ {self.neighborhood.name}" for i in numbers]
        return read_arcs(arcs, names, self.model.factors, self.exponents, prune)

    def _scored(self, sentences: Sequence[Words], spacing: bool) -> ScoredArcs:
        """All that may have been intended, and what speaks for it but histories and the tagger."""
        marks = self.settings.free_marks
        words = list(dict.fromkeys(word for sentence in sentences for word in sentence))
        introduced = [w for w in self.neighborhood.introduced(words) if fault(w) is None]

        rewrites = rewrites_in(self._respacing, _without(marks, sentences)) if spacing else []
        rewritten = [word for rewrite in rewrites for word in rewrite.words]
        symbols = Symbols([*words, *introduced, *rewritten])
        return scored(
            ended(list(self.neighborhood.expand(sentences, symbols))),
            symbols,
            self.model.factors,
            sentences,
            marks,
            labelled(rewrites, symbols),
        )


def _without(marks: Collection[str], sentences: Sequence[Words]) -> Sequence[Words]:
    if not marks:
        return sentences
    return [list(filterfalse(marks.__contains__, sentence)) for sentence in sentences]


class _Arc(NamedTuple):
    """An arc of a sentence's machine; `stays`: whether it is the observed word."""

    number: int
    label: int
    target: int
    stays: bool


class _Reached(NamedTuple):
    """How a state and place are reached: the mistakes that stay, and the step before."""

    mistakes: int
    arc: int = -1
    state: int = -1
    place: int = 0


def nearest_arcs(arcs: ScoredArcs, true: Rows) -> list[list[int] | None]:
    """For each sentence the arcs of a path that leaves the fewest observed words wrong.

    A word that is out of reach stays as it was observed, for one intended word, for two or for
    none. None where intended marks are out of reach.

    ``arcs``: of the observed sentences, states in topological order.
    """
    machines = arcs.machines
    by_source: list[dict[int, list[_Arc]]] = [defaultdict(list) for _ in true]
    columns = (arcs.sentence, machines.source, machines.word, machines.next, arcs.stays)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for number, (sentence, source, label, target, stays) in enumerate(rows):
        by_source[sentence][source].append(_Arc(number, label, target, stays))

    ends = zip(machines.start.tolist(), machines.final.tolist(), strict=True)
    labels = (arcs.symbols.ids(words, unknown=True).tolist() for words in true)
    return [_path(*row) for row in zip(by_source, ends, labels, strict=True)]


def _path(
    arcs: dict[int, list[_Arc]], ends: tuple[int, int], intended: list[int]
) -> list[int] | None:
    """The arcs of the cheapest path between the ends that reads the intended labels."""
    start, final = ends
    reached: dict[int, dict[int, _Reached]] = defaultdict(dict)
    reached[start][0] = _Reached(0)

    for state in sorted(arcs):
        for place, before in list(reached[state].items()):
            for arc in arcs[state]:
                for step, mistakes in _steps(arc, intended[place : place + 1]):
                    after = place + step
                    cost = before.mistakes + mistakes
                    best = reached[arc.target].get(after)
                    if after <= len(intended) and (best is None or cost < best.mistakes):
                        reached[arc.target][after] = _Reached(cost, arc.number, state, place)

    if len(intended) not in reached[final]:
        return None
    path = list[int]()
    state = final
    place = len(intended)
    while state != start or place:
        _, number, state, place = reached[state][place]
        path.append(number)
    return path[::-1]


_END = ((0, 0),)
_RIGHT = ((1, 0),)
_WRONG = ((1, 1), (2, 2), (0, 2))


def _steps(arc: _Arc, label: list[int]) -> tuple[tuple[int, int], ...]:
    """How many intended words an arc may be read for, each with the mistakes that then stay."""
    if arc.label == END_ID:
        return _END
    if label == [arc.label]:
        return _RIGHT
    return _WRONG if arc.stays else ()
