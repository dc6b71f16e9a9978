"""A small treebank and quick trainings of grammars."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fstce.corpora import Sentence, sample
from fstce.latent.model.split_grammar import SplitHierarchy
from fstce.latent.training.estimates import EMMonitor, Schedule
from fstce.latent.training.trainer import Trainer
from fstce.latent.training.treebank import read_treebank

QUICK = ("--split-iterations", 3, "--merge-iterations", 1, "--smooth-iterations", 1)
SETTINGS: dict[str, Any] = {"split_iterations": 3, "merge_iterations": 1, "smooth_iterations": 1}


def train(
    sentences: Iterable[Sentence],
    *,
    seed: int = 0,
    monitor: EMMonitor | None = None,
    **schedule: Any,
) -> SplitHierarchy:
    """A hierarchy of grammars learned from trees; ``schedule``: the fields of ``Schedule``."""
    *_, hierarchy = Trainer(read_treebank(sentences), Schedule(**schedule), seed, monitor).cycles()
    return hierarchy


def small_treebank(folder: Path) -> Path:
    """A small treebank of phrases as a file."""
    path = folder / "trees.mrg"
    path.write_text("".join(f"{sentence.tree}\n" for sentence in sample()[:30]), encoding="utf-8")
    return path


def files(folder: Path) -> dict[str, bytes]:
    """What a folder holds."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}
