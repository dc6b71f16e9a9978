"""CoNLL-U, CoNLL-X and their short forms."""

from __future__ import annotations

from pathlib import Path

import pytest
from text_cases import sentences_of

from fstce.corpora import Sentence, read_corpus
from fstce.corpora.read import iter_passages
from fstce.errors import CorpusError

_U = """# text = It's raining
1-2 It's _ _ _ _ _ _ _ _
1 It it PRON PRP _ 3 nsubj _ _
2 's be AUX VBZ _ 3 aux _ _
2.1 (ghost) _ _ _ _ _ _ _ _
3 raining rain VERB VBG _ 0 root _ _

# sent_id = 2
1 Yes yes INTJ _ Feat=No|=| 0 root 0:root x|y=|
"""


def _u(text: str, **options: str) -> list[Sentence]:
    lines = text.replace(" ", "\t").split("\n")
    return list(sentences_of(enumerate(lines, start=1), "a.conllu", "conllu", **options))


def _x(text: str, **options: str) -> list[Sentence]:
    lines = text.replace(" ", "\t").split("\n")
    return list(sentences_of(enumerate(lines, start=1), "a.conll", "conllx", **options))


def test_words_tags_heads_and_relations() -> None:
    first, second = _u(_U)
    assert first.words == ("It", "'s", "raining")
    assert first.tags == ("PRP", "VBZ", "VBG")
    assert first.heads == (3, 3, 0)
    assert first.deprels == ("nsubj", "aux", "root")
    assert (first.source, second.source) == ("a.conllu:3", "a.conllu:9")


def test_the_tag_column() -> None:
    assert [sentence.tags for sentence in _u(_U)] == [("PRP", "VBZ", "VBG"), ("INTJ",)]
    assert [sentence.tags for sentence in _u(_U, tag_column="upos")] == [
        ("PRON", "AUX", "VERB"),
        ("INTJ",),
    ]
    with pytest.raises(CorpusError, match=r"a\.conllu:9: no XPOS here; choose another tag_column"):
        _u(_U, tag_column="xpos")


def test_tags_of_two_columns_are_not_mixed() -> None:
    (sentence,) = _u("1 a _ X T _ 0 root _ _\n2 b _ Y _ _ 1 dep _ _")
    assert sentence.tags == ("X", "Y")


def test_missing_columns_are_none_and_an_underscore_is_a_word() -> None:
    (sentence,) = _u("1 _ _ _ _ _ _ _ _ _")
    assert sentence == Sentence(["_"])


def test_white_space_in_a_word_becomes_an_underscore() -> None:
    line = "1\t10  000\u00a0F\t_\tNUM\t_\t_\t0\troot\t_\t_"
    (sentence,) = sentences_of(iter([(1, line)]), "a.conllu", "conllu")
    assert sentence.words == ("10_000_F",)


def test_conllx_with_all_columns_or_without_the_projective_ones() -> None:
    (sentence,) = _x("1 cats cat N NNS _ 2 SBJ _ _\n2 purr purr V VBP _ 0 ROOT _ _")
    assert (sentence.tags, sentence.heads, sentence.deprels) == (
        ("NNS", "VBP"),
        (2, 0),
        ("SBJ", "ROOT"),
    )
    assert _x("1 cats cat N NNS _ 2 SBJ\n2 purr purr V VBP _ 0 ROOT") == [sentence]
    assert _x("1 cats cat N NNS _ 0 SBJ", tag_column="upos")[0].tags == ("N",)


def test_three_or_four_columns_where_a_hash_is_a_word() -> None:
    (sentence,) = _x("# # 2\n5 CD 0")
    assert (sentence.words, sentence.tags, sentence.heads) == (("#", "5"), ("#", "CD"), (2, 0))
    assert _x("# # 2 det\n5 CD 0 root")[0].deprels == ("det", "root")


