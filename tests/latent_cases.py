"""A small treebank and quick trainings of grammars, for tests of the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fstce.corpora import sample

QUICK = ("--split-iterations", 3, "--merge-iterations", 1, "--smooth-iterations", 1)
SETTINGS: dict[str, Any] = {"split_iterations": 3, "merge_iterations": 1, "smooth_iterations": 1}


def small_treebank(folder: Path) -> Path:
    """A small treebank of phrases as a file."""
    path = folder / "trees.mrg"
    path.write_text("".join(f"{sentence.tree}\n" for sentence in sample()[:30]), encoding="utf-8")
    return path


def files(folder: Path) -> dict[str, bytes]:
    """What a folder holds."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}
