"""Streams of readings: bytes kept, sentences and readings found, damage named, as the tools write them."""

from __future__ import annotations

import io
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.corpora import TagDictionary, read_corpus
from fstce.corpora.faults import Faults
from fstce.corpora.read import iter_passages
from fstce.corpora.streams import READERS, Reading, StreamSentence, stream_of
from fstce.errors import CorpusError

LETTERS = st.text(st.sampled_from("aé.,<>[]{}^$/\\*+@#~ 中\u00a0\"'-:;0"), min_size=1, max_size=5)
TAGS = st.lists(st.sampled_from(["n", "sg", "vblex", "p3", "cm", "W:1.5"]), min_size=1, max_size=3)
BLANKS = st.sampled_from(
    [" ", "\n", "", "[\n]", "[<b>]", "[[t:b:x]]", "\0", "\n\n", " \\^ ", "\r\n"]
)


def _escaped(text: str) -> str:
    return "".join(f"\\{letter}" if letter in "^$/\\<>[]{}*+@#~" else letter for letter in text)


UNITS = st.builds(
    lambda surface, readings: (
        surface,
        [_escaped(a) + "".join(f"<{t}>" for t in b) for a, b in readings],
    ),
    LETTERS.filter(str.strip),
    st.lists(st.tuples(LETTERS, TAGS), max_size=3),
)


def _numbered(text: str) -> list[tuple[int, str]]:
    return list(enumerate(text.splitlines(keepends=True) if "\r" not in text else [text], 1))


@given(st.lists(st.tuples(BLANKS, UNITS), min_size=1, max_size=8), BLANKS, st.randoms())
def test_a_stream_of_apertium_comes_back_but_for_its_readings(units, tail, random) -> None:
    def stream(units):
        return (
            "".join(
                f"{blank}^{_escaped(surface)}{''.join('/' + one for one in readings)}$"
                for blank, (surface, readings) in units
            )
            + tail
        )

    text = stream(units)
    parts = list(READERS["apertium"](_numbered(text), "a"))
    assert "".join(part for part, _ in parts) == text
    sentences = [sentence for _, sentence in parts if sentence is not None]
    tokens = [token for sentence in sentences for token in sentence.tokens]
    assert [token.surface for token in tokens] == [surface for _, (surface, _) in units]
    assert all(sentence.written() == part for part, sentence in parts if sentence)

    shuffled = [
        (blank, (s, random.sample(readings, min(2, len(readings)))))
        for blank, (s, readings) in units
    ]
    raws = iter([[Reading(f"/{one}", "", ()) for one in readings] for _, (_, readings) in shuffled])
    written = [
        part if sentence is None else sentence.written([next(raws) for _ in sentence.tokens])
        for part, sentence in parts
    ]
    assert "".join(written) == stream(shuffled)


def test_a_plus_at_the_end_of_a_reading_is_no_tag() -> None:
    """``^C++/C++$`` was refused for an empty tag."""
    ((text, sentence),) = READERS["apertium"]([(1, "^C++/C++$")], "a")
    assert sentence.written() == text
    assert sentence.tokens[0].categories == ()


COHORTS = st.tuples(
    LETTERS,
    st.lists(
        st.sampled_from(
            [
                '\t"a" N Sg',
                '\t"b c" V <W:2.0> @SUBJ',
                '\t"d" N\n\t\t"e" P',
                '\t"""" PUNCT',
                ';\t"x" N',
            ]
        ),
        max_size=4,
    ),
    st.sampled_from(["", ": \n", ":\\n\n", "\n", "<s>\n", "[x\n", "\0"]),
)


@given(st.lists(COHORTS, min_size=1, max_size=6), st.sampled_from(["\n", "\r\n"]))
def test_a_stream_of_cg_comes_back_to_the_byte(cohorts, end) -> None:
    text = "".join(
        f'"<{surface}>"\n' + "".join(f"{row}\n" for row in rows) + between
        for surface, rows, between in cohorts
    ).replace("\n", end)
    lines = [(n, f"{line}\n") for n, line in enumerate(text.removesuffix("\n").split("\n"), 1)]
    lines = lines if text.endswith("\n") else [*lines[:-1], (len(lines), lines[-1][1][:-1])]
    parts = list(READERS["cg"](lines, "a"))
    assert "".join(part for part, _ in parts) == text
    tokens = [token for _, sentence in parts if sentence for token in sentence.tokens]
    assert [token.surface for token in tokens] == [surface for surface, _, _ in cohorts]
    right = [sum(row[0] == "\t" for row in rows) for _, rows, _ in cohorts]
    assert [len(token.readings) for token in tokens] == right


