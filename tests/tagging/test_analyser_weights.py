"""An analyser's readings cost what the tagger says of the word: by HFST's own lookup, and by hand."""

from __future__ import annotations

import math
import re
import shutil
from collections import Counter, defaultdict

import pynini
import pytest
from machine_cases import run

from fstce import Analyser, Tagger
from fstce.errors import MachineError, ParameterError
from fstce.machines.convert import read_machine, write_machine
from fstce.tagging.analyser_weights import TagCosts, WeightedAnalyser, tag_of_readings

# Compounds without end, flags that keep plurals from un-, a digraph, and a reading without a tag.
LEXC = """\
Multichar_Symbols +N +V +Pl +Sg +Inf +3P +Det ch @P.UN.ON@ @D.UN@ @_IDENTITY_SYMBOL_@
LEXICON Root
Stem ;
@P.UN.ON@un Stem ;
the+Det:the # ;
uh # ;
LEXICON Stem
dog Noun ;
chat Noun ;
saw Noun ;
saw Verb ;
bark Noun ;
bark Verb ;
bark Stem ;
LEXICON Noun
+N+Sg:0 # ;
+N+Pl@D.UN@:s@D.UN@ # ;
LEXICON Verb
+V+Inf:0 # ;
+V+3P:s # ;
"""
TEXT = [
    row.split()
    for row in (
        "The dog saws the bark",
        "the dogs saw the dog",
        "the chats bark",
        "uh the barks",
        "saws bark",
    )
]
WORDS = (
    "dog",
    "saws",
    "saw",
    "bark",
    "the",
    "uh",
    "chats",
    "chat",
    "undog",
    "unsaws",
    "barkbarksaws",
    "wug",
)


def compiled(folder, turned=True):
    (folder / "x.lexc").write_text(LEXC)
    run("hfst-lexc", str(folder / "x.lexc"), "-o", str(folder / "up.hfst"))
    run("hfst-invert", str(folder / "up.hfst"), "-o", str(folder / "x.hfst"))
    return folder / ("x.hfst" if turned else "up.hfst")


def looked_up(machine, words=WORDS):
    """What hfst-lookup prints of each word."""
    readings = defaultdict(dict)
    for line in run(
        "hfst-lookup", "-q", str(machine), input="".join(f"{w}\n" for w in words)
    ).splitlines():
        word, *fields = line.split("\t")
        if fields and not fields[0].endswith("+?"):
            readings[word][fields[0]] = float(fields[1])
    return readings


@pytest.fixture(scope="module")
def tagger():
    tags = {
        "the": "Det",
        "The": "Det",
        "dog": "N",
        "dogs": "N",
        "chats": "N",
        "uh": ("N", "V", "Det"),
    }
    ambiguous = dict.fromkeys(("saw", "saws", "bark", "barks"), ("N", "V"))
    return Tagger("trans1", order=2).fit(TEXT, dictionary=tags | ambiguous)


def by_hand(tagger, readings):
    """The costs of the docstring, word by word."""
    expected = defaultdict(Counter)
    for row, table in zip(TEXT, tagger.predict_proba(TEXT), strict=True):
        for word, probability in zip(row, table, strict=True):
            expected[word.lower()].update(
                dict(zip(tagger.tags_, probability.tolist(), strict=True))
            )
    tokens = sum(map(len, TEXT))
    of_tag = {tag: sum(row[tag] for row in expected.values()) for tag in tagger.tags_} | {None: 0.0}
    general = {tag: (count + 1) / (tokens + len(of_tag)) for tag, count in of_tag.items()}
    costs = {}
    for word, texts in readings.items():
        tag = {text: next((t for t in tagger.tags_ if f"+{t}" in text), None) for text in texts}
        share = {
            t: expected[word][t] + general[t] if word in expected else general[t] for t in general
        }
        whole = sum(share[t] for t in {*tag.values()}) if word in expected else 1.0
        costs[word] = {text: -math.log(share[tag[text]] / whole) for text in texts}
    return costs


