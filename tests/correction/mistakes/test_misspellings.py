"""Lists of misspellings: pairs cut into edits, and a channel learnt from them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_edits import edit_cost

from fstce.correction.corrector import Corrector
from fstce.correction.mistakes.candidates import Candidates
from fstce.correction.mistakes.channel import Channel
from fstce.correction.mistakes.learned_channel import learned_channel
from fstce.correction.mistakes.likeness import KEYS, unlike
from fstce.correction.mistakes.misspellings import edits_of, read_misspellings
from fstce.errors import CorpusError, ParameterError

WORD = st.text("abci", min_size=1, max_size=6)
PAIRS = [
    ("recieve", "receive"),
    ("beleive", "believe"),
    ("freind", "friend"),
    ("wich", "which"),
    ("comming", "coming"),
]
WORDS = {word: 9 for _, word in PAIRS} | {
    "receives": 3,
    "wish": 20,
    "rich": 20,
    "combing": 9,
    "weird": 2,
    "fiend": 5,
}


@given(WORD, WORD)
def test_edits_lead_from_what_was_meant_to_what_was_typed(typed: str, meant: str) -> None:
    edits = edits_of(typed, meant)
    found = meant
    for edit in reversed(edits):
        assert found[edit.place : edit.place + len(edit.meant)] == edit.meant
        assert edit.before == (meant[edit.place - 1] if edit.place else "")
        found = found[: edit.place] + edit.typed + found[edit.place + len(edit.meant) :]
    assert found == typed
    assert len(edits) == edit_cost(typed, meant, 12, True, Channel())


def test_the_channel_prefers_what_the_list_has() -> None:
    channel = learned_channel(PAIRS * 3, Candidates(WORDS, 1, damerau=True, variants=False))
    assert channel.cost("h", "") < channel.cost("x", "") < channel.cost("r", "w")
    assert set(channel.whole) <= set(KEYS) and min(channel.confusions.values()) >= 0
    found = Candidates(WORDS, 1, damerau=True, channel=channel)
    cost = {row.word: row.cost for row in found.of(["wich"])["wich"]}
    assert cost["which"] < cost["wish"]
    with pytest.raises(ParameterError, match="none of the misspellings is within reach"):
        learned_channel([("xxxxxx", "receive")], Candidates(WORDS, 1))


def test_whole_words_cost_as_their_keys_say() -> None:
    channel = Channel(whole={"first": 2.0, "sound": 0.5})
    rows = Candidates(WORDS, 2, damerau=True, channel=channel).of(["rish", "Fiend", "wich"])
    bare = Candidates(WORDS, 2, damerau=True).of(list(rows))
    for typed, found in rows.items():
        plain = {row.word: row.cost for row in bare[typed]}
        for row in found[1:]:
            extra = np.dot(unlike(typed, row.word), [channel.whole.get(key, 0.0) for key in KEYS])
            assert row.cost == pytest.approx(plain[row.word] + extra)


def test_a_corrector_learns_from_them_and_is_saved(tmp_path: Path) -> None:
    text = [["they", word, "it"] for word in WORDS] * 12
    corrector = Corrector(criterion="none", spell=2).fit(text, misspellings=[*PAIRS, ("alot", "a lot")])
    assert corrector.channel_ is not None and corrector.tuning_ is not None
    typed = [["they", "recieevs", "it"], ["they", "whic", "it"]]
    corrector.save(tmp_path / "model")
    again = Corrector.load(tmp_path / "model")
    assert again.channel_ == corrector.channel_ and again.correct(typed) == corrector.correct(typed)
    given_one = Corrector(criterion="none", channel=Channel(2.0)).fit(text, misspellings=PAIRS)
    assert given_one.channel_ is None
    learnt_before = Corrector(criterion="none", spell=2).fit(text, misspellings=corrector.channel_)
    assert learnt_before.correct(typed) == corrector.correct(typed)


def test_two_edits_are_for_words_that_are_unknown() -> None:
    text = [["they", word, "it"] for word in WORDS] * 8
    corrector = Corrector(criterion="none", spell=2, prune=0.0).fit(text)
    found = corrector.neighborhood(weighted=True)(["they", "rich", "whichxx"])
    assert found.accepts(["they", "wich", "which"]) is False and found.accepts(["they", "rich", "which"])
    assert not found.accepts(["they", "receive", "rich"])


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("teh\tthe\n\nforbad\tforbade, forbid\n", encoding="utf-8")
    assert read_misspellings(path) == (("teh", "the"), ("forbad", "forbade"), ("forbad", "forbid"))
    path.write_text("teh\n", encoding="utf-8")
    with pytest.raises(CorpusError, match=r"pairs\.tsv:1: expected"):
        read_misspellings(path)
    path.write_text("", encoding="utf-8")
    with pytest.raises(CorpusError, match="holds no misspelling"):
        read_misspellings(path)
    with pytest.raises(ParameterError, match="misspellings: 'ab' is no pair"):
        Corrector().fit([["a"]], misspellings=["ab"])  # type: ignore[list-item]
