"""The automata of a corpus, shard after shard: in other processes, in memory or in a folder.

Sentences of like length stand together, for sums go from level to level, a call of a compiled loop
for each; all shards have about as many arcs. Sums run in the order of the shards, and the cuts
depend on the text, the dictionary and the neighborhood alone: results do not depend on how many
processes built the automata, how many threads add them up, or where the shards lie. A folder has a
folder of shards for each text and what it is contrasted with.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from fstce.errors import ShardError
from fstce.estimation.resources import BYTES_AN_ARC, Forecast, Resources
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import FIRST_WORD_ID, Symbols
from fstce.neighborhoods.base import Neighborhood
from fstce.numeric.types import Floats, Ints, Rows
from fstce.processes.workers import map_items
from fstce.storage.scratch import scratch_folder
from fstce.wfsa.batch import Batch, Shard, TagAutomaton, observed, pack_products

SHARD_ARCS = 300_000
SLAB = 10_000  # sentences that are counted at a time
SAMPLED = 16  # sentences that are built to see how large the automata are
OBSERVED, CONTRASTED = "observed", "contrasted"


def path_counts(sentences: Rows, symbols: Symbols, word: Ints, order: int) -> Floats:
    """For each sentence the number of its tag n-grams, which measures its automaton.

    ``word`` (pairs,): the words of the (word, tag) pairs that the dictionary allows.

    >>> symbols = Symbols(["the", "fish"])
    >>> word = symbols.ids(["the", "fish", "fish"])
    >>> path_counts([["the", "fish"], ["fish", "fish"]], symbols, word, 2).tolist()
    [3.0, 6.0]
    """
    tags = np.bincount(word, minlength=FIRST_WORD_ID + len(symbols)).astype(np.float64)
    counts = []
    for slab in (sentences[i : i + SLAB] for i in range(0, len(sentences), SLAB)):
        of_token = tags[symbols.ids([w for sentence in slab for w in sentence])]
        length = np.array([len(sentence) for sentence in slab])
        first = np.cumsum(length) - length
        place = np.arange(len(of_token)) - np.repeat(first, length)
        # n(j) = Π_i |tags of word j − i| for i < order, as far as there are words; Σ_j n(j),
        # (sentences,)
        product = of_token.copy()
        for back in range(1, order):
            product *= np.where(place >= back, np.roll(of_token, back), 1.0)
        counts.append(np.add.reduceat(product, first))
    return np.concatenate(counts)


def cut(counts: Floats, lengths: Ints, measure: Callable[[int], int]) -> tuple[list[Ints], float]:
    """Cut sentences into shards of about equal size, short sentences first.

    ``counts`` (sentences,): of :func:`path_counts`. ``lengths`` (sentences,): their words.
    ``measure``: from the number of a sentence to the arcs of its automata: asked for a few of them.
    ``shards``: the numbers
    of each shard's sentences, in ascending order. ``total``: how many arcs there are about; zero
    where there are few.

    >>> shards, total = cut(np.array([8.0, 1.0, 1.0]), np.ones(3, int), lambda number: 600_000)
    >>> [shard.tolist() for shard in shards], total
    ([[0, 1, 2]], 0.0)
    """
    order = np.argsort(counts, kind="stable")
    if counts.sum() < SHARD_ARCS / 16:
        return [np.sort(order)], 0.0
    places = np.unique(np.linspace(0, len(order) - 1, SAMPLED).round().astype(np.int64))
    sampled = order[places]
    # The arcs of a sentence by its count: between the samples on a straight line.
    size = np.interp(counts, counts[sampled], [float(measure(int(i))) for i in sampled])
    order = np.lexsort((counts, lengths))
    reached = np.cumsum(size[order])
    shards = max(1, round(reached[-1] / SHARD_ARCS))
    cuts = np.searchsorted(reached, reached[-1] * np.arange(1, shards) / shards)
    return [np.sort(part) for part in np.split(order, cuts) if len(part)], float(reached[-1])


@dataclass(frozen=True)
class CompilationPlan:
    """The material of the automata: distinct sentences with their numbers and counts."""

    sentences: Rows
    numbers: Sequence[int]
    counts: Floats
    structure: TagAutomaton
    observe: bool
    kind: Neighborhood | None

    def packed(self, number: int) -> dict[str, Shard]:
        """The shard of this number, side by side."""
        chosen = self.shards[0][number]
        return {
            side: Shard(self.batch(side, chosen.tolist()), self.counts[chosen])
            for side in self.sides
        }

    def write(self, number: int, folder: Path) -> dict[str, tuple[Path, str]]:
        """Write the shard of this number; its files by side, with their digests."""
        files = {}
        for side, shard in self.packed(number).items():
            path = folder / f"{number:06d}-{side}.npy"
            files[side] = path, shard.write(path)
        return files

    def batch(self, side: str, chosen: Sequence[int]) -> Batch:
        """The product automata of some sentences, or of their neighborhoods."""
        return pack_products(self.structure, self.lattices(side, chosen))

    def lattices(self, side: str, chosen: Sequence[int]) -> Iterator[Lattice]:
        """The lattices of some sentences, or of their neighborhoods."""
        words = [self.sentences[i] for i in chosen]
        numbers = [self.numbers[i] for i in chosen]
        expand = observed if side == OBSERVED or self.kind is None else self.kind.expand
        return expand(words, self.structure.symbols, numbers)

    @property
    def sides(self) -> list[str]:
        """The sides that are built."""
        return [OBSERVED] * self.observe + [CONTRASTED] * (self.kind is not None)

    @cached_property
    def shards(self) -> tuple[list[Ints], float]:
        """The sentences of each shard, and the arcs that there are about."""
        structure = self.structure
        sizes = path_counts(self.sentences, structure.symbols, structure.pairs[0], structure.order)
        side = self.sides[-1]
        lengths = np.array([len(sentence) for sentence in self.sentences])
        return cut(sizes, lengths, lambda i: self.batch(side, [i]).n_arcs)

    @cached_property
    def seconds_an_arc(self) -> float:
        """How long it takes to build an arc, judged by a few sentences of middle size."""
        shards = self.shards[0]
        chosen = shards[len(shards) // 2][:SAMPLED].tolist()
        began = time.process_time()
        batches = [self.batch(side, chosen) for side in self.sides]
        return (time.process_time() - began) / sum(batch.n_arcs for batch in batches)

    def forecast(self, resources: Resources) -> Forecast:
        """How large it will be."""
        arcs = self.shards[1]
        size, reported = BYTES_AN_ARC * arcs, arcs and resources.building is not None
        spent = arcs * self.seconds_an_arc if reported else 0.0
        on_disk = not resources.fits(size)
        return Forecast(len(self.sentences), arcs, size, spent, on_disk, resources.least)


def build(plan: CompilationPlan, resources: Resources, part: int = 1) -> dict[str, list[Shard]]:
    """All shards of a plan by side.

    ``part``: the number of the plan, where there are several in one folder.
    """
    forecast = plan.forecast(resources)
    if resources.building is not None:
        resources.building.planned(forecast)
    if not forecast.on_disk:
        rows = list(_each(plan, resources, plan.packed))
        return {side: [row[side] for row in rows] for side in plan.sides}
    if resources.shards is not None:
        return _in_folder(plan, resources, _folder(Path(resources.shards), part))
    with scratch_folder(resources.place) as folder:  # what is mapped lives on without a name
        return _in_folder(plan, resources, folder)


def _each(plan: CompilationPlan, resources: Resources, work: Any) -> Iterator[Any]:
    """`work` on the number of each shard, in processes."""
    shards = plan.shards[0]
    for chosen, answer in zip(
        shards, map_items(work, range(len(shards)), resources.jobs), strict=True
    ):
        if resources.building is not None:
            resources.building.built(
                len(chosen), sum(len(plan.sentences[i]) for i in chosen.tolist())
            )
        yield answer


def _in_folder(plan: CompilationPlan, resources: Resources, folder: Path) -> dict[str, list[Shard]]:
    """The shards, built into the files of a folder."""
    rows = list(_each(plan, resources, partial(plan.write, folder=folder)))
    return {side: [Shard.open(*files[side]) for files in rows] for side in plan.sides}


def _folder(place: Path, part: int) -> Path:
    """The folder of a part of the criterion."""
    folder = place / f"part-{part}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ShardError(
            f"{place}: cannot be made ({error.strerror}); name another folder"
        ) from None
    return folder
