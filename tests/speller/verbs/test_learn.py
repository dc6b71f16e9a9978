"""``fstce speller``: it learns, evaluates, suggests and exports."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from speller_cases import LEXICON, TEST, TRAINING

from fstce.cli.main import main
from fstce.machines.convert import read_machine
from fstce.speller.lexicon import LETTERS


def test_the_program_learns_evaluates_suggests_and_exports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, rows in (("train", TRAINING), ("test", TEST)):
        (tmp_path / f"{name}.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in rows))
    (tmp_path / "words.tsv").write_text(
        "".join(f"{name}\t{count}\n" for name, count in LEXICON.items())
    )
    model = str(tmp_path / "model")
    learn = [
        "speller",
        "learn",
        str(tmp_path / "train.tsv"),
        "--lexicon",
        str(tmp_path / "words.tsv"),
    ]
    main([*learn, "-o", model, "-q"])
    assert capsys.readouterr() == ("", "")
    main(
        [
            "speller",
            "evaluate",
            model,
            str(tmp_path / "test.tsv"),
            "--json",
            "--quiet",
        ]
    )
    record = json.loads(capsys.readouterr().out)
    assert record["reachable"] > record["among_five"] // 2 > 0
    main(["speller", "evaluate", model, str(tmp_path / "test.tsv")])
    assert "% among five" in capsys.readouterr().out
    observed, intended = next(row for row in TRAINING if "á" in row[1])
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(f"{observed}\n\n".encode())))
    main(["speller", "suggest", model, "--costs"])
    out = capsys.readouterr().out
    assert out.startswith(f"{observed}\t")
    assert intended in out
    options = ["--far", str(tmp_path / "x.far"), "--editdist", str(tmp_path / "x.txt")]
    main(["speller", "export", model, *options, "--quiet"])
    assert read_machine(f"{tmp_path}/x.far:errors").num_states() > 10
    assert read_machine(f"{tmp_path}/x.far:acceptor").num_states() > 100
    assert "\ná\n" in (tmp_path / "x.txt").read_text()
    main(["info", model])
    assert "edits of strings" in capsys.readouterr().out
    assert main(["speller", "export", model]) == 2
    assert "nothing to write" in capsys.readouterr().err
    assert (
        main(["speller", "export", model, "--hunspell", f"{tmp_path}/y", "--acceptor", "x.hfst"])
        == 2
    )
    assert "--acceptor goes with" in capsys.readouterr().err


def test_letters_that_are_too_many_to_be_edited_are_told(fstce, tmp_path: Path) -> None:
    """Typos of 6,000 letters were all said to be within reach, and then had no suggestions."""
    words = [chr(0x4E00 + number) * 2 for number in range(LETTERS + 1)]
    for most, is_told in ((LETTERS + 1, True), (LETTERS // 3, False)):
        typos = "".join(f"{word[0]}\t{word}\n" for word in words[:most])
        (tmp_path / "typos.tsv").write_text(typos)
        (tmp_path / "words.txt").write_text("\n".join(words[:most]))
        run = fstce(
            *("speller", "learn", tmp_path / "typos.tsv"),
            *("--lexicon", tmp_path / "words.txt", "--lexicon-format", "list"),
            *("-o", tmp_path / f"model{most}"),
        )
        assert (f"{LETTERS} are edited" in run.err) == is_told