@pytest.mark.parametrize("suffix", [".hfst", ".hfstol"])
@pytest.mark.parametrize("turned", [True, False])
def test_readings_cost_what_the_tagger_says(tagger, tmp_path, turned, suffix):
    source = compiled(tmp_path, turned)
    costs = TagCosts.of_text(tagger, TEXT)
    weighted = WeightedAnalyser(
        read_machine(source), costs, tag_of_readings(tagger.tags_, {}), str(source)
    )
    write_machine(weighted.machine, tmp_path / f"w{suffix}")
    found, before = looked_up(tmp_path / f"w{suffix}"), looked_up(compiled(tmp_path))
    assert {word: {*rows} for word, rows in found.items()} == {
        word: {*rows} for word, rows in before.items()
    }
    assert "barkbarksaws" in found and "undog" in found and "unsaws" in found
    expected = by_hand(tagger, found)
    for word, rows in found.items():
        assert rows == pytest.approx(expected[word], abs=2e-5), word
    assert found["the"] == {"the+Det": 0.0} and weighted.without_tag == [""]
    assert weighted.words == 9  # The is the


def test_a_map_names_the_tags(tagger, tmp_path):
    source = compiled(tmp_path)
    costs = TagCosts.of_text(tagger, [[word] for word in tagger.dictionary_])
    rule = tag_of_readings(tagger.tags_, {"+3P": "N", "+V+Inf": "Det"})
    weighted = WeightedAnalyser(read_machine(source), costs, rule, "x")
    assert weighted.tags["+V", "+3P"] == "N" and weighted.tags["+V", "+Inf"] == "Det"


def test_what_cannot_be_weighted(tagger, tmp_path):
    machine, rule = read_machine(compiled(tmp_path)), tag_of_readings(tagger.tags_, {})
    costs = TagCosts.of_text(tagger, TEXT)
    weighted = WeightedAnalyser(machine, costs, rule, "x").machine
    with pytest.raises(MachineError, match="has weights already"):
        WeightedAnalyser(weighted, costs, rule, "x")
    with pytest.raises(
        ParameterError, match=r"no reading has a tag of the tagger's.*\+N\+Pl.*--tag-map"
    ):
        WeightedAnalyser(machine, costs, lambda reading: "X", "x")
    with pytest.raises(MachineError, match="no reading with tags of any word"):
        WeightedAnalyser(machine, TagCosts.of_text(tagger, [["zzz"]]), rule, "x")


def test_an_analyser_of_the_text_alone_has_no_other_words(tagger):
    rows = {"saw": ("saw+N", "saw+V"), "dog": ("dog+N",)}
    symbols = pynini.SymbolTable("letters")
    for name in ("<epsilon>", *"sawdog", "+N", "+V"):
        symbols.add_symbol(name)
    spaced = {
        word: [" ".join(t[:-2]) + f" {t[-2:]}" for t in texts] for word, texts in rows.items()
    }
    machine = pynini.union(
        *(
            pynini.cross(
                pynini.accep(" ".join(word), token_type=symbols),
                pynini.accep(text, token_type=symbols),
            )
            for word, texts in spaced.items()
            for text in texts
        )
    ).rmepsilon()
    machine.set_input_symbols(symbols).set_output_symbols(symbols)
    rule = tag_of_readings(tagger.tags_, {})
    weighted = WeightedAnalyser(machine, TagCosts.of_text(tagger, TEXT), rule, "x")
    assert {"".join(reading) for reading in Analyser(weighted.machine)("saw")} == {*rows["saw"]}


DIX = """\
<?xml version="1.0" encoding="UTF-8"?>
<dictionary><alphabet>abcdefghijklmnopqrstuvwxyz</alphabet>
<sdefs><sdef n="n"/><sdef n="sg"/><sdef n="pl"/><sdef n="vblex"/><sdef n="pres"/><sdef n="past"/>
<sdef n="det"/><sdef n="sent"/></sdefs>
<section id="main" type="standard">ENTRIES</section>
<section id="final" type="inconditional">
<e><p><l>.</l><r>.<s n="sent"/></r></p></e></section></dictionary>
"""
LEXICON = {
    "the": ["the<det>"],
    "dog": ["dog<n><sg>"],
    "dogs": ["dog<n><pl>"],
    "saw": ["saw<n><sg>", "see<vblex><past>", "saw<vblex><pres>"],
    "lay": ["lay<vblex><pres>", "lie<vblex><past>", "lay<n><sg>"],
    "lies": ["lie<vblex><pres>", "lye<n><pl>"],
    "lie": ["lie<vblex><pres>"],
    "put": ["putt<vblex><past>", "put<vblex><past>"],
    "puts": ["put<vblex><pres>"],
    "in turn": ["in turn<n><sg>"],
}
SENTENCES = ("the dog saw the dogs .", "the saw lay .", "dogs put the saw .", "the dogs lie .")


