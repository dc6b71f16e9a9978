"""`fstce corrector train`: clean text to a folder; options reach the corrector; wrong input is told."""

import re

import pytest

from fstce.correction.corrector import Corrector
from fstce.correction.mistakes.misspellings import shipped_channel
from fstce.speller.speller import Speller

QUICK = ("--criterion", "none", "--quiet")


@pytest.fixture
def clean(tmp_path, sentences):
    path = tmp_path / "clean.txt"
    path.write_text("".join(" ".join(s.words) + "\n" for s in sentences), encoding="utf-8")
    return path


@pytest.fixture
def fitted(monkeypatch):
    """Training that only takes note of what it was given."""
    found = {}

    def fit(self, rows, tags=None, *, dictionary=None, lexicon=None, monitor=None, **place):
        found.pop("misspellings", None)
        found.update(corrector=self, rows=rows, dictionary=dictionary, lexicon=lexicon, **place)
        self.exponents_, self.tuning_ = {}, None
        return self

    monkeypatch.setattr(Corrector, "fit", fit)
    return found


def test_a_text_becomes_the_model_that_the_library_trains(fstce, clean, tmp_path, sentences):
    alone = ("--lexicon", "none", "--misspellings", "none")
    code, out, err = fstce("corrector", "train", clean, "-o", tmp_path / "model", *alone)
    rows = [list(sentence.words) for sentence in sentences]
    wanted = Corrector().fit(rows)
    observed = [["the", "odl", "clok"]]
    assert code == 0, err
    assert Corrector.load(tmp_path / "model").correct(observed) == wanted.correct(observed)
    assert "exponents" in out and "saved in" in out


def test_what_takes_long_is_shown_without_iterations_too(fstce, clean):
    code, _, err = fstce("corrector", "train", clean, "--criterion", "none", "--held-out", ".2")
    assert code == 0, err
    shown = [line.partition(":")[0] for line in err.splitlines()]
    assert next(line for line in shown if "n-grams of" in line) == "n-grams of 48 sentences"
    assert "candidates of mistyped sentences" in shown and "evaluations of the exponents" in shown
    assert "n-grams of" not in fstce("corrector", "train", clean, *QUICK).err


def test_a_forecast_comes_before_the_automata(fstce, clean, monkeypatch):
    monkeypatch.setattr("fstce.wfsa.building.SHARD_ARCS", 1000)
    options = ("--criterion", "contrastive", "--held-out", 0, "--memory", "1K")
    err = fstce("corrector", "train", clean, *options).err
    forecast = re.search(
        r"distinct sentences, about [\d.]+ million arcs, .* of mapped files; about", err
    )
    assert forecast and forecast.end() < err.index("automata of distinct sentences: ")
    assert re.search(
        r"takes about [\d,]+ MB wherever its automata lie: more than --memory says", err
    )


def test_running_text_is_told_apart(fstce, tmp_path, fitted):
    path = tmp_path / "running.txt"
    path.write_text('Well, "it" didn\'t go.\n\nThe end.\n', encoding="utf-8")
    code, _, err = fstce("corrector", "train", path, *QUICK)
    assert code == 0 and "tokenized" not in err
    assert fitted["rows"] == [
        ["Well", ",", '"', "it", '"', "did", "n't", "go", "."],
        ["The", "end", "."],
    ]


def test_the_language_of_a_text_says_what_there_is_for_it(fstce, clean, tmp_path, fitted):
    (tmp_path / "words.tsv").write_text("the\t3\n", encoding="utf-8")
    (tmp_path / "turkish.txt").write_text("kedi evde uyuyor .\n" * 30, encoding="utf-8")
    result = fstce("corrector", "train", clean, "--criterion", "none")
    assert (
        "English: --lexicon english, of the package pyspellchecker" in result.err
        and "English: --misspellings english" in result.err
    )
    assert len(fitted["lexicon"]) > 100_000 and fitted["misspellings"] == shipped_channel("english")
    fitted.clear()
    err = fstce(
        "corrector", "train", clean, "--lexicon", tmp_path / "words.tsv", "--misspellings", "none"
    ).err
    assert "--lexicon" not in err and fitted["lexicon"] == {"the": 3} and not fitted["misspellings"]
    fitted.clear()
    assert (
        "--lexicon"
        not in fstce("corrector", "train", tmp_path / "turkish.txt", "--criterion", "none").err
    )
    assert fitted["lexicon"] is None and fitted["misspellings"] is None


def test_misspellings_are_a_file_or_a_name(fstce, clean, tmp_path, fitted):
    (tmp_path / "pairs.tsv").write_text("teh\tthe\n", encoding="utf-8")
    assert (
        fstce("corrector", "train", clean, "--misspellings", tmp_path / "pairs.tsv", *QUICK).code
        == 0
    )
    assert fitted["misspellings"] == (("teh", "the"),)
    code, _, err = fstce("corrector", "train", clean, "--misspellings", "klingon", *QUICK)
    assert code == 2 and "klingon" in err


def test_a_saved_speller_lends_its_errors_and_its_words(fstce, clean, tmp_path, fitted):
    speller = Speller().fit([("teh", "the"), ("tehn", "then")], ["the", "then", "ten"])
    speller.save(tmp_path / "speller")
    assert fstce("corrector", "train", clean, "--speller", tmp_path / "speller", *QUICK).code == 0
    assert fitted["speller"].errors_ == speller.errors_ and not fitted["lexicon"]
    options = ("--speller", tmp_path / "speller", "--lexicon", "none", *QUICK)
    assert fstce("corrector", "train", clean, *options).code == 0 and not fitted["lexicon"]


