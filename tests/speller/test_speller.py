"""Spellers: what they learn of a small language, in files, and in the words of the program."""

from __future__ import annotations

import io
import json
import random
import shutil
import subprocess
from pathlib import Path
from zipfile import ZipFile

import pynini
import pytest

from fstce import Speller
from fstce.cli.main import main
from fstce.errors import CorpusError, MachineError, ParameterError
from fstce.machines.convert import read_machine, write_machine
from fstce.machines.hfst import ERRORS, zhfst_member
from fstce.speller.evaluation import speller_scores
from fstce.speller.export import with_letters, write_speller
from fstce.speller.lexicon import LETTERS, LONGEST, Lexicon, acceptor, lexicon_of
from fstce.speller.typos import read_typos

CHOICE = random.Random(7)
SYLLABLES = [a + b for a in "bdgklmnprst" for b in ("a", "e", "i", "o", "u", "á", "ie", "uo")]


def word() -> str:
    return "".join(CHOICE.choices(SYLLABLES, k=CHOICE.choice((2, 3)))) + CHOICE.choice(
        ("", "t", "n", "id")
    )


def mistyped(intended: str) -> str:
    """An accent forgotten, g for k, p for d, one letter for a diphthong; now and then any other."""
    for right, wrong in (("á", "a"), ("k", "g"), ("d", "p"), ("uo", "a"), ("ie", "e")):
        if right in intended and CHOICE.random() < 0.6:
            return intended.replace(right, wrong, 1)
    place = CHOICE.randrange(len(intended))
    return intended[:place] + CHOICE.choice("aeioubdgkl") + intended[place + 1 :]


LEXICON = {word(): CHOICE.randrange(50) for _ in range(3000)}
PAIRS = [(mistyped(intended), intended) for intended in CHOICE.sample(sorted(LEXICON), 300)]
PAIRS = [(observed, intended) for observed, intended in PAIRS if observed != intended]
TRAINING, TEST = PAIRS[:200], PAIRS[200:]


@pytest.fixture(scope="module")
def speller() -> Speller:
    return Speller().fit(TRAINING, LEXICON)


def test_it_learns_what_its_writers_confuse(speller: Speller) -> None:
    """Against itself with nothing learned but the prior: one typo of this language."""
    unlearnt = Speller().fit(TRAINING[:1], LEXICON)
    assert speller_scores(speller, TEST).among(1) > speller_scores(unlearnt, TEST).among(
        1
    ) + 0.1 * len(TEST)
    assert speller.errors_.cost("a", "á", 1) < speller.errors_.cost("e", "á", 1) - 1
    assert 0 <= speller.exponent_ < 2
    assert any(row.observed == "e" and row.intended == "ie" for row in speller.errors_.strings) or (
        speller.errors_.cost("", "i", 1) < 3
    )


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


def test_scores_are_of_reachable_typos(speller: Speller) -> None:
    """A right form that the lexicon lacks, or three edits away, is not reachable; no suggestion is a miss."""
    intended = TEST[0][1]
    pairs = [TEST[0], TEST[0], ("zzzz", "qqqqq"), (f"xxx{intended}", intended)]
    record = speller_scores(speller, pairs).record()
    assert (record["pairs"], record["reachable"], record["false_alarms"]) == (3, 1, 1)
    assert record["first"] <= record["among_five"] <= 1
    scores = speller_scores(speller, TEST)
    assert scores.among(1) == sum(row.suggested[:1] == (row.intended,) for row in scores.outcomes)
    assert sum(scores.kinds().values()) == len(scores.outcomes)


def test_lexicons_are_files_of_words_and_machines(tmp_path: Path) -> None:
    (tmp_path / "counts.tsv").write_text("the\t9\ncats\t2\n")
    (tmp_path / "text.txt").write_text("The cats, the dogs.\nDon't!\n")
    both = lexicon_of([tmp_path / "counts.tsv", tmp_path / "text.txt"])
    costs = both.costs(["the", "dogs"])
    assert costs["the"] < costs["dogs"]
    (tmp_path / "x.att").write_text("0\t1\tch\tch\t0.5\n1\t2\ta\ta\n2\n")
    machine = lexicon_of(tmp_path / "x.att")
    assert machine.costs(["cha"]) == {"cha": 0.5}
    (tmp_path / "y.att").write_text("0\t1\t@U.CASE.NOM@\t@U.CASE.NOM@\n1\t2\ta\ta\n2\n")
    with pytest.raises(MachineError, match="flag diacritics"):
        lexicon_of(tmp_path / "y.att")
    with pytest.raises(ParameterError, match=r"\S+: an acceptor is a whole lexicon"):
        lexicon_of([tmp_path / "x.att", tmp_path / "text.txt"])