def apertium(folder):
    """An analyser as lt-print writes it, a stream of it, and a tagger that it has trained."""
    entries = ""
    for word, readings in LEXICON.items():
        for reading in readings:
            lemma, *tags = reading.replace(">", "").split("<")
            symbols = "".join(f'<s n="{tag}"/>' for tag in tags)
            left, right = word.replace(" ", "<b/>"), lemma.replace(" ", "<b/>")
            entries += f"<e><p><l>{left}</l><r>{right}{symbols}</r></p></e>"
    (folder / "x.dix").write_text(DIX.replace("ENTRIES", entries), encoding="utf-8")
    run("lt-comp", "lr", str(folder / "x.dix"), str(folder / "x.bin"))
    (folder / "x.att").write_text(run("lt-print", str(folder / "x.bin")), encoding="utf-8")
    text = "".join(
        f"{sentence}\n" for sentence in [*SENTENCES, *SENTENCES, "the dog puts in turn ."]
    )
    (folder / "text").write_text(run("lt-proc", "-w", str(folder / "x.bin"), input=text))


@pytest.mark.skipif(shutil.which("lt-comp") is None, reason="lttoolbox is not installed")
@pytest.mark.parametrize("reading_tags", [(), ("--reading-tags", "first")])
def test_apertium_and_hfst_rank_whole_readings_alike(tmp_path, fstce, reading_tags):
    apertium(tmp_path)
    train = ("tagger", "train", tmp_path / "text", *reading_tags, "-o", tmp_path / "m")
    assert fstce(*train).code == 0
    options = ("--analyser", tmp_path / "x.att", "--text", tmp_path / "text")
    for name, scaled in {
        "w.att": (),
        "w.hfst": (),
        "n.att": ("--weight-scale", "100", "--weight-digits", "0"),
    }.items():
        done = fstce("tagger", "export", tmp_path / "m", *options, *scaled, "-o", tmp_path / name)
        assert done.code == 0, done.err

    by_lt = {}
    for name in ("w", "n"):
        run("lt-comp", "lr", str(tmp_path / f"{name}.att"), str(tmp_path / f"{name}.bin"))
        words = "".join(f"{word} .\n" for word in LEXICON)
        printed = run("lt-proc", "-W", str(tmp_path / f"{name}.bin"), input=words)
        rows = re.findall(r"\^([^/$]*)/([^$]*)\$", printed)
        by_lt[name] = {
            word: dict(re.findall(r"([^/]*?)<W:([0-9.]+)>", rest)) for word, rest in rows
        }
    by_hfst = looked_up(tmp_path / "w.hfst", LEXICON)
    for word, readings in LEXICON.items():
        assert {*by_hfst[word]} == {*readings} == {*by_lt["w"][word]}, word
        costs = [by_hfst[word][reading] for reading in by_lt["w"][word]]
        assert costs == sorted(costs)
        assert costs == pytest.approx([*map(float, by_lt["w"][word].values())], abs=1e-4)
        if word != "lies":  # which the text has not
            assert sum(math.exp(-cost) for cost in costs) == pytest.approx(1, abs=1e-3)
        whole = [float(weight) for weight in by_lt["n"][word].values()]
        assert whole == pytest.approx([100 * cost for cost in costs], abs=0.51)
        assert all(weight == round(weight) for weight in whole)

    # of two lemmas with one tag the one that the text has elsewhere
    assert [*by_lt["w"]["put"]] == ["put<vblex><past>", "putt<vblex><past>"]
    whole_reading = not reading_tags
    verbs = by_lt["w"]["saw"]
    assert (verbs["see<vblex><past>"] != verbs["saw<vblex><pres>"]) or not whole_reading
