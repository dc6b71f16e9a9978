"""Damaged model folders: refused by name, or the same answer as before; never another answer."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from fstce.storage.folder import MANIFEST, own_digest
from tests.campaign import specimens as healthy
from tests.campaign.child import run
from tests.campaign.mutators import PLAIN
from tests.campaign.verdict import FINE, WRONG, Verdict, of

VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    2**70,
    1e308,
    "",
    "x" * 5000,
    "../../etc/passwd",
    [],
    {},
    [[]],
    "nan",
)


def keys(random: Random) -> Iterator[str]:
    """Endless: kind of model, what is done, seed of the damage."""
    while True:
        kind = random.choice(list(healthy.TRAINING))
        yield f"{kind}:{random.choice(('bytes', 'bytes', 'digests', 'manifest', 'files'))}:{random.getrandbits(40)}"


def judge(key: str, specimens: Path, scratch: Path) -> Verdict:
    """Damage a copy of the model, apply it, judge."""
    kind, what, seed = key.split(":")
    random = Random(int(seed))
    model = scratch / kind
    shutil.copytree(specimens / kind, model)
    {"bytes": _bytes, "digests": _digests, "manifest": _manifest, "files": replace_file}[what](
        random, model
    )
    ended = run(healthy.applied(kind, str(model)), folder=specimens)
    # A value that only the verb finds wrong is named as a parameter.
    verdict = of(ended, [kind, "=", "--"] if what == "manifest" else [kind])
    if verdict.what != FINE or ended.code != 0 or what in ("digests", "manifest"):
        return verdict  # with digests that agree another model is a model
    if _undamaged(kind, specimens) != _answer(ended.out):
        return Verdict(WRONG, f"another answer after damage of {what}: {ended.err[-200:]!r}")
    return Verdict(FINE)


@cache
def _undamaged(kind: str, specimens: Path) -> bytes:
    """What the model as it was answers."""
    return _answer(run(healthy.applied(kind, kind), folder=specimens).out)


def _answer(out: bytes) -> bytes:
    """What was printed, but for the time that it took."""
    return b"".join(line for line in out.splitlines(True) if not line.startswith(b"time "))


def files_of(model: Path) -> list[Path]:
    return sorted(path for path in model.rglob("*") if path.is_file())


def damage(random: Random, path: Path) -> None:
    data = path.read_bytes()
    if data:
        path.write_bytes(random.choice(PLAIN)(random, data))


def _bytes(random: Random, model: Path) -> None:
    damage(random, random.choice(files_of(model)))


def _digests(random: Random, model: Path) -> None:
    """Damage a file, and make the manifest's digests agree."""
    data = [path for path in files_of(model) if path.name != MANIFEST]
    if data:
        damage(random, random.choice(data))
    sealed(model, lambda content: None)


def _manifest(random: Random, model: Path) -> None:
    """Exchange a value of the manifest."""

    def change(content: Any) -> None:
        place, key = somewhere(random, content)
        if random.random() < 0.2:
            del place[key]
        else:
            place[key] = random.choice(VALUES)

    sealed(model, change)


def somewhere(random: Random, content: Any) -> tuple[Any, Any]:
    """A container within the content and a key of it."""
    found = []

    def walk(value: Any) -> None:
        items = (
            value.items()
            if isinstance(value, dict)
            else enumerate(value)
            if isinstance(value, list)
            else ()
        )
        for key, inner in list(items):
            found.append((value, key))
            walk(inner)

    walk(content)
    return random.choice(found)


def sealed(model: Path, change: Callable[[Any], None]) -> None:
    """Change the manifest, and make the digests of all manifests agree, those of the innermost first."""
    for manifest in sorted(model.rglob(f"*{MANIFEST}"), key=lambda path: -len(path.name)):
        prefix = manifest.name.removesuffix(MANIFEST)
        try:
            content = json.loads(manifest.read_bytes())
            for name in content["files"]:
                path = manifest.parent / f"{prefix}{name}"
                content["files"][name] = hashlib.sha256(path.read_bytes()).hexdigest()
            if not prefix:
                change(content)
            content["digest"] = own_digest(content)
        except (ValueError, TypeError, KeyError, AttributeError, OSError, RecursionError):
            continue  # a manifest that is damaged itself, or lists what is no longer there
        manifest.write_text(json.dumps(content))


def replace_file(random: Random, model: Path) -> None:
    """A file is missing, a link, a FIFO, a folder, unreadable, or there is one more."""
    path = random.choice(files_of(model))
    content = path.read_bytes()
    what = random.randrange(6)
    path.unlink()
    if what == 1:
        path.symlink_to(path.name)
    elif what == 2:
        os.mkfifo(path)
    elif what == 3:
        path.mkdir()
    elif what == 4:
        path.symlink_to("/dev/zero")
    elif what == 5:
        path.write_bytes(content)
        (model / "mine.py").write_text("raise SystemExit('a model ran code')\n")