@pytest.mark.parametrize("text", ["0\t1\t@0@\t@0@\n1\n", "0\t1\ta\ta\n"])
def test_a_machine_without_words_is_no_lexicon(text: str, tmp_path: Path) -> None:
    (tmp_path / "none.att").write_text(text)
    with pytest.raises(MachineError, match=r"none\.att: holds no word"):
        lexicon_of(tmp_path / "none.att")


def test_letters_and_marks_meet_however_they_are_written() -> None:
    """A decomposed lexicon was of other words than composed typos."""
    composed, apart = "naïve", "nai\u0308ve"
    for lexicon in ([composed, "nave"], [apart, "nave"], pynini.accep(apart, token_type="utf8")):
        speller = Speller().fit([("nïave", composed), ("nai\u0308vee", apart)], lexicon)
        assert speller.reached_ == 2
        for observed in ("naïvve", "nai\u0308vve"):
            assert speller.predict([observed])[0][0] == composed


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


def test_typos_are_read_as_they_are_kept(tmp_path: Path) -> None:
    (tmp_path / "typos.tsv").write_text(
        "# a comment\nteh\tthe\t#swap\nteh\tthe\nab\n\nsame\tsame\n wich\twhich \n"
    )
    assert read_typos(tmp_path / "typos.tsv") == (("teh", "the"), ("wich", "which"))
    (tmp_path / "none.tsv").write_text("# teh\tthe\n")
    with pytest.raises(CorpusError, match="holds no typo"):
        read_typos(tmp_path / "none.tsv")


def test_an_archive_is_a_lexicon(speller: Speller, tmp_path: Path) -> None:
    write_speller(speller, tmp_path / "x.zhfst", "xx")
    with ZipFile(tmp_path / "x.zhfst") as archive:
        assert b"<locale>xx</locale>" in archive.read("index.xml")
    again = lexicon_of(tmp_path / "x.zhfst")
    for known in [*LEXICON][:50]:
        [cost] = speller.lexicon_.costs([known]).values()
        assert again.costs([known]) == pytest.approx({known: speller.exponent_ * cost}, abs=1e-3)
    assert not again.costs(["bcdfg"])
    with pytest.raises(MachineError, match="no speller, a zip archive"):
        zhfst_member(b"PK", "x.zhfst", ERRORS)


def test_hfst_ospell_suggests_the_same(speller: Speller, tmp_path: Path) -> None:
    """All suggestions, in order, with their weights. Its own -n prunes paths that it needs later."""
    if shutil.which("hfst-ospell") is None:
        pytest.skip("hfst-ospell is not installed")
    write_speller(speller, tmp_path / "x.zhfst", "xx")
    observed = [row[0] for row in TEST if not speller.lexicon_.costs(row[:1])]
    command = ["hfst-ospell", "-S", str(tmp_path / "x.zhfst")]
    lines = subprocess.run(
        command,
        input="".join(f"{row}\n" for row in observed),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    theirs: dict[str, list[tuple[str, float]]] = {row: [] for row in observed}
    asked = ""
    for line in lines:
        if line.startswith("Corrections for"):
            asked = line.split('"')[1]
        elif "    " in line:
            suggested, weight = line.split("    ")
            theirs[asked].append((suggested, float(weight)))
    ours = dict(zip(observed, speller.suggest(observed, 1000), strict=True))
    assert sum(map(len, ours.values())) > len(observed)
    for row in observed:
        assert {word for word, _ in theirs[row]} == {suggestion.word for suggestion in ours[row]}
        weights = [suggestion.cost for suggestion in ours[row]]
        assert [weight for _, weight in theirs[row]] == pytest.approx(weights, abs=1e-3)


def test_the_program_learns_evaluates_suggests_and_exports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, rows in (("train", TRAINING), ("test", TEST)):
        (tmp_path / f"{name}.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in rows))
    (tmp_path / "words.tsv").write_text(
        "".join(f"{name}\t{count}\n" for name, count in LEXICON.items())
    )
    model = str(tmp_path / "model")
    learn = [
        "speller",
        "learn",
        str(tmp_path / "train.tsv"),
        "--lexicon",
        str(tmp_path / "words.tsv"),
    ]
    main([*learn, "-o", model, "-q"])
    assert capsys.readouterr() == ("", "")
    main(
        [
            "speller",
            "evaluate",
            model,
            str(tmp_path / "test.tsv"),
            "--json",
            "--quiet",
        ]
    )
    record = json.loads(capsys.readouterr().out)
    assert record["reachable"] > record["among_five"] // 2 > 0
    main(["speller", "evaluate", model, str(tmp_path / "test.tsv")])
    assert "% among five" in capsys.readouterr().out
    observed, intended = next(row for row in TRAINING if "á" in row[1])
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(f"{observed}\n\n".encode())))
    main(["speller", "suggest", model, "--costs"])
    out = capsys.readouterr().out
    assert out.startswith(f"{observed}\t")
    assert intended in out
    options = ["--far", str(tmp_path / "x.far"), "--editdist", str(tmp_path / "x.txt")]
    main(["speller", "export", model, *options, "--quiet"])
    assert read_machine(f"{tmp_path}/x.far:errors").num_states() > 10
    assert read_machine(f"{tmp_path}/x.far:acceptor").num_states() > 100
    assert "\ná\n" in (tmp_path / "x.txt").read_text()
    main(["info", model])
    assert "edits of strings" in capsys.readouterr().out
    assert main(["speller", "export", model]) == 2
    assert "nothing to write" in capsys.readouterr().err
    assert (
        main(["speller", "export", model, "--hunspell", f"{tmp_path}/y", "--acceptor", "x.hfst"])
        == 2
    )
    assert "--acceptor goes with" in capsys.readouterr().err


