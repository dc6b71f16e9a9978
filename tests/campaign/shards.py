"""Damaged folders of shards and journals: refused by name, or the same weights; never others."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from fstce.storage.folder import own_digest
from tests.campaign import specimens as healthy
from tests.campaign.child import run
from tests.campaign.models import VALUES, damage, files_of, replace_file, somewhere
from tests.campaign.verdict import FINE, WRONG, Verdict, of

TRAIN = [*healthy.TRAINING["tagger"], "-n", "trans1", "--shards", "SHARDS", "-q", "-o", "OUT"]


def keys(random: Random) -> Iterator[str]:
    """Endless: what is done, seed of the damage."""
    while True:
        yield f"{random.choice(('bytes', 'bytes', 'values', 'sealed', 'files'))}:{random.getrandbits(40)}"


def judge(key: str, specimens: Path, scratch: Path) -> Verdict:
    """Damage a copy of the shards, train over it, judge."""
    what, seed = key.split(":")
    random = Random(int(seed))
    shards = scratch / "shards"
    shutil.copytree(_built(specimens), shards)
    {"bytes": _bytes, "values": _values, "sealed": _sealed, "files": replace_file}[what](
        random, shards
    )
    ended = run(_trained(str(shards), scratch / "out"), folder=specimens)
    verdict = of(ended, ["shards"])
    if verdict.what != FINE or ended.code != 0 or what == "sealed":
        return verdict  # what agrees with its digests is what someone has built
    if _weights(scratch / "out") != _weights(specimens / "over_shards"):
        return Verdict(WRONG, f"other weights after damage of {what}")
    return verdict


@cache
def _built(specimens: Path) -> Path:
    """A folder of shards that a training has been over; its weights are those of ``over_shards``."""
    folder = specimens / "shards"
    if not (specimens / "over_shards").exists():
        ended = run(_trained("shards", specimens / "over_shards"), folder=specimens, megabytes=None)
        if ended.code:
            raise RuntimeError(ended.err.decode(errors="replace"))
    return folder


def _trained(shards: str, out: Path) -> list[str]:
    return [argument.replace("SHARDS", shards).replace("OUT", str(out)) for argument in TRAIN]


def _weights(model: Path) -> bytes:
    return (model / "weights.npz").read_bytes()


def _bytes(random: Random, shards: Path) -> None:
    damage(random, random.choice(files_of(shards)))


def _values(random: Random, shards: Path, sealed: bool = False) -> None:
    """Exchange a value of a manifest."""
    path = random.choice([path for path in files_of(shards) if path.suffix == ".json"])
    content: Any = json.loads(path.read_text())
    place, key = somewhere(random, content)
    place[key] = random.choice(VALUES)
    if sealed and isinstance(content, dict) and "digest" in content:
        content["digest"] = own_digest(content)
    path.write_text(json.dumps(content))


def _sealed(random: Random, shards: Path) -> None:
    """The same, and make its own digest agree."""
    _values(random, shards, sealed=True)
