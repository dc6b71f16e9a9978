"""`fstce speller export`: what is asked for, each in its file, and nothing where that is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from speller_cases import LEXICON

from fstce import Speller
from fstce.machines.convert import read_machine


@pytest.fixture
def model(speller: Speller, tmp_path: Path) -> Path:
    speller.save(tmp_path / "model")
    return tmp_path / "model"


def test_each_form_goes_into_its_file(fstce: Any, model: Path, tmp_path: Path) -> None:
    forms = {"--far": "x.far", "--editdist": "e.txt", "--strings": "s.txt", "--hunspell": "words"}
    options = [word for name, file in forms.items() for word in (name, tmp_path / file)]
    code, out, err = fstce("speller", "export", model, *options)
    assert (code, out) == (0, "") and err.count("written: ") == len(forms)
    assert read_machine(f"{tmp_path}/x.far:errors").num_states() > 10
    words = (tmp_path / "words.dic").read_text(encoding="utf-8").splitlines()
    assert int(words[0]) == len(words) - 1 <= len(LEXICON)
    assert {word.partition("/")[0] for word in words[1:]} <= set(LEXICON)
    assert (tmp_path / "words.aff").is_file() and (tmp_path / "e.txt").stat().st_size


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "nothing to write"),
        (("--hunspell", "y", "--acceptor", "x.hfst"), "--acceptor goes with --zhfst or --far"),
        (("--zhfst", "x.zip"), "--zhfst"),
    ],
)
def test_what_is_wrong_is_one_line_and_nothing_is_written(
    fstce: Any, model: Path, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    before = set(tmp_path.iterdir())
    code, out, err = fstce("speller", "export", model, *options)
    assert (code, out) == (2, "") and message in err and err.count("\n") == 1
    assert set(tmp_path.iterdir()) == before
