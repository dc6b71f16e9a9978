"""`fstce corrector train --grammar`: tags to a model; what makes no sense with a grammar is told."""

import pytest

from fstce import Corrector, DependencyParser, ParsedCorrector
from fstce.corpora import Sentence
from fstce.correction.mistakes.channel import Channel
from fstce.tagging.tagger import Tagger


@pytest.fixture
def clean(tmp_path):
    path = tmp_path / "clean.txt"
    path.write_text('Well, "it" did.\nThe old clock stopped.\n', encoding="utf-8")
    return path


@pytest.fixture
def fitted(monkeypatch):
    """Training that only takes note of what it was given."""
    found = {}

    def ordinary(
        self, rows, tags=None, *, dictionary=None, lexicon=None, monitor=None, **resources
    ):
        found.update(ordinary=self)
        self.exponents_, self.tuning_ = {}, None
        return self

    def parsed(self, rows, tags, *, monitor=None):
        found.update(corrector=self, rows=rows, tags=tags)
        self.exponents_ = {}
        return self

    monkeypatch.setattr(Corrector, "fit", ordinary)
    monkeypatch.setattr(ParsedCorrector, "fit", parsed)
    return found


def test_a_tagged_corpus_becomes_the_model_that_the_library_trains(
    fstce, corpus, tmp_path, sentences
):
    code, out, err = fstce("corrector", "train", corpus, "--grammar", "-o", tmp_path / "model")
    assert code == 0, err
    rows, tags = [list(s.words) for s in sentences], [list(s.tags) for s in sentences]
    parser = DependencyParser(criterion="contrastive", start="uniform", sigma2=1.0, tolerance=1e-4)
    other = Corrector().fit(rows)
    wanted = ParsedCorrector(parser, other=other).fit(rows, tags)
    found = ParsedCorrector.load(tmp_path / "model")
    observed = [["the", "odl", "clok"], ["the", "odl", "clok"] * 4]
    assert repr(found) == repr(wanted)
    assert found.correct(observed) == wanted.correct(observed)
    assert "grammar " in out and "exponents" in out and "saved in" in out
    shown = fstce("info", tmp_path / "model").out
    assert "emission " in shown and "grammar " in shown and "Corrector()" in shown


def test_tags_of_the_corpus_reach_the_grammar(fstce, fitted, corpus, sentences):
    assert fstce("corrector", "train", corpus, "--grammar", "--quiet").code == 0
    assert [tuple(row) for row in fitted["tags"]] == [s.tags for s in sentences]
    assert fitted["rows"] == [list(s.words) for s in sentences]


def test_a_text_that_was_tagged_is_a_corpus(fstce, fitted, clean, model, tmp_path):
    tagged = tmp_path / "tagged.pos"
    tagged.write_text(fstce("tagger", "tag", model, clean).out, encoding="utf-8")
    code, _, err = fstce("corrector", "train", tagged, "--grammar")
    assert code == 0, err
    assert fitted["rows"][0][:2] == ["Well", ","] and fitted["rows"][0][-2:] == ["did", "."]
    assert [list(row) for row in fitted["tags"]] == Tagger.load(model).predict(fitted["rows"])


def test_options_reach_both_correctors(fstce, fitted, clean, corpus, tmp_path):
    (tmp_path / "channel.tsv").write_text("a\te\t0.5\n", encoding="utf-8")
    options = (
        "--criterion",
        "em",
        "--spell",
        2,
        "--channel",
        tmp_path / "channel.tsv",
        "--seed",
        4,
    )
    assert fstce("corrector", "train", corpus, "--grammar", *options, "--quiet").code == 0
    shared = {"spell": 2, "channel": Channel(confusions={("a", "e"): 0.5})}
    other = Corrector(**shared, criterion="em", seed=4)
    assert fitted["ordinary"].get_params() == other.get_params()
    parser = DependencyParser(
        criterion="em", start="klein-manning", sigma2=1.0, tolerance=1e-4, seed=4
    )
    found = {**fitted["corrector"].get_params(), "other": other}
    assert repr(found.pop("parser")) == repr(parser)
    wanted = ParsedCorrector(other=other, **shared).get_params()
    assert found == {name: value for name, value in wanted.items() if name != "parser"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--grammar", "--prune", "0.1"), "--prune has no meaning with --grammar"),
        (("--grammar", "--ngrams", "2"), "--ngrams has no meaning with --grammar"),
        (("--grammar", "--held-out", "0.2"), "--held-out has no meaning with --grammar"),
        (("--grammar", "--punctuation", "1"), "--punctuation has no meaning with --grammar"),
        (("--grammar", "--classes", "5"), "--classes has no meaning"),
        (("--grammar", "--mistakes", "keyboard"), "--mistakes has no meaning"),
        (("--grammar", "--dictionary", "sample"), "--dictionary has no meaning"),
        (("--grammar", "--lexicon", "none.tsv"), "--lexicon has no meaning"),
        (("--grammar", "--spell", "0"), "--spell 0: a grammar corrects words"),
        (("--grammar", "--criterion", "none"), "--criterion none trains no grammar"),
        (("--grammar",), "clean.txt:1: the sentence has no tags"),
        (("--no-fallback",), "No such option: --no-fallback"),
    ],
)
def test_wrong_options_are_told(fstce, clean, fitted, arguments, message):
    code, _, err = fstce("corrector", "train", clean, "--quiet", *arguments)
    assert code == 2 and message in err and not fitted


def test_a_place_that_cannot_hold_the_model_is_told_first(fstce, corpus, fitted, model):
    code, _, err = fstce("corrector", "train", corpus, "--grammar", "--output", model)
    assert code == 2 and "which a parsed corrector does not replace" in err and not fitted


def test_sentences_that_are_all_too_long_are_told_first(fstce, tmp_path, monkeypatch):
    corpus = tmp_path / "long.pos"
    corpus.write_text(" ".join(["dog/NN"] * 16) + "\n", encoding="utf-8")
    ordinary = []
    monkeypatch.setattr(Corrector, "fit", lambda *given, **more: ordinary.append(given))
    code, _, err = fstce("corrector", "train", corpus, "--grammar")
    assert code == 2 and "train_longest=15: raise it, or cut the sentences" in err
    assert not ordinary


def test_an_interruption_saves_nothing(fstce, corpus, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(DependencyParser, "fit", interrupted)
    code, _, err = fstce("corrector", "train", corpus, "--grammar", "-o", tmp_path / "model")
    assert code == 130 and "nothing is saved" in err and not (tmp_path / "model").exists()


def test_a_sentence_without_tags_among_tagged_ones_is_named(fstce, fitted, monkeypatch):
    rows = [Sentence(["it"], ["PRP"], source="a:1"), Sentence(["rains"], source="a:2")]
    monkeypatch.setattr("fstce.correction.verbs.train.read", lambda *_: rows)
    code, _, err = fstce("corrector", "train", "sample", "--grammar", "--quiet")
    assert code == 2 and "a:2: the sentence has no tags" in err and not fitted