def test_readings_of_cg_are_reordered_cut_and_weighted() -> None:
    text = '"<saw>"\n\t"see" <x> V Past @FMV SELECT:12\n\t"saw" N\n\t\t"sub" P\n;\t"saw" V\n"<.>"\n\t"." CLB\n'
    (_, sentence), *_ = READERS["cg"](_numbered(text), "a")
    assert isinstance(sentence, StreamSentence)
    see, saw = sentence.tokens[0].readings
    assert (see.lemma, see.tags, see.category) == ("see", ("<x>", "V", "Past"), "V")
    assert saw.tags == ("N", "+", "P")
    best = sentence.written([[saw.weighted("3"), see], None])
    assert best == text.replace(
        '\t"see" <x> V Past @FMV SELECT:12\n\t"saw" N\n\t\t"sub" P\n;\t"saw" V\n',
        '\t"saw" N <W:3>\n\t\t"sub" P\n\t"see" <x> V Past @FMV SELECT:12\n;\t"saw" V\n',
    )
    more = sentence.written([[see, saw, see], [Reading('\n\t"x" N', "x", ("N",))] * 2])
    assert more.count('"see"') == 2
    assert more.endswith('"<.>"\n\t"x" N\n\t"x" N\n')
    alone = '"<saw>"\n\t"see" <x> V Past @FMV SELECT:12\n;\t"saw" V\n"<.>"\n\t"." CLB\n'
    assert sentence.written([[see], None]) == alone


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("^a/b<n>$ ^./.<sent>$ ^c/d<n>$\n", [2, 1]),
        ("^a/b<n>$\n^c/d<n>$\n", [2]),
        ("^a/b<n>$\n\n^c/d<n>$\n", [1, 1]),
        ("^a/b<n>$[\n]^c/d<n>$", [1, 1]),
        ("[<p>\n]^New York/New York<np>$\0^c/*c$\0", [1, 1]),
        ("^a/a+N/a+V$\n^c/*c$\n", [2]),
        ('"<a>"\n\t"a" N\n"<.>"\n\t"." CLB\n: \n"<c>"\n\t"c" ?\n', [2, 1]),
        ('"<a>"\n\ta+N+Pl\n\n"<c>"\n\tc+N\n\n\n"<d>"\n\td+N\n', [2, 1]),
        ('"<a>"\n\t"a"+N\t0.0\n\n"<c>"\n\t"c" ?\tInf\n', [2]),
        ('"<a>"\n\t"a" N\n \n"<c>"\n\t"c" N\n\n"<d>"\n', [2, 1]),
    ],
)
def test_where_sentences_end(tmp_path: Path, text: str, sizes: list[int]) -> None:
    (tmp_path / "a").write_text(text)
    assert list(map(len, read_corpus(tmp_path / "a"))) == sizes


def test_a_blank_behind_a_plus_is_no_tag(tmp_path: Path) -> None:
    """It was refused as a tag with white space."""
    (tmp_path / "a").write_text("^0/0+ <W:1.5>/b+N Pl$\n")
    (sentence,) = read_corpus(tmp_path / "a")
    readings = sentence.tokens[0].readings  # type: ignore[attr-defined]
    assert [reading.tags for reading in readings] == [(), ("N_Pl",)]


def test_an_infinitive_is_a_tag_and_an_infinite_weight_none(tmp_path: Path) -> None:
    """Both were taken for weights, so that infinitives lost their tag."""
    (tmp_path / "a").write_text('"<run>"\n\t"run" V Inf\n\t"run" vblex inf\n\t"run" ?\tInf\n')
    (sentence,) = read_corpus(tmp_path / "a")
    tags = [reading.tags for reading in sentence.tokens[0].readings]  # type: ignore[attr-defined]
    assert tags == [("V", "Inf"), ("vblex", "inf"), ()]


