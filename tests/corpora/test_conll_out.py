"""CoNLL-U out: what our reader and the `conllu` package read again."""

from __future__ import annotations

import io
from pathlib import Path

import conllu
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.corpora import Sentence, conllu_sentence, dependency_corpus, read_corpus
from fstce.corpora.conll import replace_heads
from fstce.corpora.words import is_fit
from fstce.errors import CorpusError, ParameterError

DOGS = Sentence(
    ["Dogs", "bark", "."], ["NNS", "VBP", "."], [2, 0, 2], ["nsubj", "root", "punct"], source="a:1"
)
FILE = """\
# sent_id = 1
# text = It's raining
1-2\tIt's\t_\t_\t_\t_\t_\t_\t_\t_
1\tIt\tit\tPRON\tPRP\tCase=Nom\t3\tnsubj\t3:nsubj\t_
2\t's\tbe\tAUX\tVBZ\t_\t3\taux\t3:aux\t_
2.1\tghost\t_\t_\t_\t_\t_\t_\t3:dep\t_
3\training\train\tVERB\tVBG\t_\t0\troot\t0:root\tSpaceAfter=No

# only a comment

1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_
2\t  !\t!\tPUNCT\t.\t_\t1\tpunct\t_\t_
"""
WORD = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp", "Zs")), min_size=1, max_size=6
).filter(is_fit)
TAG = st.sampled_from(["NN", "VB", ".", "NOUN", "X", "$"])


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    n = draw(st.integers(1, 6))
    root = draw(st.integers(1, n))
    words = draw(st.lists(WORD, min_size=n, max_size=n))
    tags = draw(st.none() | st.lists(TAG, min_size=n, max_size=n))
    heads = draw(st.none() | st.just([root * (word != root) for word in range(1, n + 1)]))
    relations = draw(st.lists(st.sampled_from(["obj", "nmod:poss"]), min_size=n, max_size=n))
    return Sentence(words, tags, heads, relations if heads else None)


def read(text: str) -> list[Sentence]:
    return read_corpus(io.StringIO(text), format="conllu")


def put(heads: list[int], block: int = 0, text: str = FILE) -> list[str]:
    return replace_heads(text.split("\n\n")[block].splitlines(), heads)


@given(st.lists(sentences(), min_size=1, max_size=3), st.sampled_from([None, "xpos", "upos"]))
def test_our_reader_reads_it_again(written: list[Sentence], column: str | None) -> None:
    text = "".join(conllu_sentence(sentence, tag_column=column) for sentence in written)
    assert read(text) == written


@given(sentences())
def test_the_conllu_package_reads_it_again(written: Sentence) -> None:
    (block,) = conllu.parse(conllu_sentence(written, comments=["text = x", "source = y"]))
    assert block.metadata == {"text": "x", "source": "y"}
    assert tuple(token["form"] for token in block) == written.words
    assert tuple(token["head"] for token in block) == (written.heads or (None,) * len(written))
    found = tuple(None if token["deprel"] == "_" else token["deprel"] for token in block)
    assert found == (written.deprels or (None,) * len(written))


def test_rows_worked_by_hand() -> None:
    assert conllu_sentence(DOGS).split("\n") == [
        "1\tDogs\t_\t_\tNNS\t_\t2\tnsubj\t_\t_",
        "2\tbark\t_\t_\tVBP\t_\t0\troot\t_\t_",
        "3\t.\t_\t_\t.\t_\t2\tpunct\t_\t_",
        "",
        "",
    ]
    assert conllu_sentence(Sentence(["a"])) == "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n"


def test_relations_go_with_their_heads() -> None:
    def relations(**given) -> tuple[str, ...] | None:
        return read(conllu_sentence(DOGS, **given))[0].deprels

    assert relations() == relations(heads=[2, 0, 2]) == DOGS.deprels
    assert relations(heads=[0, 1, 2]) == ("root", "dep", "dep")


