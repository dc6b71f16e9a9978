"""``fstce speller suggest``: words for what is typed."""

from __future__ import annotations

from pathlib import Path

from fstce import Speller


def test_a_word_that_is_right_is_its_own_first_suggestion(fstce, tmp_path: Path) -> None:
    """Nothing told it from a typo: only others were suggested for it."""
    model = tmp_path / "model"
    Speller().fit([("teh", "the")], ["the", "ten", "tea", "Paris"]).save(model)
    typed = "the\nThe\nteh\nParis\nparis\n" + "the" * 50 + "\n"
    code, out, _ = fstce("speller", "suggest", model, "--number", 2, stdin=typed.encode())
    assert code == 0
    first = [line.split("\t")[1:2] for line in out.splitlines()]
    assert first == [["the"], ["The"], ["the"], ["Paris"], ["Paris"], []]
    _, out, _ = fstce("speller", "suggest", model, "--costs", stdin=b"the\n")
    assert out.startswith("the\tthe 0.0000\t")
