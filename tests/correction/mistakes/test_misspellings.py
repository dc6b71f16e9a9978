"""Lists of misspellings: pairs cut into edits, and a channel learned from them."""

from __future__ import annotations

from pathlib import Path

import pynini
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles_edits import edit_cost_by_place

from fstce.correction.corrector import Corrector
from fstce.correction.mistakes.candidates import Candidates
from fstce.correction.mistakes.misspellings import LearnedChannel, learned_channel
from fstce.errors import CorpusError, ParameterError
from fstce.speller.channel import Channel
from fstce.speller.error_model import ErrorModel
from fstce.speller.speller import Speller
from fstce.speller.typos import read_typos

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


def test_the_channel_prefers_what_the_list_has() -> None:
    channel = learned_channel(PAIRS * 3, Candidates(WORDS, 1))
    costs = channel.costs("hxrw")
    assert costs.edit(1, 1, 0) < costs.edit(1, 2, 0) < costs.edit(1, 3, 4)
    assert (
        min(channel.costs("aehirx").edit(place, 0, i) for place in range(3) for i in range(1, 7))
        > 0
    )
    found = Candidates(WORDS, 1, channel=channel)
    cost = {row.word: row.cost for row in found.of(["wich"])["wich"]}
    assert cost["which"] < cost["wish"]
    with pytest.raises(ParameterError, match="none of the misspellings is within reach"):
        learned_channel([("xxxxxx", "receive")], Candidates(WORDS, 1))


ERRORS = ErrorModel(
    "abci",
    {
        **{
            "substitution": 3.0,
            "insertion": 2.5,
            "deletion": 2.0,
            "transposition": 1.5,
            "two": 0.5,
        },
        **{
            "begin": 0.75,
            "end": -0.25,
            "deletion end": 0.5,
            "a>b": -0.5,
            "substitution vowels": -1.0,
        },
        **{
            "insertion double": -1.25,
            "string a>bc": -1.5,
            "context ai>bi": -1.0,
            "b> begin": -0.125,
        },
    },
)


@settings(max_examples=60)
@given(st.dictionaries(WORD, st.integers(0, 3), min_size=1, max_size=25), WORD, st.integers(1, 2))
def test_costs_are_those_of_the_cheapest_way(
    vocabulary: dict[str, int], observed: str, k: int
) -> None:
    channel = LearnedChannel(errors=ERRORS)
    for row in Candidates(vocabulary, k, channel=channel).of([observed])[observed][1:]:
        assert row.cost == pytest.approx(edit_cost_by_place(observed, row.word, k, ERRORS))


def test_letters_that_no_misspelling_had_cost_as_their_class() -> None:
    channel = LearnedChannel(errors=ERRORS)
    costs = channel.costs("aéèß")
    # Vowels
    assert costs.edit(1, 2, 3) == costs.edit(1, 3, 2) == 2.0 and costs.edit(1, 4, 2) == 3.0
    assert channel.costs("éè").swap(1, 1, 2) == 1.5


def test_a_corrector_learns_from_them_and_is_saved(tmp_path: Path) -> None:
    text = [["they", word, "it"] for word in WORDS] * 12
    corrector = Corrector(criterion="none", spell=2).fit(
        text, misspellings=[*PAIRS, ("alot", "a lot")]
    )
    assert corrector.channel_ is not None and corrector.tuning_ is not None
    observed = [["they", "recieevs", "it"], ["they", "whic", "it"]]
    corrector.save(tmp_path / "model")
    again = Corrector.load(tmp_path / "model")
    assert again.channel_ == corrector.channel_ and again.correct(observed) == corrector.correct(
        observed
    )
    given_one = Corrector(criterion="none", channel=Channel(2.0)).fit(text, misspellings=PAIRS)
    assert given_one.channel_ is None
    learnt_before = Corrector(criterion="none", spell=2).fit(text, misspellings=corrector.channel_)
    assert learnt_before.correct(observed) == corrector.correct(observed)


def test_a_speller_lends_its_errors_and_its_words() -> None:
    text = [["they", word, "it"] for word in ("wish", "rich", "weird")] * 12
    speller = Speller().fit(PAIRS, {**WORDS, "<s>": 1})
    corrector = Corrector(criterion="none").fit(text, speller=speller)
    assert corrector.channel_ == LearnedChannel(errors=speller.errors_)
    assert dict(corrector.lexicon_) == {
        word: round((count + 1) / 2) for word, count in WORDS.items()
    }
    assert corrector.predict([["they", "recieve", "it"]]) == [["they", "receive", "it"]]
    own = Corrector(criterion="none").fit(text, lexicon={"wish": 3}, speller=speller)
    assert dict(own.lexicon_) == {"wish": 3} and own.channel_ == corrector.channel_
    with pytest.raises(ParameterError, match="speller and misspellings: the channel is of one"):
        corrector.fit(text, misspellings=PAIRS, speller=speller)
    with pytest.raises(ParameterError, match="give a trained Speller"):
        corrector.fit(text, speller=PAIRS)  # type: ignore[arg-type]
    endless = Speller().fit(PAIRS, pynini.union(*WORDS, pynini.accep("a").closure(1)).optimize())
    with pytest.raises(ParameterError, match="words without end; give a lexicon"):
        corrector.fit(text, speller=endless)


def test_two_edits_are_for_words_that_are_unknown() -> None:
    text = [["they", word, "it"] for word in WORDS] * 8
    corrector = Corrector(criterion="none", spell=2, prune=0.0).fit(text)
    found = corrector.neighborhood(weighted=True)(["they", "rich", "whichxx"])
    assert found.accepts(["they", "wich", "which"]) is False and found.accepts(
        ["they", "rich", "which"]
    )
    assert not found.accepts(["they", "receive", "rich"])


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("teh\tthe\n\nforbad\tforbade, forbid\n", encoding="utf-8")
    pairs = read_typos(path)
    assert pairs == (("teh", "the"), ("forbad", "forbade"), ("forbad", "forbid"))
    path.write_text("teh->the\nforbad -> forbade, forbid\n", encoding="utf-8")
    assert read_typos(path) == pairs
    for text in ("teh\n", ""):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(CorpusError, match=r"pairs\.tsv: holds no typo"):
            read_typos(path)
    with pytest.raises(ParameterError, match="misspellings: 'ab' is no pair"):
        Corrector().fit([["a"]], misspellings=["ab"])  # type: ignore[list-item]
