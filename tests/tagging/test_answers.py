"""What a speaker says of words: files, dictionaries, and the model that follows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import BruteTagger
from tagging_cases import weights_of

from fstce import TagDictionary, Tagger
from fstce.corpora import sample
from fstce.corpora.coverage import without_slips
from fstce.corpora.words import is_fit
from fstce.errors import DictionaryError
from fstce.tagging.answers import (
    NOISE,
    checked_answers,
    escaped,
    read_answers,
    usual_share,
    with_answers,
)

TEXT = [s.words for s in sample()[:60]]
LISTED = TagDictionary.from_corpus(sample()[:60])
SMALL = [["a", "b"], ["b", "a", "b"], ["c", "b"], ["a", "c"]]
SMALL_TAGS = {"a": ("X", "Y"), "b": ("X", "Y", "Z"), "c": "Z"}
_WORDS = st.text(min_size=1).filter(is_fit).filter(lambda word: word == word.strip())


@given(
    st.dictionaries(
        _WORDS, st.lists(st.sampled_from(["X", "Y", "#"]), min_size=1, unique=True), max_size=5
    )
)
def test_answers_are_read_as_they_are_written(tmp_path_factory, answers) -> None:
    path = tmp_path_factory.mktemp("answers") / "a.tsv"
    lines = [
        f"{escaped(word)}\t{' '.join(tags)}\t7\tsome [place]\n" for word, tags in answers.items()
    ]
    path.write_text("# a note\n#left\tX\n\n" + "".join(lines), encoding="utf-8", newline="")
    found = read_answers(path)
    assert {word: answer.tags for word, answer in found.items()} == answers
    assert found == checked_answers(str(path))
    assert [said.tags for said in found.values()] == list(answers.values())
    assert [said[:2] for said in found.values()] == [
        said[:2] for said in checked_answers(answers).values()
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("saw\tN\nthe\n", "a.tsv:2: 'the' is no answer; write word, tab, tags"),
        ("saw\t \t3\n", "a.tsv:1: 'saw\\t \\t3' is no answer"),
        ("\tN\n", "a.tsv:1: 'N' is no answer"),
        ("saw\tN\n# no\tX\nsaw\tV\n", "a.tsv:3: the word 'saw' is answered a second time"),
        ("saw\tN:0 V:0\n", "a.tsv:1: 'saw\\tN:0 V:0' is no answer"),
    ],
)
def test_what_is_no_answer_is_said_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.tsv").write_text(text)
    with pytest.raises(DictionaryError) as caught:
        checked_answers(tmp_path / "a.tsv")
    assert str(caught.value).startswith(f"{tmp_path}/{message}")


def test_answers_that_are_none() -> None:
    with pytest.raises(DictionaryError, match=r"gone\.tsv: cannot be read"):
        checked_answers("gone.tsv")
    for nothing in ([], {}, ""):  # the first two raised IndexError
        with pytest.raises(DictionaryError, match=r"'a' has .*; give a word's tags, or counts"):
            checked_answers({"a": nothing})
    with pytest.raises(DictionaryError, match="answers=3: give a file, or a mapping"):
        checked_answers(3)  # type: ignore[arg-type]


def test_the_usual_tag_has_about_what_the_greatest_of_all_shares_has() -> None:
    draws = np.random.default_rng(0).dirichlet(np.ones(4), 20_000).max(axis=1)
    low, high = usual_share(4)
    assert (low, high) == pytest.approx(
        ((draws.mean() + 1 / 4) / 2, (draws.mean() + 1) / 2), abs=0.01
    )


def test_answers_strike_out_add_and_hold_in_other_capitals() -> None:
    listed = TagDictionary(
        {"die": ("D", "P"), "Die": ("D", "P"), "DIE": ("N", "P"), "may": "A", "May": ("A", "N")},
        open_class=["N"],
    )
    found = with_answers(
        listed, checked_answers({"die": "D", "may": ["A", "V"], "wug": ("N", "V")})
    )
    assert found["die"] == found["Die"] == ("D",)
    assert found["DIE"] == ("N", "P")  # N is nothing that was asked of die
    assert found["May"] == ("A", "N") and found["may"] == ("A", "V") and found["wug"] == ("N", "V")
    assert found.tagset == ("A", "D", "N", "P", "V") and found.open_class == ("N",)
    assert found.usual == {"Die": "D", "die": "D", "may": "A", "wug": "N"}


def test_counts_of_some_tags_alone_are_no_tags() -> None:
    """A tag N:7 joined the tagset."""
    said = {"saw": ["N:7", "V"]}
    with pytest.raises(DictionaryError, match="the answer for 'saw' has 'N:7': say of all its"):
        with_answers(TagDictionary({"saw": ("N", "V")}), checked_answers(said))
    classes = TagDictionary({"saw": ("cl:1", "V")})
    assert with_answers(classes, checked_answers({"saw": ["cl:1", "V"]}))["saw"] == ("V", "cl:1")


def test_an_answer_for_a_word_in_other_capitals_is_its_own() -> None:
    listed = TagDictionary({"die": ("D", "P"), "Die": ("D", "P")})
    found = with_answers(listed, checked_answers({"die": "D", "Die": "P"}))
    assert (found["die"], found["Die"]) == (("D",), ("P",))


def test_rare_tags_are_noise_where_they_are_counted() -> None:
    counts = {"the": {"D": 95, "N": 4, "V": 1}, "saw": {"N": 1, "V": 19}}
    listed = TagDictionary(
        {"the": ("D", "N", "V"), "saw": ("N", "V"), "a": ("D", "N")}, counts=counts
    )
    assert dict(without_slips(listed, NOISE)) == {"the": ("D",), "saw": ("N", "V"), "a": ("D", "N")}


@pytest.mark.parametrize(
    "parameters", [{}, {"neighborhood": "trans1"}, {"criterion": "em"}, {"neighborhood": "length"}]
)
def test_expected_shares_are_what_the_answers_say(parameters) -> None:
    tagger = Tagger(order=2, **parameters)
    before = shares_of(tagger.fit(SMALL, dictionary=SMALL_TAGS))
    answers = {"a": ["Y", "X"], "b": {"X": 1, "Y": 3, "Z": 6}}
    after = shares_of(tagger.fit(SMALL, dictionary=SMALL_TAGS, answers=answers))
    assert after["a"][1] == pytest.approx(np.clip(before["a"][1], 0.625, 0.875), abs=2e-3)
    assert after["b"] == pytest.approx([0.1, 0.3, 0.6], abs=2e-3)


def shares_of(tagger: Tagger) -> dict[str, np.ndarray]:
    """The expected shares of each word's tags."""
    table = np.concatenate(tagger.predict_proba(SMALL))
    words = np.array([word for row in SMALL for word in row])
    return {word: table[words == word].mean(axis=0) for word in "abc"}


