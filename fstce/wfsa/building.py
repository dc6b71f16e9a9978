"""The automata of a corpus, shard after shard: in other processes, in memory or in a folder.

A folder has a folder of shards for each text and what it is contrasted with.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from fstce.errors import ShardError
from fstce.estimation.resources import BYTES_AN_ARC, Forecast, Resources
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.base import Neighborhood
from fstce.numeric.types import Floats, Ints, Rows
from fstce.processes.shards import map_items
from fstce.storage.packed import digest_of_values
from fstce.storage.scratch import scratch_folder
from fstce.wfsa.batch import Batch
from fstce.wfsa.intersect import TagAutomaton
from fstce.wfsa.layered import pack_products
from fstce.wfsa.shard_folder import Shard, ShardFolder
from fstce.wfsa.shards import SAMPLED, cut, path_counts

OBSERVED, CONTRASTED = "observed", "contrasted"


@dataclass(frozen=True)
class CompilationPlan:
    """What the automata are made of: distinct sentences with their numbers and counts."""

    sentences: Rows
    numbers: Sequence[int]
    counts: Floats
    symbols: Symbols
    automaton: TagAutomaton
    pairs: tuple[Ints, Ints]
    tags: Sequence[str]
    order: int
    observe: bool
    kind: Neighborhood | None

    def packed(self, side: str, chosen: Sequence[int]) -> Batch:
        """The product automata of some sentences, or of their neighbourhoods."""
        words, numbers = [self.sentences[i] for i in chosen], [self.numbers[i] for i in chosen]
        if side == CONTRASTED and self.kind is not None:
            return pack_products(self.automaton, self.kind.expand(words, self.symbols, numbers))
        return pack_products(self.automaton, observed(words, self.symbols, numbers))

    @property
    def sides(self) -> list[str]:
        """What is built."""
        return [OBSERVED] * self.observe + [CONTRASTED] * (self.kind is not None)

    @cached_property
    def shards(self) -> tuple[list[Ints], float]:
        """The sentences of each shard, and the arcs that there are about."""
        sizes = path_counts(self.sentences, self.symbols, self.pairs[0], self.order)
        side = self.sides[-1]
        lengths = np.array([len(sentence) for sentence in self.sentences])
        return cut(sizes, lengths, lambda i: self.packed(side, [i]).n_arcs)

    @cached_property
    def seconds_an_arc(self) -> float:
        """How long it takes to build an arc, judged by a few sentences of middle size."""
        shards = self.shards[0]
        chosen = shards[len(shards) // 2][:SAMPLED].tolist()
        began = time.process_time()
        batches = [self.packed(side, chosen) for side in self.sides]
        return (time.process_time() - began) / sum(batch.n_arcs for batch in batches)

    def forecast(self, resources: Resources) -> Forecast:
        """How large it will be."""
        arcs = 0.0 if np.isnan(self.shards[1]) else self.shards[1]
        size, reported = BYTES_AN_ARC * arcs, arcs and resources.building is not None
        words, spent = sum(map(len, self.sentences)), arcs * self.seconds_an_arc if reported else 0.0
        on_disk = not resources.fits(size)
        place = on_disk, resources.bounded, resources.least
        return Forecast(len(self.sentences), words, arcs, size, spent, *place)

    def described(self) -> dict[str, str]:
        """The digests of all that the automata depend on."""
        ids = self.symbols.ids([word for sentence in self.sentences for word in sentence])
        lengths = np.array([len(sentence) for sentence in self.sentences])
        probes = () if self.kind is None else self.kind.expand(self.sentences[:8], self.symbols)
        return {
            "corpus": digest_of_values(*self.symbols, ids, lengths, self.counts),
            "dictionary": digest_of_values(*self.tags, *self.pairs),
            "neighborhood": digest_of_values(
                "" if self.kind is None else self.kind.name, *(column for p in probes for column in p.arrays)
            ),
            "order": f"{self.order}, {'+'.join(self.sides)}",
            "cut": digest_of_values(*self.shards[0]),
        }

    def entries(self) -> dict[str, Any]:
        """What a manifest says of the text, for people."""
        return {
            "sentences": int(self.counts.sum()),
            "distinct": len(self.sentences),
            "words": sum(map(len, self.sentences)),
            "tags": list(self.tags),
            "symbols": list(self.symbols),
        }


def observed(sentences: Rows, symbols: Symbols, numbers: Sequence[int]) -> Iterator[Lattice]:
    """The sentences themselves as lattices; `numbers` name them in messages."""
    for sentence, number in zip(sentences, numbers, strict=True):
        yield Lattice.of_sentence(sentence, symbols, f"sentence {number}")


def build(plan: CompilationPlan, resources: Resources, part: int = 1) -> tuple[dict[str, list[Shard]], bool]:
    """All shards of a plan by side, and whether they are in memory.

    ``part``: the number of the plan, where there are several in one folder.
    """
    if plan.kind is not None:
        plan.kind.try_first(list(plan.sentences), plan.symbols)  # here, and not in each worker
    forecast = plan.forecast(resources)
    if resources.building is not None:
        resources.building.planned(forecast)
    if not forecast.on_disk:
        rows = list(_each(plan, resources, lambda number: packed(plan, number)))
        return {side: [row[side] for row in rows] for side in plan.sides}, True
    with ExitStack() as stack:
        lasting = resources.shards is not None
        if resources.shards is None:  # mapped files live as long as they are used, names or not
            folder = stack.enter_context(scratch_folder(resources.scratch))
        else:
            folder = _folder(Path(resources.shards), part)
        return _in_folder(plan, resources, folder, lasting), False


def packed(plan: CompilationPlan, number: int) -> dict[str, Shard]:
    """The shard of this number, side by side."""
    chosen = plan.shards[0][number]
    return {side: Shard.of(plan.packed(side, chosen.tolist()), plan.counts[chosen]) for side in plan.sides}


def _each(plan: CompilationPlan, resources: Resources, work: Any) -> Iterator[Any]:
    """`work` on the number of each shard, in processes."""
    shards = plan.shards[0]
    for chosen, answer in zip(shards, map_items(work, range(len(shards)), resources.jobs), strict=True):
        if resources.building is not None:
            resources.building.built(len(chosen), sum(len(plan.sentences[i]) for i in chosen.tolist()))
        yield answer


def _in_folder(
    plan: CompilationPlan, resources: Resources, place: Path, lasting: bool
) -> dict[str, list[Shard]]:
    """The shards of a folder, those that are missing built."""
    folder = ShardFolder(place, plan.described() if lasting else {})
    opened = []
    if lasting:
        counts = [plan.counts[chosen] for chosen in plan.shards[0]]
        opened = folder.finished(plan.sides, counts, (len(plan.tags) + 1) ** plan.order)
    if opened and resources.building is not None:
        resources.building.built(len(plan.sentences), sum(map(len, plan.sentences)))
    if not opened:
        if lasting:
            folder.begin()
        build = _each(plan, resources, lambda number: folder.build(number, partial(packed, plan, number)))
        rows = list(build)
        if lasting:
            folder.finish(rows, plan.entries())
        opened = [folder.open(row) for row in rows]
    shards = {side: [row[side] for row in opened] for side in plan.sides}
    if lasting:
        return shards
    return {side: [shard._replace(path=None) for shard in row] for side, row in shards.items()}


def _folder(place: Path, part: int) -> Path:
    """The folder of a part of the criterion."""
    folder = place / f"part-{part}"
    if place.is_dir() and not (place / "part-1").is_dir() and any(place.iterdir()):
        raise ShardError(f"{place}: the folder holds something else; name a new or an empty one")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ShardError(f"{place}: cannot be made ({error.strerror}); name another folder") from None
    return folder