def test_a_stream_is_a_dictionary_and_perhaps_a_tagged_text(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(
        r"^saw/see<vblex>/saw<n><sg>$ ^\<x\>/\<n\><det>$" + "\n^wug/*wug$ ^\\$/\\$<mon>$"
    )
    (sentence,) = read_corpus(tmp_path / "a")
    assert sentence.words == ("saw", "<x>", "wug", "$")
    assert sentence.tags is None
    found = TagDictionary.from_corpus([sentence], counts=True)
    assert dict(found) == {"saw": ("n", "vblex"), "<x>": ("det",), "$": ("mon",)}
    assert not found.counts
    (tmp_path / "b").write_text("^saw/see<vblex>$ ^dogs/dog<n>/dog<n><pl>$")
    assert read_corpus(tmp_path / "b")[0].tags == ("vblex", "n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("^a/b<n>$\n^foo/b ^c/d<n>$", r"a:4: damaged stream: '\^foo/b ' is not closed"),
        ("^a/b<n>$\n[<b>^c/d<n>$\n", r"a:4: damaged stream: '\[<b>"),
        ("^a/b<n>$\n5 $ ^c/d<n>$\n", r"a:4: damaged stream: a '\$' that closes no token"),
        (
            "^a/b<n>$ ^c<n><pl>$\n",
            r"a:3: '\^c<n><pl>\$' has a lemma where the word of the text should",
        ),
        ("^a/b<n$ ^c/d<n>$\n", r"a:3: damaged stream: '\^a/b<n\$ ' is no token"),
        ("^a/b<>$\n", r"a:3: damaged stream: '\^a/b<>\$' is no token"),
        ("^a/b<n>$ ^$\n", r"a:3: damaged stream: '\^\$' is no token"),
        ("^*a$ ^c<n><pl>$\n", r"a:3: '\^\*a\$' has a lemma where"),
        (
            '"<a>"\n\t"a" N\ntext\n\t"b" N\n',
            "a:6: damaged stream: a reading without a word before it",
        ),
    ],
)
def test_damage_is_named_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    text = ("^x/x<n>$\n\n" if "^" in text else '"<x>"\n\n') + text
    (tmp_path / "a").write_text(text)
    with pytest.raises(CorpusError, match=message):
        read_corpus(tmp_path / "a")
    passed = iter_passages(tmp_path / "a", faults=Faults("pass"))
    assert "".join(line for passage in passed for line in passage.lines) == text


def test_a_token_takes_more_readings_than_it_had() -> None:
    guesses = [Reading("/x<n>", "x", ("n",)), Reading("/x<v>", "x", ("v",))]
    for text, written in (("^wug/*wug$ ", "^wug/x<n>/x<v>$ "), ("^wug$ ", "^wug/x<n>/x<v>$ ")):
        ((_, sentence),) = READERS["apertium"]([(1, text)], "a")
        assert isinstance(sentence, StreamSentence)
        assert sentence.written([guesses]) == written
        assert sentence.written([[]]) == "^wug$ "


def test_what_is_no_stream() -> None:
    assert stream_of(["^a<n>$ ^b$"]) == stream_of(["^*a$ ^b<n>$"]) == "apertium"
    assert stream_of([r"^and\/or/and\/or<cnj>$"]) == stream_of([r"^a\^b/*a\^b$"]) == "apertium"
    assert stream_of(["^owl$ ^flies$"]) == "apertium" and stream_of(['"<owl"']) == "cg"
    assert stream_of(["It is ^ or / or $5.", '"<x" he said', "a^b/c$d", '"Who?"']) is None


DICTIONARY = """<dictionary><alphabet>abcdefghijklmnopqrstuvwxyz</alphabet>
<sdefs><sdef n="n"/><sdef n="vb"/><sdef n="sent"/></sdefs><section id="main" type="standard">
<e><p><l>saw</l><r>saw<s n="n"/></r></p></e><e><p><l>saw</l><r>see<s n="vb"/></r></p></e>
<e><p><l>new<b/>moon</l><r>new<b/>moon<s n="n"/></r></p></e>
<e><p><l>.</l><r>.<s n="sent"/></r></p></e></section></dictionary>"""