@pytest.mark.parametrize("usual", ["X", "Y", "Z"])
def test_of_three_tags_those_that_are_not_usual_keep_their_proportion(usual: str) -> None:
    tagger = Tagger("trans1", order=2)
    before = shares_of(tagger.fit(SMALL, dictionary=SMALL_TAGS))["b"]
    order = [usual, *(tag for tag in "XYZ" if tag != usual)]
    after = shares_of(tagger.fit(SMALL, dictionary=SMALL_TAGS, answers={"b": order}))["b"]
    k = "XYZ".index(usual)
    assert after[k] == pytest.approx(np.clip(before[k], *usual_share(3)), abs=2e-3)
    others = [i for i in range(3) if i != k]
    assert after[others] / after[others].sum() == pytest.approx(
        before[others] / before[others].sum(), abs=2e-3
    )


def test_nothing_else_changes() -> None:
    """By enumeration: q(y) / p(y) is one for all taggings with as many of each answered pair."""
    raw = Tagger("trans1", order=2).fit(SMALL, dictionary=SMALL_TAGS)
    told = Tagger("trans1", order=2).fit(
        SMALL, dictionary=SMALL_TAGS, answers={"b": ["X", "Y", "Z"]}
    )

    def logs(tagger: Tagger, row: list[str]) -> dict[tuple[str, ...], float]:
        weights = weights_of(tagger.features_, tagger.theta_)
        brute = BruteTagger([tuple(row)], tagger.dictionary_, weights, 2)
        return {tags: weight - brute.log_z for (_, tags), weight in brute.weight.items()}

    for row in SMALL:
        p, q = logs(raw, row), logs(told, row)
        ratios: dict[tuple[str, ...], list[float]] = {}
        for tags in p:
            of_b = tuple(sorted(tag for word, tag in zip(row, tags, strict=True) if word == "b"))
            ratios.setdefault(of_b, []).append(q[tags] - p[tags])
        assert all(np.ptp(group) < 1e-4 for group in ratios.values())
    pairs = {name for name in raw.features_.names if name[:2] == ("word", "b")}
    changed = {
        n for n, x, y in zip(raw.features_.names, raw.theta_, told.theta_, strict=True) if x != y
    }
    assert changed and changed <= pairs