def test_a_speller_and_misspellings_are_two_channels(fstce, clean, tmp_path):
    Speller().fit([("teh", "the")], ["the", "ten"]).save(tmp_path / "speller")
    (tmp_path / "pairs.tsv").write_text("teh\tthe\n", encoding="utf-8")
    options = ("--speller", tmp_path / "speller", "--misspellings", tmp_path / "pairs.tsv")
    code, _, err = fstce("corrector", "train", clean, *options)
    assert code == 2 and "leave the other out" in err


def test_a_treebank_keeps_its_words(fstce, fitted, sentences):
    assert fstce("corrector", "train", "sample", *QUICK).code == 0
    assert fitted["rows"][: len(sentences)] == [list(sentence.words) for sentence in sentences]


def test_options_reach_the_corrector(fstce, clean, tmp_path, fitted):
    (tmp_path / "marks.txt").write_text(",\n;\n", encoding="utf-8")
    (tmp_path / "words.tsv").write_text("zebra\t3\nzebra\t2\n\nyak\t1\n", encoding="utf-8")
    arguments = [
        *("--spell", "0", "--punctuation", "1", "--ngrams", "2", "--rate", "0.2"),
        *("--marks", tmp_path / "marks.txt", "--seed", "3"),
        *("--mistakes", "confusables,drop", "--held-out", "0.2", "--criterion", "em"),
        *("--lexicon", tmp_path / "words.tsv", "--dictionary", "sample", "--quiet"),
    ]
    result = fstce("corrector", "train", clean, *arguments)
    assert result.code == 0, result.err
    wanted = Corrector(
        *(0, 1, "em", 2, None, (",", ";")),
        **{"mistakes": ("confusables", "drop"), "rate": 0.2, "held_out": 0.2, "seed": 3},
    )
    assert fitted["corrector"].get_params() == wanted.get_params()
    assert fitted["lexicon"] == {"zebra": 5, "yak": 1}
    assert fitted["dictionary"] is not None


def test_without_options_it_is_the_library_s_corrector(fstce, clean, fitted):
    assert fstce("corrector", "train", clean, "--quiet").code == 0
    assert (
        fitted["corrector"].get_params() == Corrector().get_params()
        and fitted["dictionary"] is None
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--spell", "0"), "set one of them to 0"),
        (("--punctuation", "1"), "spell=2 and punctuation=1: words are corrected or marks"),
        (("--spell", "9"), "--spell"),
        (("--mistakes", "typos"), "each one of random, confusables"),
    ],
)
def test_wrong_options_are_told(fstce, clean, arguments, message):
    code, _, err = fstce("corrector", "train", clean, "--quiet", *arguments)
    assert code == 2 and message in err


def test_a_dictionary_that_teaches_nothing_is_told(fstce, clean):
    code, _, err = fstce("corrector", "train", clean, "--held-out", "0", "--dictionary", "sample")
    assert code == 0 and "n-grams learn nothing from tags or a dictionary; choose" in err


def test_compounds_of_the_text_are_words_of_hunspell_s_lexicon(fstce, fitted, tmp_path):
    (tmp_path / "x.aff").write_text("SET UTF-8\nCOMPOUNDFLAG c\n", encoding="utf-8")
    (tmp_path / "x.dic").write_text("2\nsol/c\ndag/c\n", encoding="utf-8")
    (tmp_path / "text.txt").write_text("en soldag kom\nDagsol er solmat\n" * 20, encoding="utf-8")
    command = "corrector", "train", tmp_path / "text.txt", "--lexicon", tmp_path / "x.dic"
    code, _, err = fstce(*command)
    assert code == 0 and "4 words; left out: compounds but 2 that are used" in err
    assert list(fitted["lexicon"]) == ["sol", "dag", "dagsol", "soldag"]


@pytest.mark.parametrize("line", ["zebra", "zebra\tmany", "zebra\t-1"])
def test_a_wrong_lexicon_is_reported_by_line(fstce, clean, tmp_path, line):
    (tmp_path / "words.tsv").write_text(f"yak\t1\n{line}\n", encoding="utf-8")
    code, _, err = fstce("corrector", "train", clean, "--lexicon", tmp_path / "words.tsv", *QUICK)
    assert code == 2 and "words.tsv:2: " in err


@pytest.mark.parametrize("line", ["<s>\t1", "two words\t1"])
def test_words_of_a_lexicon_that_cannot_be_tokens_are_counted(fstce, clean, tmp_path, line):
    (tmp_path / "words.tsv").write_text(f"yak\t1\n{line}\n", encoding="utf-8")
    command = "corrector", "train", clean, "--lexicon", tmp_path / "words.tsv", *QUICK[:2]
    code, _, err = fstce(*command)
    assert code == 0 and "words with counts, 1 words; left out: 1 that are no single word" in err


def test_an_empty_text_or_lexicon_is_told(fstce, clean, tmp_path):
    (tmp_path / "empty").write_text("\n\n", encoding="utf-8")
    assert fstce("corrector", "train", tmp_path / "empty", *QUICK).code == 2
    code, _, err = fstce("corrector", "train", clean, "--lexicon", tmp_path / "empty", *QUICK)
    assert code == 2 and "holds no word" in err


def test_a_place_that_cannot_hold_the_model_is_told_first(fstce, clean, tmp_path, fitted):
    (tmp_path / "taken").write_text("a file", encoding="utf-8")
    code, _, err = fstce("corrector", "train", clean, "--output", tmp_path / "taken", *QUICK)
    assert code == 2 and "is a file" in err and not fitted


def test_an_interruption_saves_nothing(fstce, clean, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(Corrector, "fit", interrupted)
    code, _, err = fstce("corrector", "train", clean, "--output", tmp_path / "model")
    assert code == 130 and "nothing is saved" in err and not (tmp_path / "model").exists()
