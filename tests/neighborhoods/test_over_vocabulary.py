"""Neighborhoods over a vocabulary: the vocabulary itself, who gets one, and what goes wrong."""

from __future__ import annotations

import pickle
from collections import Counter
from pathlib import Path

import pynini
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce import neighborhood
from fstce.corpora import sample
from fstce.corpora.vocabulary import Vocabulary
from fstce.errors import MachineError, NeighborhoodError, ParameterError
from fstce.machines import Symbols, check_lattice
from fstce.neighborhoods.over_vocabulary import OverVocabulary
from fstce.neighborhoods.shipped import names, names_over_vocabulary

TEXT = [line.split() for line in ("the cat saw the dog", "a dog saw a cat", "the bird sang")]
COUNTS = st.dictionaries(st.text("abcdef", min_size=1, max_size=3), st.integers(0, 9), max_size=20)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.tsv").write_text("# the pets\ncat\t3\ndog\t3\nthe\t9\na\t8\n\nbird\t1\n")
    return tmp_path


class TestVocabulary:
    @given(COUNTS)
    def test_words_come_in_order_of_frequency_and_equals_as_given(
        self, counts: dict[str, int]
    ) -> None:
        order = list(counts)
        expected = sorted(order, key=lambda word: (-counts[word], order.index(word)))
        vocabulary = Vocabulary(counts)
        assert list(vocabulary) == expected
        assert len(vocabulary) == len(counts)
        assert [vocabulary[word] for word in order] == [counts[word] for word in order]

    @given(COUNTS, st.integers(1, 5), st.integers(1, 4), st.booleans())
    def test_near_words_are_the_nearest_in_rank(
        self, counts: dict[str, int], number: int, reach: int, has_classes: bool
    ) -> None:
        classes = {word: word < "d" for word in counts if word != "the"} if has_classes else None
        vocabulary = pickle.loads(pickle.dumps(Vocabulary(counts, classes)))
        rank = {word: i for i, word in enumerate(vocabulary)}
        for word in counts:
            others = [w for w in counts if w != word and abs(rank[w] - rank[word]) <= reach]
            if classes is not None:
                others = [w for w in others if w in classes and classes[w] != classes.get(word)]
            nearest = sorted(others, key=lambda w: (abs(rank[w] - rank[word]), rank[w]))
            assert list(vocabulary.near(word, number, reach)) == nearest[:number]
        assert vocabulary.near("zoo", number, reach) == ()

    def test_a_text_is_counted(self) -> None:
        counted = Vocabulary.of(TEXT)
        assert counted == Counter(word for words in TEXT for word in words)
        assert next(iter(counted)) == "the"

    def test_a_file_is_read(self, here: Path) -> None:
        vocabulary = Vocabulary.read("words.tsv")
        assert list(vocabulary.items()) == [
            ("the", 9),
            ("a", 8),
            ("cat", 3),
            ("dog", 3),
            ("bird", 1),
        ]
        (here / "twice.txt").write_text("b\na\nb\n")
        assert Vocabulary.read(here / "twice.txt") == {"b": 1, "a": 1}

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("the\tDT\n", r"bad.tsv:1: a table whose second column is no count"),
            ("the\t-1\n", r"bad.tsv:1: a table whose second column is no count"),
            ("a\nNew York\n", r"bad.tsv: a list of phrases, or a text of short lines"),
            ("<sigma>\n", r"bad.tsv: a list, a table without tabs"),
            ("# nothing\n\n", r"bad.tsv: holds no word"),
        ],
    )
    def test_a_bad_line_is_named(self, here: Path, text: str, message: str) -> None:
        (here / "bad.tsv").write_text(text)
        with pytest.raises(NeighborhoodError, match=message):
            Vocabulary.read("bad.tsv")

    def test_a_file_that_is_no_text_is_named(self, here: Path) -> None:
        (here / "bad.tsv").write_bytes(b"\xff\xfe")
        for path in ("bad.tsv", "missing.tsv"):
            with pytest.raises(
                NeighborhoodError, match=rf"{path}(:1: byte 0xff .*UTF-8|: cannot be read)"
            ):
                Vocabulary.read(path)

    def test_a_band_has_a_width(self) -> None:
        with pytest.raises(ParameterError, match="width=0: give a whole number from 1"):
            Vocabulary({"a": 1}).near("a", 0, reach=1)