def test_answers_are_learnt_from_and_saved(tmp_path: Path) -> None:
    gold = [s.tags for s in sample()[:60]]
    counts = TagDictionary.from_corpus(sample()[:60], counts=True).counts
    commonest = sorted(
        counts, key=lambda word: -sum(counts[word].values()) * (len(counts[word]) > 1)
    )[:20]
    answers = {
        word: sorted(counts[word], key=lambda tag: -counts[word][tag])[:2] for word in commonest
    }
    before = Tagger(order=2).fit(TEXT, dictionary=LISTED)
    after = Tagger(order=2).fit(TEXT, dictionary=LISTED, answers=answers)
    assert after.score(TEXT, gold) > before.score(TEXT, gold)
    after.save(tmp_path / "m")
    again = Tagger.load(tmp_path / "m")
    assert again.dictionary_ == after.dictionary_ and again.predict(TEXT) == after.predict(TEXT)
    assert not {question.word for question in again.questions(TEXT)} & set(answers)


def test_words_outside_the_text_and_one_tag_move_nothing() -> None:
    plain = Tagger("trans1", order=2).fit(SMALL, dictionary={**SMALL_TAGS, "d": ("X", "Z")})
    told = Tagger("trans1", order=2).fit(
        SMALL, dictionary=SMALL_TAGS, answers={"c": "Z", "d": ("Z", "X")}
    )
    assert told.theta_.tolist() == plain.theta_.tolist()
    assert told.dictionary_["d"] == ("X", "Z")


def test_counts_of_a_dictionary_are_an_answer() -> None:
    counted = TagDictionary(SMALL_TAGS, counts={"a": {"X": 3, "Y": 1}})
    tagger = Tagger("trans1", order=2).fit(SMALL, dictionary=counted)
    answered = Tagger("trans1", order=2).fit(
        SMALL, dictionary=SMALL_TAGS, answers={"a": {"X": 3, "Y": 1}}
    )
    assert tagger.theta_.tolist() == answered.theta_.tolist()


@pytest.mark.parametrize(
    "text",
    [
        '"# The usual tag first, others behind it.",,\n# word,tags,tokens\nsaw,NN VBD,7\n#,SYM,2\n',
        "# The usual tag first, others behind it.;;\n# word;tags;tokens\nsaw;NN VBD;7\n#;SYM;2\n",
    ],
)
def test_questions_that_a_spreadsheet_has_saved_with_its_notes(tmp_path: Path, text: str) -> None:
    (tmp_path / "answers.csv").write_text(text)
    answers = read_answers(tmp_path / "answers.csv")
    assert {word: answer.tags for word, answer in answers.items()} == {
        "saw": ["NN", "VBD"],
        "#": ["SYM"],
    }


def test_a_tag_in_other_letters_is_no_new_one() -> None:
    dictionary = TagDictionary({"di": "ADP", "ada": ("AUX", "VERB")})
    with pytest.raises(DictionaryError, match=r"'ada' has 'verb', .*: write 'VERB'"):
        with_answers(dictionary, checked_answers({"di": "ADP", "ada": ["AUX", "verb"]}))
    with pytest.raises(DictionaryError, match=r"'ada' has 'AUX/VERB', .*: write 'AUX VERB'"):
        with_answers(dictionary, checked_answers({"ada": "AUX/VERB"}))
    assert with_answers(dictionary, checked_answers({"di": "X"})).tagset[-1] == "X"


@pytest.mark.parametrize("text", ["ada\tAUX\ndi\tadp\n", "# a note\nword,tags\ndi,ADP/VERB\n"])
def test_a_wrong_tag_of_a_file_is_named_with_its_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / ("a.csv" if "," in text else "a.tsv")
    path.write_text(text)
    dictionary = TagDictionary({"di": ("ADP", "VERB"), "ada": ("AUX", "VERB")})
    line = text.count("\n")
    with pytest.raises(DictionaryError, match=rf"{path}:{line}: the answer for 'di' has "):
        with_answers(dictionary, checked_answers(path))


def test_answers_that_a_spreadsheet_has_quoted(tmp_path: Path) -> None:
    """`"dog"` was the word, and `"NN` a new tag."""
    (tmp_path / "a.tsv").write_text('"dog"\t"NN VB"\t3\t"a [dog] ."\n')
    (answer,) = read_answers(tmp_path / "a.tsv").items()
    assert answer[0] == "dog" and list(answer[1].tags) == ["NN", "VB"]
