"""Files of words: each kind is read as what it is, and one that may be two is asked about."""

from __future__ import annotations

from pathlib import Path

import pytest

from fstce.corpora.vocabulary import Vocabulary
from fstce.corpora.word_files import added, read_word_file
from fstce.errors import CorpusError, NeighborhoodError, ParameterError

FILES = {
    "list": ("the\ncat\n\n# a remark\nsat\n", {"the": 1, "cat": 1, "sat": 1}),
    "list with a phrase": ("cat\n" + "".join(f"w{i}\n" for i in range(9)) + "ice cream\n", None),
    "counts": ("the\t12\ncat\t3\nthe\t1\n", {"the": 13, "cat": 3}),
    "counts of powers": ("the\t1.5e3\ncat\t2E1\ne3\t7\n", {"the": 1500, "cat": 20, "e3": 7}),
    "counts of fractions": ("the\t0.5\ncat\t.0\n" * 0 + "the\t0.5\ncat\t0.25\n", {"the": 2, "cat": 1}),
    "counts behind a blank": ("the 23\ncat 4\n", {"the": 23, "cat": 4}),
    "counts before words": ("     12 the\n      3 cat\n", {"the": 12, "cat": 3}),
    "counts of phrases": ("ice cream\t3\ncat\t4\n", {"ice cream": 3, "cat": 4}),
    "counts with empty columns": ("the\t9\t\t \ncat\t2\t\t\n", {"the": 9, "cat": 2}),
    "counts behind semicolons": ("the;12\nice cream; 3\n", {"the": 12, "ice cream": 3}),
    "counts behind colons": ("the: 12\ncat: 3\n", {"the": 12, "cat": 3}),
    "counts of a table with commas": ("word,count\nthe,12\ncat,3\n", {"the": 12, "cat": 3}),
    "counts with a header": ("word\tfreq\nthe\t12\ncat\t3\n", {"the": 12, "cat": 3}),
    "unimorph": ("cat\tcats\tN;PL\ncat\tcat\tN;SG\nox\t—\tN;PL\n", {"cats": 1, "cat": 1, "ox": 1}),
    "text": ("The cat sat.\nThe cat's mat, again and again.\n", None),
}  # fmt: skip


def write(folder: Path, text: str, name: str = "words") -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_what_it_looks_like(name: str, tmp_path: Path) -> None:
    text, counts = FILES[name]
    file = read_word_file(write(tmp_path, text))
    assert file.format == name.split()[0]
    if counts is not None:
        assert file.counts == counts
    assert read_word_file(tmp_path / "words", file.format) == file


def test_a_text_is_its_words_and_phrases_stay_in_lists(tmp_path: Path) -> None:
    text = read_word_file(write(tmp_path, FILES["text"][0])).counts
    rest = {"cat": 1, "sat": 1, "cat's": 1, "mat": 1, "again": 2, "and": 1}
    assert text == {"The": 2, "the": 2, **rest}
    file = read_word_file(write(tmp_path, FILES["list with a phrase"][0]))
    assert "ice cream" in file.counts
    symbols = file.symbols()
    assert "ice cream" not in symbols.counts
    assert str(symbols).endswith("words: a list, 10 words; left out: 1 that are no single word")
    assert added([file, file])["cat"] == 2


@pytest.mark.parametrize(
    "text",
    [
        "ice cream\nhot dog\ncat\nsea lion\n",
        "the\ncat\nthe\ncat\nthe\ncat\nthe\n",
        "teh\tthe\nwich\twhich\n",
        "teh->the\nwich->which\n",
        "teh:the\nwich:which\n",
        "bears:bear<n><pl>\nrun:run<vblex>\n",
        "the/DT bear/NN runs/VBZ ./.\nhere/RB it/PRP sits/VBZ ./.\n",
        "^the/the<det>$ ^bear/bear<n>$ ^runs/run<vblex>$ ^here/here<adv>$\n",
        "(S (NP (DT the) (NN bear)) (VP (VBZ runs)))\n",
    ],
)
def test_a_file_that_may_be_two_things_is_asked_about(text: str, tmp_path: Path) -> None:
    path = write(tmp_path, text)
    with pytest.raises(CorpusError, match=r"words.*--lexicon-format"):
        read_word_file(path)
    for format in ("list", "text"):
        assert read_word_file(path, format).format == format
    with pytest.raises(ParameterError, match="format='lists': give one of list, counts"):
        read_word_file(path, "lists")


def test_only_what_begins_a_sentence_is_known_in_small_letters_too(tmp_path: Path) -> None:
    text = 'Lamps are lit. In Paris (they say) it rains.\n"Who is it?" "Anna and NATO."\n'
    counts = read_word_file(write(tmp_path, text), "text").counts
    assert {"Lamps", "lamps", "In", "in", "Who", "who", "Anna", "anna", "Paris"} <= set(counts)
    assert "paris" not in counts and "nato" not in counts


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("the\t1.500\ncat\t12\n", "may be of thousands or fractions; write 1500, or 1.5000"),
        ("the\tDT\t15\ncat\tNN\t3\n", "second column is no count"),
        ("the\t15\rcat\t3\r", "line ends of old Macs"),
        ('{"the": 15, "cat": 3}\n', "JSON"),
        ("<html><body>\n<p>the bear runs here and sits</p>\n", "XML or HTML"),
        ("Multichar_Symbols +N +V\nLEXICON Root\nrun+V:run # ;\n", "hfst-lexc"),
    ],
)
def test_counts_that_would_be_read_wrongly_are_refused(
    text: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / "words").write_bytes(text.encode())
    with pytest.raises(CorpusError, match=message):
        read_word_file(tmp_path / "words")


