"""Observed sentences read with one model: all that may have been intended, and what speaks for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, cast

import numpy as np

from fstce.corpora.words import fault
from fstce.correction.base import halved
from fstce.correction.corrector_model import CorrectorModel
from fstce.correction.factors.candidate_lattices import CandidateLattices, read_arcs
from fstce.correction.factors.columns import COLUMNS, ScoredArcs, scored, with_terms
from fstce.correction.factors.prefiltering import PrefilteredCandidates
from fstce.correction.factors.respelling import PLAIN, found_in, labelled
from fstce.correction.mistakes.punctuation import Punctuate
from fstce.correction.mistakes.respacing import Respacing
from fstce.correction.mistakes.spelling import Spell
from fstce.machines.symbols import END_ID, Symbols
from fstce.numeric.types import Floats
from fstce.wfsa.batch import ended, restricted

Words = Sequence[str]


class SyntheticErrors(NamedTuple):
    """Sentences with synthetic errors, the candidate lattices of what is observed, and of the truth alone."""

    observed: Sequence[Words]
    true: Sequence[Words]
    whole: CandidateLattices
    only: CandidateLattices


@dataclass(frozen=True)
class SentenceReader:
    """Reads sentences with a model, a neighborhood, exponents (columns,), and marks that come and go.

    ``spacing``: whether words that were split or joined are put right. ``protected``: words that stay.
    ``prune``: arcs of less posterior probability, without the tagger, are not composed with it.
    """

    model: CorrectorModel
    kind: Spell | Punctuate
    exponents: Floats
    marks: Container[str]
    spacing: bool
    protected: tuple[str, ...]
    prune: float

    def lattices(
        self, sentences: Sequence[Words], terms: Mapping[str, float] | None = None
    ) -> CandidateLattices:
        """What may have been intended by sentences.

        With terms the columns have a last one, of what the text at hand says of its unknown words.

        Raises
        ------
        MachineError
            A lattice exceeds its limit.
        """
        return self._read(self._scored(sentences, self.spacing, terms), self.prune)

    def synthetic_errors(
        self, pairs: Sequence[tuple[Words, Words]], spacing: bool
    ) -> list[SyntheticErrors]:
        """Of (observed, true) sentences; without those whose lattice is too large or lacks the truth."""
        answers = halved(pairs, lambda some: self._synthetic_errors(some, spacing))
        return [answer for _, answer in answers if isinstance(answer, SyntheticErrors)]

    def _synthetic_errors(
        self, pairs: Sequence[tuple[Words, Words]], spacing: bool
    ) -> SyntheticErrors | None:
        found = self._scored([observed for observed, _ in pairs], spacing)
        paths = nearest_arcs(found, [true for _, true in pairs])
        if None in paths:
            reached = [pair for pair, path in zip(pairs, paths, strict=True) if path is not None]
            return self._synthetic_errors(reached, spacing) if reached else None
        # What is pruned here must not be what the exponents turn out to favor.
        whole = self._read(found, self.prune / 10)
        kept = np.zeros(len(found.slot), dtype=bool)
        kept[[arc for path in paths for arc in path or ()]] = True
        only = found.over(restricted(found.machines, kept))
        observed, true = zip(*pairs, strict=True)
        return SyntheticErrors(observed, true, whole, self._read(only, 0.0))

    def log_ratio(self, observed: str, intended: str) -> float | None:
        """log p(intended) / p(observed) of words without a context; None if that is not known."""
        spell = self.kind if isinstance(self.kind, Spell) else cast(Spell, self.kind.spell)
        return cast(PrefilteredCandidates, spell.candidates).log_ratio(observed, intended)

    @cached_property
    def _respacing(self) -> Respacing:
        return self.model.respacing(self.protected)

    def _read(self, found: ScoredArcs, prune: float) -> CandidateLattices:
        exponents = np.append(self.exponents, np.ones(len(found.columns) + 1 - len(COLUMNS)))
        names = [f"sentence {i} ∘ {self.kind.name}" for i in range(1, len(found.machines.size) + 1)]
        return read_arcs(found, names, self.model.factors, exponents, prune)

    def _scored(
        self, sentences: Sequence[Words], spacing: bool, terms: Mapping[str, float] | None = None
    ) -> ScoredArcs:
        """All that may have been intended, and what speaks for it but histories and the tagger."""
        kind, marks = self.kind, self.marks
        words = list(dict.fromkeys(word for sentence in sentences for word in sentence))
        introduced = [word for word in kind.introduced(words) if fault(word) is None]
        plain = (
            [[word for word in row if word not in marks] for row in sentences]
            if marks
            else sentences
        )
        rows = found_in(self._respacing, plain) if spacing else []
        symbols = Symbols([*words, *introduced, *(word for *_, row in rows for word in row)])
        factors, respellings = self.model.factors, labelled(rows, symbols)
        arcs = scored(
            ended(list(kind.expand(sentences, symbols))),
            symbols,
            factors,
            sentences,
            marks,
            respellings,
        )
        return arcs if terms is None else with_terms(arcs, terms)


Cost = tuple[int, int, int, int]  # mistakes that stay; the arc, state and place before


def nearest_arcs(found: ScoredArcs, true: Sequence[Sequence[str]]) -> list[list[int] | None]:
    """For each sentence the arcs of a path that leaves the fewest observed words wrong.

    A word that is out of reach stays as it was observed, for one intended word, for two or for
    none. None where intended marks are out of reach.

    ``found``: of the observed sentences, states in topological order.
    """
    machines = found.machines
    arcs: list[dict[int, list[tuple[int, int, int, bool]]]] = [defaultdict(list) for _ in true]
    observed = (found.columns[1:3] == 0).all(axis=0) & (found.code == PLAIN) & ~found.mark
    columns = (found.sentence, machines.source, machines.word, machines.next, observed)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for arc, (sentence, source, label, target, own) in enumerate(rows):
        arcs[sentence][source].append((arc, label, target, own))
    ends = zip(machines.start.tolist(), machines.final.tolist(), strict=True)
    intended = (found.symbols.ids(words, unknown=True).tolist() for words in true)
    return [_path(*row) for row in zip(arcs, ends, intended, strict=True)]


def _path(
    arcs: dict[int, list[tuple[int, int, int, bool]]], ends: tuple[int, int], intended: list[int]
) -> list[int] | None:
    """Of (arc, label, target, own) by source the cheapest path between the ends that reads the labels."""
    start, final = ends
    best: dict[int, dict[int, Cost]] = defaultdict(dict)
    best[start][0] = (0, -1, -1, -1)
    for state in sorted(arcs):
        for place, (cost, *_) in list(best[state].items()):
            for arc, label, target, own in arcs[state]:
                steps = []
                if label == END_ID:
                    steps = [(place, cost)]
                elif place < len(intended) and label == intended[place]:
                    steps = [(place + 1, cost)]
                elif own:
                    steps = [(place + 1, cost + 1), (place + 2, cost + 2), (place, cost + 2)]
                for after, value in steps:
                    if after <= len(intended) and value < best[target].get(after, (1 << 30,))[0]:
                        best[target][after] = (value, arc, state, place)
    if len(intended) not in best[final]:
        return None
    path, state, place = list[int](), final, len(intended)
    while state != start or place:
        _, arc, state, place = best[state][place]
        path.append(arc)
    return path[::-1]
