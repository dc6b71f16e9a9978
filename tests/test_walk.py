"""The walk of docs/architecture.md is the one that a trace takes."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
TEXT = [
    line.split() for line in ("the cat saw the saw", "the saw saw the cat", "the cat saw a dog")
]
TAGS = {"the": "D", "a": "D", "cat": "N", "dog": "N", "saw": ("N", "V")}


def traced(run: Callable[[], Any]) -> list[str]:
    """The functions of fstce in the order of their first call, as ``fstce.wfsa.batch.pack``."""
    places = {
        f"{ROOT / room}/": name
        for room, name in (("fstce", "fstce"), ("grammars", "fstce.grammars"))
    }
    places[f"{ROOT / 'transducers'}/"] = "fstce.transducers"
    codes: dict[Any, str] = {}

    def profile(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        place = next((one for one in places if code.co_filename.startswith(one)), None)
        if event == "call" and place is not None and code not in codes and code.co_name[0] != "<":
            module = code.co_filename.removeprefix(place).removesuffix(".py").replace("/", ".")
            codes[code] = f"{places[place]}.{module}.{code.co_name}"

    sys.setprofile(profile)
    try:
        run()
    finally:
        sys.setprofile(None)
    return list(codes.values())


@pytest.fixture(scope="module")
def verb(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The walk of ``fstce tagger train``; what is loaded and remembered once is there before."""
    from fstce.cli.main import main

    folder = tmp_path_factory.mktemp("walk")
    (folder / "text.txt").write_text(
        "".join(f"{' '.join(row)}\n" for row in TEXT), encoding="utf-8"
    )
    rows = (
        f"{word}\t{' '.join([tags] if isinstance(tags, str) else tags)}\n"
        for word, tags in TAGS.items()
    )
    (folder / "words.tsv").write_text("".join(rows), encoding="utf-8")
    given = ["-d", str(folder / "words.tsv"), "-n", "trans1", "--order", "2", "--jobs", "1", "-q"]

    def train(output: str) -> None:
        command = ["tagger", "train", str(folder / "text.txt"), *given, "-o", str(folder / output)]
        assert main(command) == 0

    train("first")
    return traced(lambda: train("second"))


def test_the_walk_of_the_docs_is_that_of_the_trace(verb: list[str]) -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = text.partition("## From a file to a gradient")[2].partition("\n## ")[0]
    calls = re.findall(r"^\|[^|]+\| `([\w.]+)`", table, re.M)
    assert len(calls) == 10 and not set(calls) - set(verb)
    assert sorted(calls, key=verb.index) == calls