def test_a_faulty_line_is_named(tmp_path: Path) -> None:
    rows = "".join(f"w{i}\t{i}\n" for i in range(20))
    for fault in ("the\tmany\n", "the\n", "the\t1e400\n", "the\t-1\n"):
        with pytest.raises(CorpusError, match=r"words:21: .* is no count"):
            read_word_file(write(tmp_path, rows + fault))
    with pytest.raises(CorpusError, match="holds no word"):
        read_word_file(write(tmp_path, "\n# nothing\n"))
    with pytest.raises(CorpusError, match=r"words:2: a line of UniMorph"):
        read_word_file(write(tmp_path, "a\tb\tN\nc\n"), "unimorph")


def test_cells_of_marks_are_read_at_once(tmp_path: Path) -> None:
    """A fuzzer found a pattern that tried each way to part them, without end."""
    with pytest.raises(CorpusError, match="no count"):
        read_word_file(write(tmp_path, f"the\tthe\tN{'/' * 40}!\n" * 3))


def test_a_vocabulary_takes_the_same_files(tmp_path: Path) -> None:
    assert Vocabulary.read(write(tmp_path, "the\ncat\n")) == {"the": 1, "cat": 1}
    write(tmp_path, "SFX S Y 1\nSFX S 0 s .\n", "x.aff")
    assert Vocabulary.read(write(tmp_path, "1\ncat/S\n", "x.dic")) == {"cat": 1, "cats": 1}
    with pytest.raises(NeighborhoodError, match="holds no word but 1 that are no single word"):
        Vocabulary.read(write(tmp_path, "New York\t3\n"))


@pytest.mark.parametrize(
    "text",
    [
        '"house","12"\n"mouse","3"\n"louse","4"\n',
        '["house","mouse","louse"]\n',
        "house/SD\nmouse/X\nlouse\n",
        "3\nhouse\nmouse\nlouse\n",
        "house|N\nmouse|N\nlouse|N\n",
        "'house'\n'mouse'\n'louse'\n",
        "house,\nmouse,\nlouse,\n",
        '"house",12\n"mouse",3\n"louse",4\n',
    ],
)
def test_a_list_that_may_be_a_table_or_hunspells_is_asked_about(text: str, tmp_path: Path) -> None:
    """Whole rows became words, ``house/SD`` and the number of the stems too."""
    path = tmp_path / "words.txt"
    path.write_text(text)
    with pytest.raises(CorpusError, match="a table without tabs, or hunspell"):
        read_word_file(path)
    assert read_word_file(path, "list").counts == dict.fromkeys(text.split(), 1)


@pytest.mark.parametrize("text", ["1. house\n2. mouse\n3. louse\n", '"a house",12\n"a mouse",3\n'])
def test_numbers_of_a_list_are_no_counts_and_quotes_no_letters(text: str, tmp_path: Path) -> None:
    """The third word had the count 3, and a word its quotation marks."""
    with pytest.raises(CorpusError, match="say which: --lexicon-format"):
        read_word_file(write(tmp_path, text))


def test_a_quotation_mark_may_be_counted(tmp_path: Path) -> None:
    text = '"\t90\n``\t40\nthe\t80\n'
    assert read_word_file(write(tmp_path, text)).counts == {'"': 90, "``": 40, "the": 80}


def test_counts_may_stand_before_words(tmp_path: Path) -> None:
    path = tmp_path / "words.csv"
    for mark in (",", ";", "\t", " "):
        path.write_text(f"12{mark}house\n3{mark}mouse\n")
        assert read_word_file(path).counts == {"house": 12, "mouse": 3}
    path.write_text("rock'n'roll\nkm/h\n" + "".join(f"word{i}\n" for i in range(30)))
    assert read_word_file(path).format == "list"


@pytest.mark.parametrize(
    "text",
    [
        "1\tthe\t69971\n2\tof\t36412\n",
        "101\tthe\tthe\t69971\n102\tof\tof\t36412\n",
        "rank\tword\tcount\n1\tthe\t69971\n2\tof\t36412\n",
    ],
)
def test_lists_of_leipzig_have_a_number_before_the_word(tmp_path: Path, text: str) -> None:
    """The second column was no count; what was advised failed, too."""
    (tmp_path / "a.txt").write_text(text)
    assert read_word_file(tmp_path / "a.txt").counts == {"the": 69971, "of": 36412}


def test_a_number_before_blanks_is_no_part_of_a_word(tmp_path: Path) -> None:
    """`101 the` was a word, in silence."""
    (tmp_path / "a.txt").write_text("101 the 69971\n102 of 36412\n")
    with pytest.raises(CorpusError, match="a list of phrases, or a text of short lines"):
        read_word_file(tmp_path / "a.txt")