def test_comments_in_conllx() -> None:
    assert _x("# nothing\n1 a _ X Y _ 0 root _ _")[0].words == ("a",)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("1 a _ X _ _ 0 root", "1: 8 columns where CoNLL-U has 10"),
        ("hello", "1: 1 columns where CoNLL-U has 10"),
        (
            "1 a _ X _ _ 0 root _ _\n2 b _ X _ _ 3 dep _ _",
            "2: head 3 of word 2 is outside its sentence of 2 words",
        ),
        ("\n\n1 a _ X _ _ 1 root _ _", "3: head 1 of word 1 is the word itself"),
        ("1 a _ X _ _ -1 root _ _", "1: head '-1' is not the number of a word"),
        ("1 a _ X _ _ x root _ _", "1: head 'x' is not the number of a word"),
        ("one a _ X _ _ 0 root _ _", "1: the word is numbered one where 1 is due"),
        ("2-1 a _ X _ _ 0 root _ _", "1: the word is numbered 2-1 where 1 is due"),
        ("1. a _ X _ _ 0 root _ _", "1: the word is numbered 1. where 1 is due"),
        ("2 a _ X _ _ 0 root _ _", "1: the word is numbered 2 where 1 is due"),
        ("_ a _ X _ _ 0 root _ _", "1: the word is numbered _ where 1 is due"),
        (
            "1 a _ X _ _ 0 root _ _\n1 b _ X _ _ 1 dep _ _",
            "2: the word is numbered 1 where 2 is due",
        ),
        ("1  _ X _ _ 0 root _ _", "1: the column of the word is empty"),
        (
            "1 a _ X _ _ 0 root _ _\n2 b _ X _ _ _ dep _ _",
            "2: some words of the sentence have a head, others have none",
        ),
        ("1 a _ X _ _ 0 root _ _\n2 </s> _ X _ _ 1 dep _ _", "2: '</s>' is a reserved symbol"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(lines: str, message: str) -> None:
    with pytest.raises(CorpusError) as caught:
        _u(lines)
    assert str(caught.value).startswith(f"a.conllu:{message}")


def test_conllx_counts_its_columns() -> None:
    with pytest.raises(CorpusError, match=r"a\.conll:1: 5 columns where CoNLL-X has 10"):
        _x("1 a X Y 0")


@pytest.mark.parametrize(("language", "words"), [("English", 55_235), ("Turkish", 41_045)])
def test_universal_dependencies(shared_data: Path, language: str, words: int) -> None:
    folder = shared_data / "ud" / f"UD_{language}-Atis"
    if not folder.is_dir():
        pytest.skip(f"no treebank UD_{language}-Atis")
    sentences = read_corpus(folder)
    assert (len(sentences), sum(map(len, sentences))) == (4_860, words)
    assert all(s.heads is not None and s.heads.count(0) == 1 for s in sentences)
    assert all(s.deprels is not None and s.tags is not None for s in sentences)


def test_the_dependency_treebank(nltk_dependency_treebank: list[Sentence]) -> None:
    first = nltk_dependency_treebank[0]
    assert first[:2] == ("Pierre", "Vinken")
    assert first.heads is not None
    assert first.heads[:2] == (2, 8)
    assert sum(map(len, nltk_dependency_treebank)) == 94_084


PLUS = """# global.columns = ID FORM UPOS HEAD DEPREL MY:TAG
# text = the clock
1\tthe\tDET\t2\tdet\t*
2\tclock\tNOUN\t0\troot\tx

1-2\tdu\t_\t_\t_\t_
1\tde\tADP\t2\tcase\t*
2\tle\tDET\t0\troot\t*
"""


@pytest.mark.parametrize("name", ["a.conllup", "a.cupt", "a"])
def test_columns_that_a_comment_names(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(PLUS)
    first, second = read_corpus(tmp_path / name)
    assert (first.tags, first.heads, first.deprels) == (("DET", "NOUN"), (2, 0), ("det", "root"))
    assert second.words == ("de", "le")
    (tmp_path / name).write_text(PLUS.replace("\t*", ""))
    with pytest.raises(
        CorpusError, match=r":3: 5 columns where CoNLL-U Plus by its global.columns has 6"
    ):
        read_corpus(tmp_path / name)
    (tmp_path / name).write_text(PLUS.replace("FORM", "WORD"))
    with pytest.raises(CorpusError, match=r":1: global.columns names no column FORM"):
        read_corpus(tmp_path / name)
    (tmp_path / name).write_text(PLUS.replace("MY:TAG", "FORM"))
    with pytest.raises(CorpusError, match=r":1: global.columns names .*, or one twice"):
        read_corpus(tmp_path / name)


def test_columns_in_another_order_are_not_replaced(tmp_path: Path) -> None:
    columns = "XPOS UPOS ID FORM LEMMA FEATS HEAD DEPREL DEPS MISC"
    (tmp_path / "a.conllu").write_text(
        f"# global.columns = {columns}\nNN\tNOUN\t1\tclock\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
    )
    (passage,) = iter_passages(tmp_path / "a.conllu")
    assert not passage.columns
    assert passage.sentence is not None and passage.sentence.tags == ("NN",)


def test_blanks_between_columns_are_no_tabs(tmp_path: Path) -> None:
    row = "1  clock  clock  NOUN    NN  _  0  root  _  _"
    (tmp_path / "a.conllu").write_text(row + "\n")
    with pytest.raises(
        CorpusError, match=r"a\.conllu:1: 1 columns where CoNLL-U has 10, separated"
    ):
        read_corpus(tmp_path / "a.conllu")


def test_columns_named_behind_words_of_conllu_are_a_comment(tmp_path: Path) -> None:
    row = "1\tdogs\t_\tNOUN\tNNS\t_\t0\troot\t_\t_\n\n"
    (tmp_path / "a.conllu").write_text(f"{row}# global.columns = ID FORM\n{row}")
    assert [sentence.words for sentence in read_corpus(tmp_path / "a.conllu")] == 2 * [("dogs",)]


def test_conllx_with_columns_of_several_widths_in_a_sentence(tmp_path: Path) -> None:
    full = "1\tdogs\t_\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n"
    (tmp_path / "a.conllx").write_text(f"{full}2\tbark\t_\tVERB\tVBP\t_\t0\troot\n\n")
    assert [sentence.words for sentence in read_corpus(tmp_path / "a.conllx")] == [("dogs", "bark")]


def test_tags_of_two_columns_are_said(tmp_path: Path) -> None:
    rows = "1\tit\t_\tPRON\t{}\t_\t_\t_\t_\t_\n\n"
    (tmp_path / "a.conllu").write_text(rows.format("PRP") + 2 * rows.format("_"))
    with pytest.warns(UserWarning, match="a.conllu: as tags 1 XPOS and 2 UPOS were read"):
        read_corpus(tmp_path / "a.conllu")
    assert len(read_corpus(tmp_path / "a.conllu", tag_column="upos")) == 3


def test_columns_of_chunks_are_no_heads(tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_text("EU NNP B-NP B-ORG\nrejects VBZ B-VP O\n")
    with pytest.raises(CorpusError, match=r"head 'B-NP' is not .* call a file .* \.vert"):
        read_corpus(tmp_path / "a.conll")
    (tmp_path / "a.conll").rename(tmp_path / "a.vert")
    (sentence,) = read_corpus(tmp_path / "a.vert")
    assert sentence.tags == ("NNP", "VBZ")
