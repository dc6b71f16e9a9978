"""Features of tokens: whatever the word, its context comes back, and templates add no others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fstce.grammars.token_features import SEPARATOR, build, in_context, middle

WORDS = st.text(st.characters(exclude_characters=SEPARATOR), max_size=6)


@given(WORDS, WORDS, WORDS)
def test_a_symbol_of_three_words_has_the_one_in_the_middle(
    left: str, word: str, right: str
) -> None:
    token = in_context(left, word, right)
    assert middle(token) == middle(word) == word
    features = build(token, (), {})
    assert features == (f"word={word}", f"left={left}", f"right={right}")


@given(WORDS)
def test_templates_and_lists_only_add_and_nothing_twice(word: str) -> None:
    bare = build(word, (), {})
    rich = build(word, ("form", "spelling"), {word: ("river", "town", "river")})
    assert rich[: len(bare)] == bare == (f"word={word}",)
    assert len(set(rich)) == len(rich)
    assert {"gazetteer=river", "gazetteer=town"} <= set(rich)
    assert any(name.startswith("shape=") for name in rich)
