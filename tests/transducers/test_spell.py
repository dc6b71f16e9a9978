"""The shipped transducer spell against the definition of the distance, and what it is good for."""

from __future__ import annotations

import oracles_neighbors
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fstce import TagDictionary, Tagger, neighborhood
from fstce.corpora import sample
from fstce.corpora.vocabulary import Vocabulary
from fstce.errors import NeighborhoodError
from fstce.machines import check_lattice
from fstce.neighborhoods.pairs import pairs
from fstce.transducers.spell import Spellings

LISTED = ["ab", "ba", "abc", "b", "cab", "é", "bb", "acb", "A"]
WORD = st.text("abcé", min_size=1, max_size=4)


@given(WORD, st.integers(1, 3), st.booleans())
def test_words_near_a_word_are_those_within_so_many_edits(
    word: str, k: int, transposition: bool
) -> None:
    near = Spellings(Vocabulary(dict.fromkeys(LISTED, 1)), k, transposition).of(word)
    wanted = {v for v in LISTED if oracles_neighbors.levenshtein(word, v, transposition) <= k} | {
        word
    }
    assert set(near) == wanted
    assert len(near) == len(wanted) and near[0] == word


def test_a_transposition_is_two_edits_unless_one_asks() -> None:
    vocabulary = Vocabulary({"from": 3, "form": 2})
    assert Spellings(vocabulary, 1).of("form") == ("form",)
    assert Spellings(vocabulary, 2).of("form") == ("form", "from")
    assert Spellings(vocabulary, 1, transposition=True).of("form") == ("form", "from")


@settings(deadline=None, max_examples=30)
@given(st.lists(WORD, min_size=1, max_size=3), st.integers(1, 2), st.booleans())
def test_it_equals_the_definition(words: list[str], k: int, transposition: bool) -> None:
    kind = neighborhood(f"spell{k}").with_vocabulary(Vocabulary(dict.fromkeys(LISTED, 1)))
    lattice = kind.with_options(transposition=transposition)(words)
    assert set(lattice.strings()) == oracles_neighbors.spell(words, LISTED, k, transposition)
    assert len(lattice) == len(words) + 1  # a sausage
    check_lattice(lattice.to_fst(), kind.name)


def test_by_name_and_file(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "words.tsv"
    path.write_text("the\t9\nten\t2\nhet\t1\n")
    assert neighborhood(f"spell1({path})")(["the", "zzz"]).strings() == [("the", "zzz")]
    wide = neighborhood(f"spell1({path}, transposition=yes)")(["teh"]).strings()
    assert set(wide) == {("teh",), ("ten",), ("the",)}
    with pytest.raises(NeighborhoodError, match="transposition=perhaps: say yes or no"):
        neighborhood(f"spell1({path}, transposition=perhaps)")
    with pytest.raises(NeighborhoodError, match="unknown neighborhood 'spell4'"):
        neighborhood("spell4")


def test_it_combines_pairs_and_trains() -> None:
    text = [sentence for sentence in sample() if len(sentence) < 12][:40]
    words = Vocabulary.of(text)
    kind = neighborhood("spell1 | trans1").with_vocabulary(words)
    first = text[0].words
    spelt = neighborhood("spell1").with_vocabulary(words)(first)
    assert kind(first).count() == len({*spelt.strings(), *neighborhood("trans1")(first).strings()})

    changes = {row["change"] for row in pairs(neighborhood("spell1"), [["it", "cat"], ["at"]])}
    assert changes == {"substitution", "several"}

    dictionary = TagDictionary.from_corpus(text)
    tagger = Tagger(neighborhood="spell1", order=2, max_iterations=5).fit(
        text, dictionary=dictionary
    )
    steps = tagger.training_.steps
    assert steps[-1].objective > steps[0].objective
