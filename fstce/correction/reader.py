"""Observed sentences read with one model: all that may have been meant, and what speaks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from fstce.corpora.words import fault
from fstce.correction.corrector_model import CorrectorModel
from fstce.correction.factors.columns import COLUMNS, Marks, ScoredArcs, scored, scored_arcs, with_terms
from fstce.correction.factors.nearest import nearest_arcs
from fstce.correction.factors.prefiltering import PrefilteredCandidates
from fstce.correction.factors.pruning import trimmed
from fstce.correction.factors.readings import Readings, read_arcs
from fstce.correction.factors.respelling import found_in, labelled
from fstce.correction.halving import halved
from fstce.correction.mistakes.respacing import Respacing
from fstce.correction.mistakes.spelling import Spell
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.base import Neighborhood
from fstce.numeric.types import Floats

Words = Sequence[str]


class Scored(NamedTuple):
    """Observed sentences with all that may have been meant, as :func:`read_arcs` takes them."""

    arcs: ScoredArcs
    symbols: Symbols
    names: list[str]


class Practice(NamedTuple):
    """Sentences with synthetic errors, all readings of what is observed, and those of the truth alone."""

    observed: Sequence[Words]
    true: Sequence[Words]
    whole: Readings
    only: Readings


@dataclass(frozen=True)
class SentenceReader:
    """Reads sentences with a model, a neighbourhood, exponents (columns,), and marks that come and go.

    ``spacing``: whether words that were split or joined are put right. ``protected``: words that stay.
    ``prune``: arcs of less posterior probability, without the tagger, are not composed with it.
    """

    model: CorrectorModel
    kind: Neighborhood
    exponents: Floats
    marks: Marks
    spacing: bool
    protected: tuple[str, ...]
    prune: float

    def readings(self, sentences: Sequence[Words], terms: Mapping[str, float] | None = None) -> Readings:
        """What sentences may have been meant to be.

        With terms the columns have a last one, of what the text at hand says of its unknown words.

        Raises
        ------
        MachineError
            A lattice exceeds its limit.
        """
        return self._read(self._scored(sentences, self.spacing, terms), self.prune)

    def practice(self, pairs: Sequence[tuple[Words, Words]], spacing: bool) -> list[Practice]:
        """Of (observed, true) sentences; without those whose lattice is too large or lacks the truth."""
        answers = halved(pairs, lambda some: self._practice(some, spacing))
        return [answer for _, answer in answers if isinstance(answer, Practice)]

    def _practice(self, pairs: Sequence[tuple[Words, Words]], spacing: bool) -> Practice | None:
        found = self._scored([observed for observed, _ in pairs], spacing)
        paths = nearest_arcs(found.arcs, found.symbols, [true for _, true in pairs])
        if None in paths:
            reached = [pair for pair, path in zip(pairs, paths, strict=True) if path is not None]
            return self._practice(reached, spacing) if reached else None
        # What is pruned here must not be what the exponents turn out to favour.
        whole = self._read(found, self.prune / 10)
        kept = np.zeros(len(found.arcs.slot), dtype=bool)
        kept[[arc for path in paths for arc in path or ()]] = True
        only = found._replace(arcs=found.arcs.over(trimmed(found.arcs.machines, kept)))
        observed, true = zip(*pairs, strict=True)
        return Practice(observed, true, whole, self._read(only, 0.0))

    def log_ratio(self, observed: str, intended: str) -> float | None:
        """log p(intended) / p(observed) of words without a context; None if that is not known."""
        spell = self.kind if isinstance(self.kind, Spell) else getattr(self.kind, "spell", None)
        candidates = spell.candidates if isinstance(spell, Spell) else None
        return (
            candidates.log_ratio(observed, intended)
            if isinstance(candidates, PrefilteredCandidates)
            else None
        )

    @cached_property
    def _respacing(self) -> Respacing:
        return self.model.respacing(self.protected)

    def _read(self, found: Scored, prune: float) -> Readings:
        terms = np.ones(len(found.arcs.columns) + 1 - len(COLUMNS))
        return read_arcs(*found, self.model.factors(), np.append(self.exponents, terms), prune)

    def _scored(
        self, sentences: Sequence[Words], spacing: bool, terms: Mapping[str, float] | None = None
    ) -> Scored:
        """All that may have been meant, and what speaks for it but histories and the tagger."""
        kind, marks = self.kind, self.marks
        words = list(dict.fromkeys(word for sentence in sentences for word in sentence))
        introduced = [word for word in kind.introduced(words) if fault(word) is None]
        plain = [[word for word in row if word not in marks] for row in sentences] if marks else sentences
        rows = found_in(self._respacing, plain) if spacing else []
        symbols = Symbols([*words, *introduced, *(word for *_, row in rows for word in row)])
        factors, respellings = self.model.factors(), labelled(rows, symbols)
        if isinstance(kind, Spell):
            arcs = scored(kind.columns(sentences, symbols), symbols, factors, sentences, marks, respellings)
        else:
            lattices = list(kind.expand(sentences, symbols))
            arcs = scored_arcs(lattices, factors, sentences, marks, respellings)
        if terms is not None:
            arcs = with_terms(arcs, symbols, terms)
        names = [f"sentence {number} ∘ {kind.name}" for number in range(1, len(sentences) + 1)]
        return Scored(arcs, symbols, names)
