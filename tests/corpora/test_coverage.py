"""How a dictionary fits a text."""

from __future__ import annotations

import pytest

from fstce import Tagger
from fstce.console.texts import coverage_sheets
from fstce.corpora import TagDictionary
from fstce.corpora.coverage import Coverage, unmapped, with_marks, without_slips
from fstce.errors import DictionaryError

TEXT = [["the", "old", "clock", "stopped", "."], ["the", "clock", "rang", "."]]
GOOD = {"the": "DET", "old": "ADJ", "clock": "NOUN", "stopped": "VERB", "rang": "VERB"}


def test_tokens_are_counted() -> None:
    dictionary = TagDictionary({**GOOD, "old": ("ADJ", "NOUN")})
    found = Coverage.of(dictionary, TEXT)
    assert (found.n_words, found.n_listed, found.n_other_case, found.n_tags) == (9, 7, 0, 0)
    assert found.single.total() == 6
    assert found.unlisted == {".": 2}
    assert "ADP" in found.lacking and "DET" not in found.lacking
    found.check("words.tsv")
    assert found.doubts(dictionary) == []


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        (
            {tag: word for word, tag in GOOD.items()},
            "lists 0 of 9 words of the text; the columns look",
        ),
        (
            {word.upper(): tag for word, tag in GOOD.items()},
            "lists 0 of 9 words .*; 7 match in another case",
        ),
        (
            {"lamp": "NOUN"},
            "a.tsv: lists 0 of 9 words of the text; it lacks the .*; no word is ADP",
        ),
        ({"lamp": "N"}, "a.tsv: lists 0 of 9 words of the text; it lacks the [a-z ]*$"),
        (
            {"lamp": ("clock", "the"), "rang": "old"},
            "lists 1 of 9 words of the text; the columns look",
        ),
    ],
)
def test_what_lists_next_to_nothing_is_refused(entries: dict[str, str], message: str) -> None:
    with pytest.raises(DictionaryError, match=message):
        Coverage.of(TagDictionary(entries), TEXT).check("a.tsv")


def test_what_somebody_should_know() -> None:
    dictionary = TagDictionary({"OLD": "ADJ", "STOPPED": "VERB", "clock": "NOUN"})
    found = Coverage.of(dictionary, TEXT)
    found.check("a.tsv")
    case, few, common = found.doubts(dictionary)
    assert few.startswith("the dictionary lists 2 of 9 words; each of the others gets one of its 3")
    assert "lists 2 of 9 words in another case" in case
    assert common.startswith("the dictionary lacks common words") and ": the " in common
    assert "no word is ADP AUX CCONJ DET" in common


def test_which_classes_are_lacking_is_known_of_universal_tags_alone() -> None:
    """It said that none was, of UniMorph's N and V too."""
    for tag, said in (("N", "not known of these tags"), ("NOUN", "ADP AUX CCONJ")):
        found = Coverage.of(TagDictionary({"the": tag, "clock": tag}), TEXT)
        (_, rows), _ = coverage_sheets(found)
        assert dict(rows)["closed classes of no word"].startswith(said)


def test_a_word_is_known_where_its_capital_says_nothing() -> None:
    listed = TagDictionary(
        {"the": "DET", "may": ("AUX", "NOUN"), "Paris": "PROPN", "rose": "NOUN"},
        counts={"may": {"AUX": 3, "NOUN": 1}},
        usual={},
    )
    text = [['"', "The", "RoSe", "may"], ["May", "PARIS", "A"], ["Miss", "Rose"], ["THE", "Wug"]]
    found = listed.for_text(text)
    assert {word: found[word] for word in found if word not in listed} == {
        "The": ("DET",),
        "May": ("AUX", "NOUN"),
        "PARIS": ("PROPN",),
        "THE": ("DET",),
    }
    assert found.counts["May"] == {"AUX": 3, "NOUN": 1}
    assert listed.for_text([["the"]]) == listed


def test_a_tagger_knows_the_first_word_of_its_sentences() -> None:
    text = [["The", "clock", "rang"], ["The", "old", "clock", "stopped"]]
    tagger = Tagger("trans1", order=1, max_iterations=1).fit(text, dictionary=GOOD)
    assert tagger.dictionary_.lookup("The") == ("DET",)


def test_slips_marks_and_maps() -> None:
    counted = TagDictionary(
        {"a": ("D", "N", "V"), "b": "N"}, counts={"a": {"D": 970, "N": 25, "V": 5}}
    )
    assert dict(without_slips(counted)) == {"a": ("D", "N"), "b": ("N",)}
    words = ["1", "1.5", "10:30", "50%", "½", "...", "$", "«", "-", "x1", "b"]
    added = with_marks(counted, words, "P", "Q")
    assert [added.get(word) for word in words] == [("Q",)] * 5 + [("P",)] * 4 + [None, ("N",)]
    assert unmapped(counted, {"D": "N"}) == ["V"]
    mapped = counted.mapped({"D": "X", "N": "X"})
    assert mapped["a"] == ("V", "X") and mapped.counts["a"] == {"X": 995, "V": 5}
    assert mapped.tagset == ("V", "X")