class TestGiving:
    def test_names_are_told_apart_by_what_they_need(self) -> None:
        assert set(names_over_vocabulary()) == {
            "spell1",
            "sub1band",
        }
        assert not set(names_over_vocabulary()) & set(names())

    @pytest.mark.parametrize("name", names_over_vocabulary())
    def test_a_text_gives_what_is_wanted(self, name: str) -> None:
        kind = neighborhood(name)
        assert kind.wants_vocabulary
        given = kind.for_text(TEXT)
        assert not given.wants_vocabulary and kind.wants_vocabulary
        assert given.name == name
        assert given.for_text([["zoo"]]) is given
        symbols = Symbols(word for words in TEXT for word in words)
        for words, lattice in zip(TEXT, given.expand(TEXT, symbols), strict=True):
            assert lattice.accepts(words)
            check_lattice(lattice.to_fst(), name)

    @pytest.mark.parametrize("name", names_over_vocabulary())
    def test_a_sentence_alone_is_read_with_the_sample(self, name: str) -> None:
        words = ["the", "baker", "moves", "and", "talks"]
        text = [sentence.words for sentence in sample()]
        expected = neighborhood(name).for_text(text)(words)
        assert expected.count() > 1
        for kind in (neighborhood(name), neighborhood(name).for_text()):
            assert pynini.isomorphic(kind(words).to_fst(), expected.to_fst())

    @pytest.mark.parametrize("name", ["sub1band", "sub1band | trans1", "sub1band @ sub1band"])
    def test_a_corpus_without_vocabulary_is_refused(self, name: str) -> None:
        with pytest.raises(
            NeighborhoodError, match=r"sentence 1 \(a b\): sub1band needs a vocabulary: name"
        ):
            list(neighborhood(name).expand([["a", "b"]], Symbols("ab")))

    def test_what_takes_no_words_is_itself(self) -> None:
        for name in ("trans1", "training-set", "half:first", "rotations", "trans1 | del1word"):
            kind = neighborhood(name)
            assert kind.for_text(TEXT) is kind and not kind.wants_vocabulary

    @pytest.mark.parametrize(
        "name",
        ["sub1band | trans1", "trans1 @ sub1band", "restrict(sub1band, function-words)",
         "rotations | sub1band", "sub1band @ sub1band"],
    )  # fmt: skip
    def test_the_parts_of_an_expression_are_given_it(self, name: str) -> None:
        kind = neighborhood(name)
        assert kind.wants_vocabulary
        given = kind.for_text(TEXT)
        assert not given.wants_vocabulary
        assert given.name == kind.name
        assert given(["the", "cat"]).accepts(["a", "cat"])
        assert not given(["the", "cat"]).accepts(["mat", "cat"])

    def test_a_part_that_has_one_keeps_it(self, here: Path) -> None:
        both = neighborhood("sub1band(words.tsv, width=1) | sub1band(width=1)").for_text(
            [["zoo", "cat"]]
        )
        assert set(both(["cat"]).strings()) == {("cat",), ("a",), ("zoo",)}

    def test_only_words_of_the_corpus_come_in(self, here: Path) -> None:
        kind = neighborhood("sub1band(words.tsv)")
        (lattice,) = kind.expand([["cat", "the"]], Symbols(["the", "cat", "dog"]))
        assert set(lattice.strings()) == {
            *(("cat", "the"), ("dog", "the"), ("the", "the"), ("cat", "cat"), ("cat", "dog"))
        }

    def test_machines_stay_small(self) -> None:
        vocabulary = Vocabulary({f"w{i}": 1 for i in range(5_000)})
        kind = neighborhood("sub1band").with_vocabulary(vocabulary)
        assert len(kind.introduced(["w17", "w18", "w4000"])) == 10  # five about two, and four
        assert kind(["w17", "w18", "w4000"]).count() == 3 * 4 + 1

    def test_the_second_of_a_composition_may_change_what_the_first_put_in(self) -> None:
        steps = neighborhood("sub1band").with_vocabulary(Vocabulary(dict.fromkeys("abcd", 1)))
        first, second = steps.with_options(width=2), steps.with_options(width=4)
        found = {("".join(y),) for y in (first @ second)(["a"]).strings()}
        assert found == {(letter,) for letter in "abcd"}


class TestOptions:
    def test_an_expression_gives_vocabulary_and_options(self, here: Path) -> None:
        kind = neighborhood("sub1band(words.tsv, width=2)")
        assert isinstance(kind, OverVocabulary)
        assert kind.name == "sub1band(words.tsv, width=2)"
        near = {("a", "a"), ("dog", "a"), ("cat", "the"), ("cat", "cat")}
        assert set(kind(["cat", "a"]).strings()) == {("cat", "a")} | near
        assert neighborhood("sub1band(width=2)").wants_vocabulary

    @pytest.mark.parametrize(
        "name",
        ["sub1band(words.tsv)", "sub1band('my words.tsv', width=3)", "sub1band(words.tsv) | trans1",
         "(sub1band('my words.tsv') | trans1) @ del1word", "sub1band('my words.tsv') - trans1"],
    )  # fmt: skip
    def test_a_name_is_an_expression_of_the_same(self, here: Path, name: str) -> None:
        (here / "my words.tsv").write_text((here / "words.tsv").read_text())
        kind = neighborhood(name)
        again = neighborhood(kind.name)
        assert again.name == kind.name
        assert again(["the", "cat"]).strings() == kind(["the", "cat"]).strings()

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("trans1(words.tsv)", r"character 1: trans1 takes no vocabulary and no options"),
            ("sub1band(missing.tsv)", r"character 1: missing.tsv: cannot be read"),
            (
                "sub1band(words.tsv, size=2)",
                r"character 1: sub1band has no option 'size'; known: width",
            ),
            ("sub1band(words.tsv, width=x)", r"sub1band: width=x: invalid literal"),
            ("sub1band(words.tsv, other.tsv)", r"character 1: no expression goes on so"),
            ("sub1band(width=2, words.tsv)", r"no expression goes on so"),
            ("sub1band(words.tsv", r"character 9: no expression goes on so"),
            ("sub1band(, )", r"character 10: no expression goes on so"),
            ("sub1band(width=)", r"character 16: no expression goes on so"),
        ],
    )
    def test_a_mistake_is_pointed_at(self, here: Path, name: str, message: str) -> None:
        with pytest.raises(NeighborhoodError, match=message):
            neighborhood(name)

    def test_a_width_below_one_is_refused(self, here: Path) -> None:
        with pytest.raises(ParameterError, match="width=0: give a whole number from 1"):
            neighborhood("sub1band(words.tsv, width=0)")(["cat"])

    def test_all_of_them_pickle(self, here: Path) -> None:
        for name in (
            "sub1band(words.tsv, width=2)",
            "spell1(words.tsv)",
            "sub1band(words.tsv) | trans1",
        ):
            kind = neighborhood(name)
            copy = pickle.loads(pickle.dumps(kind))
            assert (copy.name, copy(["cat", "a"]).strings()) == (
                kind.name,
                kind(["cat", "a"]).strings(),
            )