@pytest.mark.skipif(
    not (shutil.which("lt-comp") and shutil.which("cg-conv")), reason="lttoolbox, CG-3"
)
def test_what_the_tools_write(tmp_path: Path) -> None:
    (tmp_path / "a.dix").write_text(DICTIONARY)
    subprocess.run(
        ["lt-comp", "lr", "a.dix", "a.bin"], cwd=tmp_path, check=True, capture_output=True
    )
    text = "saw new moon. \\^ [<b>\n]wug saw\n"
    for options in (["-w"], ["-W"], ["-wz"]):
        run = subprocess.run(
            ["lt-proc", *options, "a.bin"],
            input=text,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        (tmp_path / "a.stream").write_text(run.stdout)
        sentences = read_corpus(tmp_path / "a.stream")
        assert [s.words for s in sentences] == [("saw", "new_moon", "."), ("wug", "saw")]
        assert set(sentences[0].tokens[0].categories) == {"n", "vb"}
        run = subprocess.run(
            ["cg-conv", "-a"], input=run.stdout, capture_output=True, text=True, check=True
        )
        (tmp_path / "a.cg").write_text(run.stdout)
        again = [word for s in read_corpus(tmp_path / "a.cg") for word in s]
        assert again == [word for s in sentences for word in s]


def test_a_stream_may_begin_with_marks_that_the_analyzer_lacks(tmp_path: Path) -> None:
    (tmp_path / "a").write_text('"\n%\n^la/el<det>/lo<prn>$ ^casa/casa<n>$\n')
    (sentence,) = read_corpus(tmp_path / "a")
    assert sentence.words == ("la", "casa") and isinstance(sentence, StreamSentence)


@pytest.mark.parametrize(
    ("symbol", "message"),
    [("p\0i", "damaged stream: '.go/go<p' is not closed"), ("\\<s\\>", "the tag .* cannot be one")],
)
def test_a_tag_that_is_none_is_refused_with_its_line(
    tmp_path: Path, symbol: str, message: str
) -> None:
    path = tmp_path / "s.txt"
    path.write_text(f"^we/we<prn>$^./.<sent>$\n\n^go/go<{symbol}>/go<n>$\n", newline="\n")
    with pytest.raises(CorpusError, match=f"s.txt:3: {message}"):
        read_corpus(path)


@pytest.mark.parametrize("reading", ["\tdog N Sg", "\tN"])
def test_a_reading_of_cg_without_a_lemma_is_named(reading: str) -> None:
    """Its token had no reading, in silence."""
    text = f'"<the>"\n\t"the" Det\n"<dog>"\n{reading}\n"<.>"\n\t"." CLB\n'
    with pytest.raises(CorpusError, match=r":4: damaged stream: the reading .* no lemma in quot"):
        read_corpus(io.StringIO(text))


def test_traces_of_rules_are_no_symbols_in_apertiums_format(tmp_path: Path) -> None:
    """cg-proc -t writes them: a removed reading could be chosen, a rule's name was a symbol."""
    text = (
        "^casa/casa<n><sg><SELECT:14:n_a>/¬casar<vblex><pri><REMOVE:5>/casar<vblex><imp>$ "
        "^lo/lo<det><@→N>/¬lo<prn>$ ^no/¬no<adv>$ ^¬/¬<sym><W:1.5>$^./.<sent>$\n"
    )
    (tmp_path / "a").write_text(text, encoding="utf-8")
    (sentence,) = read_corpus(tmp_path / "a")
    assert isinstance(sentence, StreamSentence)
    tags = [[reading.tags for reading in token.readings] for token in sentence.tokens]
    assert tags == [[("n", "sg"), ("vblex", "imp")], [("det",)], [], [("sym",)], [("sent",)]]
    assert sentence.written() == text
    last_first = [token.readings[::-1][:1] for token in sentence.tokens]
    assert sentence.written(last_first).startswith(
        "^casa/casar<vblex><imp>/¬casar<vblex><pri><REMOVE:5>$ "
    )


def test_a_stream_may_begin_with_a_token_that_a_rule_has_removed(tmp_path: Path) -> None:
    """As vislcg3 -t writes it of REMCOHORT; it was refused, and tagged as English in a pipe."""
    text = '; "<Dat>"\n;\t"dat" Pron REMCOHORT:3\n: \n"<viessu>"\n\t"viessu" N Sg\n'
    (tmp_path / "a").write_text(text)
    (sentence,) = read_corpus(tmp_path / "a")
    assert isinstance(sentence, StreamSentence) and sentence.words == ("viessu",)
    assert "".join(part for part, _ in READERS["cg"](_numbered(text), "a")) == text


def test_symbols_of_hfst_behind_a_lemma_are_tags() -> None:
    """As `hfst-lookup -O cg` and `hfst-tokenise --cg` write them: a damaged stream."""
    text = '"<saw>"\n\tsee<v><past>\n\t"saw"<n><sg>\t0.000000\n\n"<the>"\n\t"the"<det> <W:0.0>\n'
    sentences = read_corpus(io.StringIO(text))
    streams = [sentence for sentence in sentences if isinstance(sentence, StreamSentence)]
    tokens = [token for sentence in streams for token in sentence.tokens]
    assert [token.categories for token in tokens] == [("v", "n"), ("det",)]
    assert tokens[0].readings[0].tags == ("v", "past")
    assert "".join(sentence.written() for sentence in streams) == text


def test_text_before_the_first_token_is_no_other_format() -> None:
    text = ':The cats \n"<saw>"\n\t"saw" N\n'
    assert read_corpus(io.StringIO(text))[0].words == ("saw",)
