"""Spellers: what they suggest, and in which capitals."""

from __future__ import annotations

from pathlib import Path

import pynini
import pytest
from speller_cases import LEXICON, TEST

from fstce import Speller
from fstce.errors import ParameterError
from fstce.speller.export import with_letters, write_speller
from fstce.speller.lexicon import LETTERS, LONGEST, Lexicon, acceptor, lexicon_of


def test_suggestions_are_what_composition_gives(speller: Speller) -> None:
    """The machines with letters as symbols, composed from outside."""
    errors, words = map(with_letters, speller.machines())
    for observed, _ in TEST[:20]:
        table = errors.input_symbols()
        if not all(table.member(letter) for letter in observed):
            continue
        tokens = pynini.accep(" ".join(observed), token_type=table)
        for fst in (errors, words):
            fst.set_input_symbols(None).set_output_symbols(None)
        tokens.set_input_symbols(None).set_output_symbols(None)
        path = pynini.shortestpath(
            pynini.compose(pynini.compose(tokens, errors).arcsort("olabel"), words)
        )
        [best] = speller.suggest([observed], 1)[0] or [None]
        if best is not None and observed not in LEXICON:
            assert float(
                pynini.shortestdistance(path, reverse=True)[path.start()]
            ) == pytest.approx(best.cost, abs=1e-3)
        errors, words = map(with_letters, speller.machines())


def test_a_saved_speller_suggests_the_same(speller: Speller, tmp_path: Path) -> None:
    observed = [row[0] for row in TEST[:30]]
    speller.save(tmp_path / "model")
    assert Speller.load(tmp_path / "model").suggest(observed) == speller.suggest(observed)
    with pytest.raises(ParameterError, match="one string"):
        speller.predict("teh")


def test_what_was_observed_wrong_is_no_word() -> None:
    lexicon = lexicon_of({"the": 9, "teh": 3, "ten": 1}, [("teh", "the"), ("tne", "ten")])
    assert set(lexicon.costs(["the", "teh"])) == {"the"}
    with pytest.raises(ParameterError, match="nothing to learn"):
        Speller().fit([("abc", "xyz")], ["xyz"])


def test_a_lexicon_of_another_script_says_so() -> None:
    with pytest.raises(ParameterError, match="none of the typos' letters: it is of another script"):
        Speller().fit([("домм", "дом"), ("сло-во", "слово")], ["house", "word-book"])


def test_suggestions_have_the_capitals_of_what_was_typed() -> None:
    lexicon = ["receive", "the", "relieve", "Paris", "NATO", "ôter", "re-lieve"]
    speller = Speller().fit([("recieve", "receive"), ("teh", "the")], lexicon)
    for observed, first in (
        ("recieve", "receive"),
        ("Recieve", "Receive"),
        ("RECIEVE", "RECEIVE"),
        ("Pairs", "Paris"),
        ("PAIRS", "PARIS"),
        ("pairs", "Paris"),
        ("NTAO", "NATO"),
        ("ÔTRE", "ÔTER"),
        ("rECIEVE", "receive"),  # with the caps lock on
        ("RecIeve", "Receive"),
        ("Re-Leive", "Re-lieve"),
        ("natp", "NATO"),  # a mistyped acronym in small letters
    ):
        assert speller.predict([observed])[0][0] == first, observed


def test_words_with_capitals_of_their_own_keep_them(fstce, tmp_path: Path) -> None:
    """Of all capitals nothing was right; ``Nato`` led to nothing, ``Iphome`` to a word of neither."""
    typos = [("recieve", "receive"), ("iphome", "iPhone"), ("pars", "Paris")]
    words = ["receive", "iPhone", "Paris", "NATO", "McCoy", "οδός", "straße"]
    speller = Speller().fit(typos, words)
    speller.save(tmp_path / "model")

    typed = ["Iphome", "Iphone", "Nato", "nato", "paris", "mccoy", "MCOY"]
    first = [speller.suggest([word])[0][0].word for word in typed]
    assert first == ["iPhone", "iPhone", "NATO", "NATO", "Paris", "McCoy", "MCCOY"]
    assert "STRASSE" in speller.predict(["STRASE"])[0]

    right = ["PARIS", "MCCOY", "IPHONE", "NATO", "Receive", "RECEIVE", "ΟΔΌΣ", "Οδός"]
    lines = "\n".join([*right, "Nato", "paris", "Mccoy", "Iphone"])
    out = fstce("speller", "suggest", tmp_path / "model", stdin=lines.encode()).out
    rows = [line.split("\t") for line in out.splitlines()]
    assert [row[0] for row in rows if row[:1] == row[1:2]] == right

    path = tmp_path / "x.zhfst"
    write_speller(speller, path)
    acceptor = lexicon_of(path)
    assert set(acceptor.costs(["iPhone", "IPhone", "IPHONE", "Paris", "PARIS"])) == {
        *("iPhone", "IPHONE", "Paris", "PARIS")
    }


def test_long_words_and_rare_letters_are_bounded() -> None:
    """A word of 300,000 letters took 6 GB, typos of 2,000 letters of their own 70 s."""
    han = [chr(0x4E00 + i) * 2 for i in range(1000)]
    typos = [("teh", "the"), ("x" * 300_000, "the"), *((word[0] + "x", word) for word in han)]
    speller = Speller().fit(typos, ["the", "y" * 300_000, *han])
    assert len(speller.errors_.letters) == LETTERS
    assert speller.predict(["x" * 300_000, "thee"]) == [[], ["the"]]
    assert speller.lexicon_.arrays.source.size < 3000
    long = "a" * (LONGEST + 1)
    assert Lexicon(acceptor([*map(ord, long)])).costs([long]) == {}


def test_a_fraction_is_of_no_other_script() -> None:
    with pytest.raises(ParameterError, match="of no typo the right form"):
        Speller().fit([("1/2", "½")], ["½", "¼"])