def test_marks_have_the_tags_that_the_tagset_has_for_them() -> None:
    words = ["?", "%", "7", "7%", "…", "x"]
    added = with_marks(TagDictionary({"la": "DET", ".": "PUNCT", "3": "NUM", "+": "SYM"}), words)
    assert [added.get(word) for word in words] == [
        ("PUNCT",),
        ("PUNCT", "SYM"),
        ("NUM",),
        ("NUM",),
        ("PUNCT",),
        None,
    ]
    penn = with_marks(TagDictionary({"la": "DT", "x": [",", ".", "CD"]}), [",", ".", "?", "7"])
    assert [penn.get(word) for word in (",", ".", "?", "7")] == [(",",), (".",), None, ("CD",)]
    named = with_marks(TagDictionary({"la": "DT", "x": "CD"}), ["?", "7"], "PUNCT", "NUM")
    assert (named["?"], named["7"]) == (("PUNCT",), ("CD",))
    plain = TagDictionary({"la": "D"})
    assert with_marks(plain, [".", "7"]) is plain


def test_marks_and_numbers_are_tags_of_no_other_word() -> None:
    """With tags that are not of Universal Dependencies any unlisted word might be one."""
    added = with_marks(TagDictionary({"la": "D", "kato": "N"}), [".", "7"], "PUNCT", "NUM")
    assert added.tagset == ("D", "N", "NUM", "PUNCT")
    assert added.lookup("hundo") == ("D", "N")


@pytest.mark.parametrize(("n_names", "is_said"), [(1, True), (5, False)])
def test_tags_of_nearly_the_same_words_are_said(n_names: int, is_said: bool) -> None:
    """Where each noun may be a proper noun, `auto` had 40 to 75 % right, and nothing was said."""
    both = {f"kato{i}": ("NOUN", "PROPN") for i in range(40)}
    names = {f"Anna{i}": "PROPN" for i in range(n_names)}
    rare = {"mi": ("AUX", "PRON"), "vi": ("AUX", "PRON")}
    dictionary = TagDictionary({**both, **names, **rare, "la": "DET"})
    doubts = Coverage.of(dictionary, [["la", "kato1"]]).doubts(dictionary)
    said = [doubt for doubt in doubts if "nearly the same words" in doubt]
    assert [doubt.partition(" are ")[0] for doubt in said] == ["NOUN and PROPN"] * is_said


def test_a_header_and_a_slip_are_tags_of_one_word() -> None:
    words = {f"kato{i}": "NOUN" for i in range(9)} | {f"iri{i}": "VERB" for i in range(9)}
    dictionary = TagDictionary({**words, "vorto": "vortspeco", "hundo": "NUON", "4": "NUM"})
    (doubt,) = Coverage.of(dictionary, [["kato1", "iri1"]]).doubts(dictionary)
    assert "vortspeco (vorto), NUON (hundo)" in doubt and "NUM" not in doubt
    plain = TagDictionary(words)
    assert Coverage.of(plain, [["kato1"]]).doubts(plain) == []


def test_of_a_small_table_the_first_word_may_be_a_header() -> None:
    words = {"la": "DET", "hundo": "NOUN", "kato": "NOUN", "bojas": "VERB"}
    text = [["la", "hundo", "bojas"]]
    dictionary = TagDictionary({"Vorto": "Vortspeco", **words})
    (doubt,) = Coverage.of(dictionary, text).doubts(dictionary)
    assert "Vortspeco (Vorto); a slip, or the table's header?" in doubt
    plain = TagDictionary(words)
    assert Coverage.of(plain, text).doubts(plain) == []


def test_words_in_the_other_normal_form_are_listed() -> None:
    dictionary = TagDictionary({"c\u0302u": "PART", "s\u0302i": "PRON"})
    coverage = Coverage.of(dictionary, [["\u0109u", "\u015di"]])
    assert coverage.n_listed == 2
    coverage.check("words.tsv")


def test_marks_of_universal_dependencies_need_no_example() -> None:
    words = {"hen": "ADJ", "ci": "NOUN", "rhedeg": "VERB"}
    added = with_marks(TagDictionary(words), ["ci", ".", "1923"])
    assert added["."] == ("PUNCT",) and added["1923"] == ("NUM",)
    assert not {"PUNCT", "NUM"} & set(added.open_class)


def test_tags_that_differ_in_capitals_are_named() -> None:
    dictionary = TagDictionary({"old": "ADJ", "the": "Det", "a": "DET", "clock": "NOUN"})
    doubts = Coverage.of(dictionary, [["old", "the", "a", "clock"]]).doubts(dictionary)
    assert doubts == ["tags that differ in capitals alone are different: DET Det"]