MINE = '''"""RHYME: one word replaced by one that ends alike."""

from fstce.transducers.sub1band import substitution

NEEDS = "vocabulary"
OPTIONS = {"letters": int}


def last(word):
    return word[-1]


def build(symbols, vocabulary, letters=1):
    return substitution(symbols, lambda word: alike(word, vocabulary, letters))


def introduces(words, vocabulary, letters=1):
    return [other for word in words for other in alike(word, vocabulary, letters)]


def alike(word, vocabulary, letters):
    return [other for other in vocabulary if other[-letters:] == word[-letters:]]
'''


class TestAnAuthorsFile:
    def test_it_may_need_a_vocabulary(self, here: Path) -> None:
        (here / "rhyme.py").write_text(MINE)
        (here / "more.tsv").write_text("hat\nat\nbit\n")
        kind = neighborhood("./rhyme.py(more.tsv, letters=2)")
        assert set(kind(["cat"]).strings()) == {("cat",), ("hat",), ("at",)}
        assert neighborhood("./rhyme.py").for_text([["bit", "dog"]])(["cat"]).count() == 2
        assert neighborhood("'rhyme.py'(more.tsv) | trans1")(["cat", "dog"]).count() == 5

    def test_it_pickles_with_what_it_was_given(self, here: Path) -> None:
        (here / "rhyme.py").write_text(MINE)
        (here / "more.tsv").write_text("hat\nat\nbit\n")
        for kind in (
            neighborhood("./rhyme.py(more.tsv, letters=2)"),
            neighborhood("./rhyme.py").for_text([["bit", "dog"]]),
            neighborhood("rhyme.py(more.tsv) | trans1"),
        ):
            copy = pickle.loads(pickle.dumps(kind))
            assert (copy.name, copy.limit, copy.spelt) == (kind.name, kind.limit, kind.spelt)
            assert copy(["cat"]).strings() == kind(["cat"]).strings()

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            (
                '"vocabulary"\n',
                '"words"\n',
                r"mine.py: NEEDS = 'words' is unknown; a builder may need",
            ),
            ("return word[-1]", "return 1 / 0", None),
            (
                "return [other for word",
                "return 1 / 0, [other for word",
                r"mine.py:18: introduces\(words, vocabulary\) raised ZeroDivisionError",
            ),
            (
                "return substitution",
                "return 1 / 0, substitution",
                r"mine.py:14: build\(symbols\) raised ZeroDivisionError",
            ),
            (
                "return substitution(symbols, ",
                "return (symbols, ",
                r"mine.py:13: build\(symbols\) returned tuple, not a pynini.Fst",
            ),
            (
                "def build(symbols, vocabulary, letters=1)",
                "def build(symbols)",
                r"mine.py: build\(symbols\) raised TypeError",
            ),
        ],
    )
    def test_mistakes_are_reported_by_line(
        self, here: Path, old: str, new: str, message: str | None
    ) -> None:
        (here / "mine.py").write_text(MINE.replace(old, new, 1))
        if message is None:
            assert neighborhood("mine.py")(["cat"]).count() > 1
            return
        with pytest.raises((NeighborhoodError, MachineError), match=message):
            neighborhood("mine.py").for_text(TEXT)(["cat"])

    def test_without_introduces_its_words_are_the_constant_ones(self, here: Path) -> None:
        source = MINE.replace("def introduces", "INTRODUCES = ['hat']\n\n\ndef other")
        (here / "mine.py").write_text(source)
        kind = neighborhood("mine.py").for_text([["hat", "bat"]])
        assert set(kind(["cat"]).strings()) == {("cat",), ("hat",)}
        (here / "both.py").write_text(MINE + "\n\nINTRODUCES = ['zoo']\n")
        assert neighborhood("both.py").for_text([["hat"]]).introduced(["cat"]) == ("zoo", "hat")
