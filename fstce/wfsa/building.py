"""The automata of a corpus, shard after shard: in other processes, in memory or in a folder.

A folder has for each part of the evidence (a text and what it is contrasted with) a folder of shards,
one ``.npy`` file each, and ``manifest.json``: what they were made of, by digests, and what they hold.
A shard is written whole; where building was ended, it goes on with those that are missing.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fstce.errors import ShardError
from fstce.estimation.resources import BYTES_AN_ARC, Forecast, Resources
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import SIGMA_ID, Symbols
from fstce.neighborhoods.registry import Neighborhood
from fstce.numeric.ranges import without_repeats
from fstce.numeric.types import Floats, Ints, Rows
from fstce.processes.shards import map_items
from fstce.storage.atomic import write_whole
from fstce.storage.packed import digest_of_values, open_packed, write_packed
from fstce.storage.scratch import scratch_folder
from fstce.version import __version__
from fstce.wfsa.batch import Batch
from fstce.wfsa.intersect import TagAutomaton
from fstce.wfsa.layered import pack_products
from fstce.wfsa.shards import SAMPLED, cut, path_counts

FORMAT = 1
MANIFEST = "manifest.json"
OBSERVED, CONTRASTED = "observed", "contrasted"
_OTHER = {
    "corpus": "another corpus",
    "dictionary": "another dictionary or tagset",
    "neighborhood": "another neighbourhood",
    "order": "another order",
    "cut": "another version of fstce",
}


class Shard(NamedTuple):
    """Packed automata; their tag n-grams, whether there are wildcards, how often each machine occurs."""

    batch: Batch
    ngrams: Ints
    wild: bool
    counts: Floats
    path: Path | None = None
    digest: str = ""

    @classmethod
    def of(cls, batch: Batch, counts: Floats) -> Shard:
        """What is built, in memory."""
        return cls(batch, without_repeats(batch.ngram), bool(np.any(batch.word == SIGMA_ID)), counts)


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
        size, told = BYTES_AN_ARC * arcs, arcs and resources.building is not None
        words, spent = sum(map(len, self.sentences)), arcs * self.seconds_an_arc if told else 0.0
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
        if resources.shards is None:  # mapped files live as long as they are used, names or not
            folder = stack.enter_context(scratch_folder(resources.scratch))
        else:
            folder = _folder(Path(resources.shards), part)
        return _in_folder(plan, resources, folder, lasting=resources.shards is not None), False


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


# --- In a folder ----------------------------------------------------------------------------------------


def _in_folder(
    plan: CompilationPlan, resources: Resources, folder: Path, lasting: bool
) -> dict[str, list[Shard]]:
    """The shards of a folder, those that are missing built."""
    made_of = plan.described() if lasting else {}
    finished = _read_manifest(folder, made_of) if lasting else None
    if finished is None:
        if lasting:
            _write_json(folder / "plan.json", made_of)
        finished = list(_each(plan, resources, lambda number: _in_file(plan, folder, number)))
        if lasting:
            _finish(folder, plan, made_of, finished)
    elif resources.building is not None:
        resources.building.built(len(plan.sentences), sum(map(len, plan.sentences)))
    shards = {side: [_opened(folder, row[side]) for row in finished] for side in plan.sides}
    return shards if lasting else {side: [_nameless(shard) for shard in row] for side, row in shards.items()}


def _in_file(plan: CompilationPlan, folder: Path, number: int) -> dict[str, Any]:
    """Write a shard, unless it is there; what the manifest says of it."""
    note = folder / f"{number:06d}.json"
    with suppress(OSError, ValueError, LookupError):
        rows = json.loads(note.read_text(encoding="utf-8"))
        for row in rows.values():
            open_packed(folder / row["file"], row["digest"])
        return rows
    rows = {}
    for side, shard in packed(plan, number).items():
        batch, name = shard.batch, f"{number:06d}-{side}.npy"
        arrays = {key: value for key, value in vars(batch).items() if isinstance(value, np.ndarray)}
        arrays |= {"ngrams": shard.ngrams, "wild": np.array([shard.wild]), "counts": shard.counts}
        digest = write_packed(folder / name, arrays)
        sizes = {"machines": batch.n_machines, "states": batch.n_states, "arcs": batch.n_arcs}
        rows[side] = {"file": name, "digest": digest, **sizes, "sentences": float(shard.counts.sum())}
    _write_json(note, rows)
    return rows


def _opened(folder: Path, row: dict[str, Any]) -> Shard:
    arrays = open_packed(folder / row["file"], row["digest"])
    ngrams, wild, counts = (arrays.pop(name) for name in ("ngrams", "wild", "counts"))
    return Shard(Batch(**arrays), ngrams, bool(wild[0]), counts, folder / row["file"], row["digest"])


def _nameless(shard: Shard) -> Shard:
    """A shard whose file has no name for long."""
    return shard._replace(path=None)


def batch_of(path: Path, digest: str) -> tuple[Batch, Floats]:
    """The packed automata of a shard's file, and how often each occurs; mapped."""
    shard = _opened(path.parent, {"file": path.name, "digest": digest})
    return shard.batch, shard.counts


def _folder(place: Path, part: int) -> Path:
    """The folder of a part of the evidence."""
    folder = place / f"part-{part}"
    if place.is_dir() and not (place / "part-1").is_dir() and any(place.iterdir()):
        raise ShardError(f"{place}: the folder holds something else; name a new or an empty one")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ShardError(f"{place}: cannot be made ({error.strerror}); name another folder") from None
    return folder


def _read_manifest(folder: Path, made_of: dict[str, str]) -> list[dict[str, Any]] | None:
    """What a finished folder holds; None where it is not finished. What is there must be of this corpus."""
    for name in (MANIFEST, "plan.json"):
        try:
            found = json.loads((folder / name).read_text(encoding="utf-8"))
            said = found["made_of"] if name == MANIFEST else found
            wrong = [text for key, text in _OTHER.items() if said[key] != made_of[key]]
        except FileNotFoundError:
            continue
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise ShardError(f"{folder / name}: damaged ({error}); remove the folder") from None
        if wrong:
            # Another corpus is cut otherwise by any version.
            named = [text for text in wrong if text != _OTHER["cut"]] or wrong
            raise ShardError(
                f"{folder}: these are the shards of {' and '.join(named)}; name another folder or remove it"
            )
        return list(found["shards"]) if name == MANIFEST else None
    return None


def _finish(folder: Path, plan: CompilationPlan, made_of: dict[str, str], rows: list[dict[str, Any]]) -> None:
    """Write the manifest, then remove the notes of the single shards."""
    head = {"kind": "fstce shards", "format": FORMAT, "fstce": __version__, "numpy": np.__version__}
    sizes = {
        name: sum(row[side][name] for row in rows for side in row) for name in ("machines", "states", "arcs")
    }
    text = {
        "sentences": int(plan.counts.sum()),
        "distinct": len(plan.sentences),
        "words": sum(map(len, plan.sentences)),
    }
    names = {"tags": list(plan.tags), "symbols": list(plan.symbols)}
    _write_json(folder / MANIFEST, {**head, "made_of": made_of, **text, **sizes, "shards": rows, **names})
    for number in range(len(rows)):
        (folder / f"{number:06d}.json").unlink(missing_ok=True)
    (folder / "plan.json").unlink(missing_ok=True)


def _write_json(path: Path, content: object) -> None:
    write_whole(path, json.dumps(content, ensure_ascii=False, indent=1), ShardError)
