"""What lookups print, as dictionaries."""

from __future__ import annotations

from pathlib import Path

import pytest

from fstce.corpora import TagDictionary
from fstce.corpora.lookups import is_lookup


def test_escapes_of_an_expansion_are_those_of_its_letters(tmp_path: Path) -> None:
    lines = (r"cats:cat<n><pl>", r"a\:b:a\:b<n>", r"\<x\>:\<x\><sym>")
    (tmp_path / "a.txt").write_text("\n".join(lines) + "\n")
    found = TagDictionary.from_file(tmp_path / "a.txt")
    assert dict(found) == {"cats": ("n",), "a:b": ("n",), "<x>": ("sym",)}


@pytest.mark.parametrize("weight", ["", "\t0", "\t0.5", "\t0,500000", "\t1e-05", "\tinf"])
@pytest.mark.parametrize("prompt", ["", "> "])
def test_weights_and_prompts_of_lookups(tmp_path: Path, weight: str, prompt: str) -> None:
    """Weights with a comma, as some languages write them, and the prompt were no lookup."""
    path = tmp_path / "a.txt"
    path.write_text(f"{prompt}dogs\tdog+N+Pl{weight}\n{prompt}dogs\tdog+V{weight}\n\n")
    assert TagDictionary.from_file(path)["dogs"] == ("N", "V")


@pytest.mark.parametrize("line", ["From: Ann Lee <ann@example.org>", "Contact: <http://a.example>"])
def test_the_head_of_a_letter_is_no_expanded_dictionary(line: str) -> None:
    assert not is_lookup([line])
