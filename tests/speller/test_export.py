"""Archives of spellers, as lexicons and as hfst-ospell runs them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from zipfile import ZipFile

import pytest
from speller_cases import LEXICON, TEST

from fstce import Speller
from fstce.errors import MachineError
from fstce.machines.convert import write_machine
from fstce.machines.hfst import ERRORS, zhfst_member
from fstce.speller.export import with_letters, write_speller
from fstce.speller.lexicon import Lexicon, lexicon_of


def test_an_archive_is_a_lexicon(speller: Speller, tmp_path: Path) -> None:
    write_speller(speller, tmp_path / "x.zhfst", "xx")
    with ZipFile(tmp_path / "x.zhfst") as archive:
        assert b"<locale>xx</locale>" in archive.read("index.xml")
    again = lexicon_of(tmp_path / "x.zhfst")
    for known in [*LEXICON][:50]:
        [cost] = speller.lexicon_.costs([known]).values()
        assert again.costs([known]) == pytest.approx({known: speller.exponent_ * cost}, abs=1e-3)
    assert not again.costs(["bcdfg"])
    with pytest.raises(MachineError, match="no speller, a zip archive"):
        zhfst_member(b"PK", "x.zhfst", ERRORS)


def test_hfst_ospell_suggests_the_same(speller: Speller, tmp_path: Path) -> None:
    """All suggestions, in order, with their weights. Its own -n prunes paths that it needs later."""
    if shutil.which("hfst-ospell") is None:
        pytest.skip("hfst-ospell is not installed")
    write_speller(speller, tmp_path / "x.zhfst", "xx")
    observed = [row[0] for row in TEST if not speller.lexicon_.costs(row[:1])]
    command = ["hfst-ospell", "-S", str(tmp_path / "x.zhfst")]
    lines = subprocess.run(
        command,
        input="".join(f"{row}\n" for row in observed),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    theirs: dict[str, list[tuple[str, float]]] = {row: [] for row in observed}
    asked = ""
    for line in lines:
        if line.startswith("Corrections for"):
            asked = line.split('"')[1]
        elif "    " in line:
            suggested, weight = line.split("    ")
            theirs[asked].append((suggested, float(weight)))
    ours = dict(zip(observed, speller.suggest(observed, 1000), strict=True))
    assert sum(map(len, ours.values())) > len(observed)
    for row in observed:
        assert {word for word, _ in theirs[row]} == {suggestion.word for suggestion in ours[row]}
        weights = [suggestion.cost for suggestion in ours[row]]
        assert [weight for _, weight in theirs[row]] == pytest.approx(weights, abs=1e-3)


def test_their_acceptor_goes_into_the_archive(speller: Speller, tmp_path: Path) -> None:
    words = Lexicon.of_counts({"guolli": 1, "beana": 3}).machine
    write_machine(with_letters(words), tmp_path / "theirs.hfstol")
    write_machine(with_letters(words), tmp_path / "theirs.hfst")
    for name in ("theirs.hfstol", "theirs.hfst"):
        write_speller(speller, tmp_path / "x.zhfst", "se", tmp_path / name)
        lexicon = lexicon_of(tmp_path / "x.zhfst")
        assert set(lexicon.costs(["guolli", next(iter(LEXICON))])) == {"guolli"}


def test_a_lexicon_of_capitals_alone_becomes_an_archive(tmp_path: Path) -> None:
    speller = Speller().fit([("NTAO", "NATO"), ("UO", "UNO")], ["NATO", "UNO", "EU"])
    write_speller(speller, tmp_path / "a.zhfst")
    assert ZipFile(tmp_path / "a.zhfst").testzip() is None