def test_where_the_tags_go() -> None:
    def columns(*tags: str, column: str | None = None) -> list[str]:
        return (
            conllu_sentence(Sentence(["a", "b"], tags), tag_column=column)
            .split("\n")[0]
            .split("\t")[3:5]
        )

    assert columns("NOUN", "X") == ["NOUN", "_"]
    assert columns("NOUN", "NN") == ["_", "NOUN"]
    assert columns("NOUN", "X", column="xpos") == ["_", "NOUN"]
    assert columns("NN", "NN", column="upos") == ["NN", "_"]
    with pytest.raises(ParameterError, match="tag_column='pos': choose one of xpos, upos"):
        columns("X", "X", column="pos")


def test_words_and_comments_that_would_break_the_lines() -> None:
    text = conllu_sentence(Sentence(["a\tb", "c\nd"]), comments=["one\ntwo"])
    assert read(text) == [Sentence(["a_b", "c_d"])]
    assert text.startswith("# one\n# two\n1\t")


def test_a_prepared_sentence_comes_back_whole() -> None:
    (prepared,) = dependency_corpus([DOGS])
    (found,) = read(conllu_sentence(prepared.original, prepared.restore([0, 1])))
    assert (found.words, found.tags, found.heads) == (DOGS.words, DOGS.tags, (0, 1, 2))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"heads": [2, 0]}, "a:1: 2 heads for 3 words"),
        ({"heads": [2, 0, 4]}, "a:1: head 4 of word 3 is the word itself or outside its 3 words"),
        ({"heads": [2, 0, 3]}, "a:1: head 3 of word 3 is the word itself"),
    ],
)
def test_columns_that_do_not_fit(given, message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        conllu_sentence(DOGS, **given)


def test_other_heads_in_a_block() -> None:
    before, after = FILE.splitlines(), put([0, 1, 2])
    assert after[:3] == before[:3]
    assert after[3] == "1\tIt\tit\tPRON\tPRP\tCase=Nom\t0\troot\t3:nsubj\t_"
    assert after[4] == "2\t's\tbe\tAUX\tVBZ\t_\t1\tdep\t3:aux\t_"
    assert after[5] == before[5]
    assert after[6] == "3\training\train\tVERB\tVBG\t_\t2\tdep\t0:root\tSpaceAfter=No"
    assert len(after) == 7


def test_the_same_heads_change_nothing() -> None:
    assert [*put([3, 3, 0]), "", "# only a comment", "", *put([0, 1], 2)] == FILE.splitlines()


@pytest.mark.parametrize(
    ("heads", "block", "message"),
    [([0, 1], 0, "2 heads for 3 words"), ([0, 3], 2, "head 3 of word 2 is")],
)
def test_heads_that_do_not_fit_the_block(heads: list[int], block: int, message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        put(heads, block)


def test_a_treebank_with_other_heads(shared_data: Path) -> None:
    path = shared_data / "ud" / "UD_English-Atis" / "en_atis-ud-test.conllu"
    if not path.is_file():
        pytest.skip("no treebank UD_English-Atis")
    sentences = read_corpus(path)
    written = path.read_text("utf-8").strip("\n").split("\n\n")
    pairs = zip(written, sentences, strict=True)
    lines = [
        line
        for block, s in pairs
        for line in (*replace_heads(block.split("\n"), range(len(s))), "")
    ]
    found = read("\n".join(lines))
    assert [s.heads for s in found] == [tuple(range(len(sentence))) for sentence in sentences]
    assert [(s.words, s.tags) for s in found] == [(s.words, s.tags) for s in sentences]
    blocks = conllu.parse("\n".join(lines))
    assert blocks[0].metadata == conllu.parse(path.read_text("utf-8"))[0].metadata


def test_words_that_are_written_as_one_or_without_a_blank() -> None:
    spans = [(0, 2), (0, 2), (3, 6), (6, 7)]
    block = conllu_sentence(Sentence(["de", "le", "lac", "!"], text="du lac!", spans=spans))
    rows = [line.split("\t") for line in block.strip().split("\n")]
    assert rows[:2] == [["# text = du lac!"], ["1-2", "du", *"________"]]
    assert [row[-1] for row in rows[2:]] == ["_", "_", "SpaceAfter=No", "_"]
