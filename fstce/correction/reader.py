"""The candidate lattices of observed sentences, read with one model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np

from fstce.corpora.words import is_fit
from fstce.correction.base import halved
from fstce.correction.corrector_model import CorrectorModel
from fstce.correction.factors.candidate_lattices import CandidateLattices, best_arcs, read_arcs
from fstce.correction.factors.columns import COLUMNS, Factors, ScoredArcs, scored, with_terms
from fstce.correction.factors.respacing import Respacing
from fstce.correction.factors.respelling import labelled, rewrites_in
from fstce.correction.mistakes.candidates import Candidates
from fstce.correction.mistakes.punctuation import Punctuate
from fstce.correction.mistakes.spelling import Spell
from fstce.errors import MachineError
from fstce.machines.symbols import END_ID, Symbols
from fstce.numeric.kernels import places
from fstce.numeric.types import Floats, Ints, Ints32, Rows
from fstce.speller.channel import Channel
from fstce.speller.wordlist import WordList
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

    ``channel``: what edits cost. ``marks`` come and go where `punctuation` is above 0; words are
    changed elsewhere. ``exponents``: in the order of the columns. ``prune``: arcs of less posterior
    probability, without the tagger, are not composed with it.
    """

    spell: int
    punctuation: int
    channel: Channel | None
    marks: tuple[str, ...]
    user_dictionary: tuple[str, ...]
    exponents: tuple[float, ...]
    prune: float

    @property
    def free_marks(self) -> frozenset[str]:
        """The marks that may come and go."""
        return frozenset(self.marks if self.punctuation else ())

    @property
    def spacing(self) -> bool:
        """Whether words that were split or joined are put right."""
        return self.spell > 0 and self.exponents[COLUMNS.index("spaces")] > 0

    def neighborhood(
        self, vocabulary: Mapping[str, int], lexicon: WordList, factors: Factors | None = None
    ) -> Spell | Punctuate:
        """SPELL≤k over words, each as probable as any other, or PUNC≤k.

        With factors it is weighted by the channel, and candidates that no context makes probable
        are left out.
        """
        is_weighted = factors is not None
        if not self.spell:
            marks, channel = self.marks, self.channel
            return Punctuate(self.punctuation, marks, channel=channel, weighted=is_weighted)
        candidates = Candidates(
            {**dict.fromkeys(self.user_dictionary, 1), **vocabulary},
            self.spell,
            channel=self.channel,
            kept=self.user_dictionary,
            lexicon=lexicon,
            accents=self.exponents[COLUMNS.index("accents")] > 0,
            factors=factors,
            exponents=self.exponents,
            least=self.prune,
        )
        return Spell(candidates, is_weighted)


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
        model = self.model
        return self.settings.neighborhood(model.vocabulary, model.lexicon, model.factors)

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
        """The lattices of (observed, true) pairs, but for those too large."""
        answers = halved(pairs, lambda some: self._synthetic_errors(some, spacing))
        return [answer for _, answer in answers if isinstance(answer, SyntheticErrors)]

    def _synthetic_errors(
        self, pairs: Sequence[tuple[Words, Words]], spacing: bool
    ) -> SyntheticErrors:
        observed, true = zip(*pairs, strict=True)
        arcs = self._scored(observed, spacing)
        is_true = np.zeros(len(arcs.slot), dtype=bool)
        if self.settings.spell:
            is_true[nearest_arcs(arcs, observed, true)] = True
        else:
            is_true[exact_arcs(arcs, true)] = True

        # What is pruned here must not be what the exponents turn out to favor.
        lattices = self._read(arcs, self.settings.prune / 10)
        true_arcs = arcs.over(restricted(arcs.machines, is_true))
        return SyntheticErrors(observed, true, lattices, self._read(true_arcs, 0.0))

    def log_ratio(self, observed: str, intended: str) -> float | None:
        """log p(intended) / p(observed) of words without a context; None if that is not known."""
        neighborhood = self.neighborhood
        if isinstance(neighborhood, Punctuate):
            return None
        return neighborhood.candidates.log_ratio(observed, intended)

    @property
    def is_full(self) -> bool:
        """Whether it remembers so much that another should take its place."""
        neighborhood = self.neighborhood
        if isinstance(neighborhood, Punctuate):
            return False
        return len(neighborhood.candidates.spellings) > REMEMBERED

    @cached_property
    def _respacing(self) -> Respacing:
        return self.model.respacing(self.settings.user_dictionary)

    def _read(self, arcs: ScoredArcs, prune: float) -> CandidateLattices:
        numbers = range(1, len(arcs.machines.size) + 1)
        names = [f"sentence {i} ∘ {self.neighborhood.name}" for i in numbers]
        return read_arcs(arcs, names, self.model.factors, self.exponents, prune)

    def _scored(self, sentences: Sequence[Words], spacing: bool) -> ScoredArcs:
        """All that may have been intended, and what speaks for it but histories and the tagger."""
        marks = self.settings.free_marks
        words = list(dict.fromkeys(word for sentence in sentences for word in sentence))
        introduced = [w for w in self.neighborhood.introduced(words) if is_fit(w)]

        rewrites = rewrites_in(self._respacing, sentences) if spacing else []
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


def exact_arcs(arcs: ScoredArcs, true: Rows) -> list[int]:
    """The arcs of the path of each sentence, which has it; raises MachineError where it has not."""
    machines = arcs.machines
    states = zip(machines.source.tolist(), machines.word.tolist(), strict=True)
    arc_of = places(states)
    target = machines.next.tolist()

    path: list[int] = []
    for start, words in zip(machines.start.tolist(), true, strict=True):
        state = start
        for label in (*arcs.symbols.ids(words, unknown=True).tolist(), END_ID):
            arc = arc_of.get((state, label))
            if arc is None:
                raise MachineError("what was intended is out of reach")
            path.append(arc)
            state = target[arc]
    return path


def nearest_arcs(arcs: ScoredArcs, observed: Rows, true: Rows) -> Ints:
    """The arcs of a path of each sentence that leaves the fewest observed words wrong.

    A word that is out of reach stays as it was observed, for whatever was intended.

    ``arcs``: of the observed sentences. ``true``: what was intended by each.
    """
    intended: list[tuple[int, int, str]] = []
    for number, pair in enumerate(zip(observed, true, strict=True)):
        intended += [(number, slot, word) for slot, word in _intended_words(*pair)]

    sentence, slot, words = zip(*intended, strict=True)
    label = arcs.symbols.ids(words, unknown=True)
    wanted = _codes(np.array(sentence), np.array(slot), label)
    is_true = np.isin(_codes(arcs.sentence, arcs.slot, arcs.machines.word), wanted)

    worth = np.where(is_true, 1.0, -1.0)
    worth[arcs.machines.word == END_ID] = 0.0
    return best_arcs(restricted(arcs.machines, is_true | arcs.stays), worth)


def _intended_words(observed: Words, true: Words) -> Iterator[tuple[int, str]]:
    """The words that may stand in the place of each observed one, with its place."""
    matcher = SequenceMatcher(None, observed, true, autojunk=False)
    for operation, i, i_end, j, j_end in matcher.get_opcodes():
        if operation == "equal":
            yield from zip(range(i, i_end), true[j:j_end], strict=True)
        else:
            yield from product(range(i, i_end), true[j:j_end])


def _codes(sentence: Ints, slot: Ints, label: Ints | Ints32) -> Ints:
    """A number for each word in a slot of a sentence."""
    return (sentence * (LONGEST + 1) + slot) * 2**32 + label
