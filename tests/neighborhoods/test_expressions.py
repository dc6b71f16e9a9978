"""Expressions of neighborhoods: precedence, functions, and where each mistake is pointed at."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce import neighborhood
from fstce.errors import FstceError, NeighborhoodError
from fstce.neighborhoods.algebra import Restriction
from fstce.neighborhoods.base import Neighborhood
from fstce.neighborhoods.expressions import is_expression, parse
from fstce.neighborhoods.shipped import names

A, B, C = (neighborhood(name) for name in ("trans1", "del1word", "del1subseq"))
WORDS = ["see", "the", "dog", "see"]


def strings(kind: Neighborhood) -> set[tuple[str, ...]]:
    return set(kind(WORDS).strings())


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("trans1 | del1word", A | B),
        ("TRANS1|Del1Word", A | B),
        ("trans1 | del1word & del1subseq", A | (B & C)),
        ("(trans1 | del1word) & del1subseq", (A | B) & C),
        ("del1subseq - del1word - del1word", (C - B) - B),
        ("del1subseq - (del1word - del1word)", C - (B - B)),
        ("del1subseq - del1word & del1word", (C - B) & B),
        ("del1subseq - trans1 @ trans1", C - (A @ A)),
        ("trans1 @ del1word @ trans1", (A @ B) @ A),
        ("  ( ( trans1 ) ) | 'del1word' ", A | B),
        ("restrict(del1word, function-words)", Restriction(B, ["the"])),
        (
            "restrict(trans1 | del1word, content-words) @ trans1",
            Restriction(A | B, ["see", "dog"]) @ A,
        ),
    ],
)
def test_an_expression_is_what_python_says(text: str, meant: Neighborhood) -> None:
    assert strings(neighborhood(text)) == strings(meant)


def test_the_cases_tell_precedence_apart() -> None:
    assert strings(A | (B & C)) != strings((A | B) & C)
    assert strings((C - B) - B) != strings(C - (B - B))
    assert strings((C - B) & B) != strings(C - (B & B))
    assert strings(C - (A @ A)) != strings((C - A) @ A)


@pytest.mark.parametrize(
    "name",
    [*names(), "training-set", "half:first", "window3", "c++.py", "./my-file.py", "a.far:key-1"],
)
def test_one_name_is_no_expression(name: str) -> None:
    assert not is_expression(name)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("trans1 |", r"character 9: no expression goes on so; it has names"),
        ("| trans1", r"character 1: no expression goes on so"),
        ("trans1 @@ del1word", r"character 9: no expression goes on so"),
        ("(trans1 | del1word", r"character 1: no expression goes on so"),
        ("trans1) | del1word", r"character 7: no expression goes on so"),
        ("trans1 | del1word del1subseq", r"character 19: no expression goes on so"),
        (
            "trans1 | dellword",
            r"character 10: unknown neighborhood 'dellword'; did you mean 'del1word'",
        ),
        ("trans1 | $", r"character 10: '\$' cannot stand there"),
        ("trans1 | 'open", r"character 10: \"'\" cannot stand there"),
        (
            "restrict(del1word, zoo)",
            r"character 20: no class of words 'zoo': known are function-words, ",
        ),
        ("restrict(del1word, )", r"character 1: no expression goes on so"),
        ("restrict(, a)", r"character 10: no expression goes on so"),
        ("training-set | trans1", r"character 1: training-set is no transducer"),
        ("trans1 | ./no.py", r"character 10: no.py: no such file"),
        ("()", r"character 1: no expression goes on so"),
    ],
)
def test_a_mistake_is_pointed_at(text: str, message: str) -> None:
    with pytest.raises(NeighborhoodError, match=message) as caught:
        neighborhood(text)
    assert str(caught.value).startswith(repr(text))


@given(st.text(alphabet="trans1|&@()-*, 'x", max_size=12))
def test_nonsense_is_an_error_of_ours_or_a_neighbourhood(text: str) -> None:
    try:
        assert isinstance(parse(text, neighborhood), Neighborhood)
    except FstceError as error:
        assert "character" in str(error)


def test_deep_brackets_are_parsed() -> None:
    assert strings(parse("(" * 50 + "trans1" + ")" * 50, neighborhood)) == strings(A)


def test_brackets_without_end_are_refused() -> None:
    with pytest.raises(NeighborhoodError, match=r"goes on so|too many brackets"):
        parse("(" * 5_000 + "trans1" + ")" * 5_000, neighborhood)
    with pytest.raises(NeighborhoodError, match="too many brackets"):
        parse(" | ".join(["trans1"] * 5_000), neighborhood)


def test_a_class_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my words.txt").write_text("dog\n")
    (tmp_path / "dogs.txt").write_text("dog\ncat\n")
    for name in ("dogs.txt", "./dogs.txt", "'my words.txt'"):
        kind = neighborhood(f"restrict(del1word, {name})")
        assert strings(kind) == {tuple(WORDS), ("see", "the", "see")}
        assert strings(neighborhood(kind.name)) == strings(kind)
