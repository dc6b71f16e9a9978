"""Other spellers as baselines, by the protocol of ispell."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from examples.experiments.ispell import ispell
from fstce.errors import MissingToolError


@pytest.mark.skipif(shutil.which("hunspell") is None, reason="hunspell is not here")
def test_hunspell_puts_its_first_suggestion() -> None:
    correct = ispell("hunspell")
    rows = [["we", "recieve", "teh", "47th", "."], [], ["house"]]
    assert correct(rows) == [["we", "receive", "the", "47th", "."], [], ["house"]]
    assert correct([["recieve"], ["."]]) == [["receive"], ["."]]


def test_a_program_that_is_not_here_is_named() -> None:
    with pytest.raises(MissingToolError, match="nosuchspell is not installed"):
        ispell("nosuchspell")


def test_a_word_that_a_program_says_nothing_of_shifts_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "quiet"
    program.write_text(
        '#!/bin/sh\necho "version"\nwhile read -r word; do case "$word" in\n'
        '^teh) echo "& teh 2 0: the, ten"; echo;; ^β) echo;; *) echo "*"; echo;; esac; done\n',
        encoding="utf-8",
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert ispell("quiet", ())([["β", "teh", "end", "β", "a"]]) == [["β", "the", "end", "β", "a"]]


@pytest.mark.parametrize("answers", ["", "Version 1.0\n", "Version 1.0\n*\n\n"])
def test_a_program_that_stops_answering_is_an_error(
    tmp_path: Path, monkeypatch, answers: str
) -> None:
    """Each word that has no answer would count as one that needs no change."""
    program = tmp_path / "mute"
    program.write_text(
        f"#!/usr/bin/env python3\nimport sys\nsys.stdin.read()\nprint({answers!r}, end='')\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(MissingToolError, match="mute -a -d en_US failed"):
        ispell("mute")([["teh", "cat"]])
