"""`fstce tagger train --product`, and products of taggers under the verbs that take taggers."""

import json
import shlex

import pytest

from fstce import Tagger, TaggerProduct
from fstce.tagging.verbs.training import TaggerTraining

QUICK = ("--order", "2", "--max-iterations", "3", "--jobs", "1")
MEMBERS = ("--product", "trans1", "--product", "em")


@pytest.fixture(scope="module")
def product(tmp_path_factory, sentences):
    """A folder with a product that was made in the library, of members that were loaded."""
    folder = tmp_path_factory.mktemp("product")
    parts = []
    for name, given in {"one": {"neighborhood": "trans1"}, "two": {"criterion": "em"}}.items():
        own = Tagger(order=2, max_iterations=3, **given).fit(sentences, [s.tags for s in sentences])
        own.save(folder / name)
        parts.append(Tagger.load(folder / name))
    TaggerProduct(parts).save(folder / "product")
    return folder / "product"


def test_the_model_is_what_the_library_trains(fstce, corpus, sentences, product, tmp_path):
    code, out, err = fstce("tagger", "train", corpus, *QUICK, *MEMBERS, "-o", tmp_path / "m")
    assert code == 0
    trained, made = TaggerProduct.load(tmp_path / "m"), TaggerProduct.load(product)
    assert trained.predict(sentences) == made.predict(sentences)
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line}
    gold = [sentence.tags for sentence in sentences]
    assert rows["product"][2] == f"{100 * made.score(sentences, gold):.1f}"
    assert set(rows) >= {"random", "trans1", "em"}
    assert rows["saved"][-1] == str(tmp_path / "m") and out.count("saved in") == 1
    assert "member 2 of 2: em" in err
    assert repr(trained).endswith(f"trained on 60 sentences, {sum(map(len, sentences))} words>")


def test_a_saved_tagger_joins_and_random_starts_have_seeds(fstce, corpus, model, product, tmp_path):
    options = ("--product", model, "--product", product, *MEMBERS, "--product", "trans1")
    folder = tmp_path / "m"
    assert fstce(
        "tagger", "train", corpus, *QUICK, *options, "--start", "random", "-q", "-o", folder
    ) == (
        0,
        "",
        "",
    )
    found = TaggerProduct.load(folder)
    assert [tagger.training_.iterations for tagger in found.taggers][:1] == [
        Tagger.load(model).training_.iterations
    ]
    assert [(tagger.start, tagger.seed) for tagger in found.taggers[3:]] == [
        ("random", 3),
        ("random", 4),
        ("random", 5),
    ]


def test_the_card_and_info_say_what_it_was_trained_on(fstce, product, sentences):
    size = f"trained on 60 sentences, {sum(map(len, sentences))} words"
    found = TaggerProduct.load(product)
    assert repr(found).endswith(f"2 taggers; {size}>")
    assert size.removeprefix("trained on ") in found._repr_html_()
    out = fstce("info", product).out
    assert out.count(size) == 2
    assert found.tokenization_ == found.taggers[0].tokenization_ != {}


def test_verbs_take_a_product(fstce, corpus, model, product, tmp_path):
    line = b"the dog barks .\n"
    assert len(fstce("tagger", "tag", product, stdin=line).out.split()) == 4
    scored = json.loads(
        fstce("tagger", "evaluate", product, corpus, "--against", model, "--json").out
    )
    assert scored["comparison"]
    assert fstce("tagger", "suggest", product, corpus, "--number", "1").code == 0
    assert fstce("tagger", "ask", product, corpus, "--number", "1").code == 0
    for verb in (
        ("tagger", "tag", product, corpus, "--engine", "openfst"),
        ("tagger", "export", product, tmp_path / "x"),
        ("explain", product, "the dog"),
    ):
        code, _, err = fstce(*verb)
        assert code == 2 and "no one machine" in err
    assert not (tmp_path / "x").exists()


def test_wishes_that_contradict_each_other(fstce, corpus, tmp_path):
    def refused(*options):
        code, _, err = fstce("tagger", "train", corpus, *QUICK, *options)
        assert code == 2
        return err

    assert "twice" in refused("--product", "trans1", "--product", "trans1")
    assert "each --product names" in refused(*MEMBERS, "-n", "length")
    assert "did you mean 'trans1'" in refused("--product", "trans")
    assert "--shards" in refused(*MEMBERS, "--shards", tmp_path / "s")


@pytest.mark.parametrize("first", [MEMBERS, ("--product=em", *MEMBERS[:2])])
def test_ctrl_c_saves_the_members_so_far_and_names_the_command(
    fstce, corpus, tmp_path, monkeypatch, first
):
    """As if nobody had ended it; random starts have their own seeds."""
    build = TaggerTraining.build
    others = ("--start", "random", "-q", "-o")
    command = ("tagger", "train", corpus, *QUICK, *first, *MEMBERS[:2], *others)
    assert fstce(*command, tmp_path / "whole").code == 0

    def interrupted(training, tagger, building):
        if tagger.seed == 1:
            raise KeyboardInterrupt
        return build(training, tagger, building)

    monkeypatch.setattr(TaggerTraining, "build", interrupted)
    code, _, err = fstce(*command, tmp_path / "m")
    told, _, again = err.splitlines()[-1].partition("; go on with: ")
    assert code == 130
    assert told == f"fstce: interrupted after 1 of 3 members; saved in {tmp_path / 'm'}"
    assert len(TaggerProduct.load(tmp_path / "m").taggers) == 1

    monkeypatch.setattr(TaggerTraining, "build", build)
    rest = (*QUICK, *shlex.split(again), *others, tmp_path / "m")
    assert fstce("tagger", "train", corpus, *rest).code == 0
    taggers = [TaggerProduct.load(tmp_path / name).taggers for name in ("m", "whole")]
    assert [tagger.theta_.tolist() for tagger in taggers[0]] == [
        tagger.theta_.tolist() for tagger in taggers[1]
    ]


def test_a_member_that_ctrl_c_ended_is_no_member_of_others(fstce, corpus, tmp_path, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    def interrupted(training, tagger, building):
        objective = build(training, tagger, building)
        if tagger.criterion == "em":
            monkeypatch.setattr("fstce.console.progress.TrainingShown.__call__", stop)
        return objective

    build = TaggerTraining.build
    monkeypatch.setattr(TaggerTraining, "build", interrupted)
    code, _, err = fstce("tagger", "train", corpus, *QUICK, *MEMBERS, "-o", tmp_path / "m")
    assert code == 130 and "after 1 of 2 members" in err
    (tagger,) = TaggerProduct.load(tmp_path / "m").taggers
    assert tagger.criterion == "contrastive"