def test_their_acceptor_goes_into_the_archive(speller: Speller, tmp_path: Path) -> None:
    words = Lexicon.of_counts({"guolli": 1, "beana": 3}).machine
    write_machine(with_letters(words), tmp_path / "theirs.hfstol")
    write_machine(with_letters(words), tmp_path / "theirs.hfst")
    for name in ("theirs.hfstol", "theirs.hfst"):
        write_speller(speller, tmp_path / "x.zhfst", "se", tmp_path / name)
        lexicon = lexicon_of(tmp_path / "x.zhfst")
        assert set(lexicon.costs(["guolli", next(iter(LEXICON))])) == {"guolli"}


def test_what_no_typo_shows_costs_as_the_prior_says() -> None:
    """No candidate of this typo lacks a letter; a missing one is not free for that."""
    speller = Speller().fit([("teh", "the")], ["the", "tea", "these"])
    assert speller.errors_.cost("", "s", 1) == 3.0


def test_counts_of_an_acceptor_are_whole_numbers_however_its_costs_spread() -> None:
    machine = pynini.union(pynini.accep("cat", weight=900), pynini.accep("dog")).optimize()
    counts = lexicon_of(machine).counts()
    assert counts["cat"] == 1 and 2**52 < counts["dog"] < 2**54


def test_a_word_that_is_right_is_its_own_first_suggestion(fstce, tmp_path: Path) -> None:
    """Nothing told it from a typo: only others were suggested for it."""
    model = tmp_path / "model"
    Speller().fit([("teh", "the")], ["the", "ten", "tea", "Paris"]).save(model)
    typed = "the\nThe\nteh\nParis\nparis\n" + "the" * 50 + "\n"
    code, out, _ = fstce("speller", "suggest", model, "--number", 2, stdin=typed.encode())
    assert code == 0
    first = [line.split("\t")[1:2] for line in out.splitlines()]
    assert first == [["the"], ["The"], ["the"], ["Paris"], ["Paris"], []]
    _, out, _ = fstce("speller", "suggest", model, "--costs", stdin=b"the\n")
    assert out.startswith("the\tthe 0.0000\t")


def test_a_transducer_is_no_lexicon() -> None:
    """A damaged model was an internal error where its words were read."""
    with pytest.raises(ParameterError, match="an acceptor"):
        Lexicon(pynini.cross("cat", "dog").optimize())


def test_a_lexicon_of_capitals_alone_becomes_an_archive(tmp_path: Path) -> None:
    speller = Speller().fit([("NTAO", "NATO"), ("UO", "UNO")], ["NATO", "UNO", "EU"])
    write_speller(speller, tmp_path / "a.zhfst")
    assert ZipFile(tmp_path / "a.zhfst").testzip() is None


def test_a_fraction_is_of_no_other_script() -> None:
    with pytest.raises(ParameterError, match="of no typo the right form"):
        Speller().fit([("1/2", "½")], ["½", "¼"])
