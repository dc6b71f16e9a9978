"""`fstce info`."""

from collections import Counter

from fstce import DependencyParser
from fstce.corpora import TagDictionary


def facts(text):
    """The first word of each line against all others."""
    return dict(line.split(maxsplit=1) for line in text.splitlines() if len(line.split()) > 1)


def last_table(text):
    """Its rows, without the header."""
    return text.rpartition("\n\n")[2].splitlines()[1:]


def test_a_model(fstce, model, tagger):
    code, out, _ = fstce("info", model)
    found = facts(out)
    assert code == 0
    assert found["neighborhood"] == "trans1" and found["order"] == "2" and found["sigma2"] == "1.0"
    assert found["tags"].startswith(f"{len(tagger.tags_)}: ")
    kinds = Counter(name[0] for name in tagger.features_.names)
    assert found["features"] == ", ".join(f"{number:,} {kind}" for kind, number in kinds.items())
    assert found["objective"].endswith(" nats with the prior")
    own = tagger.facts()
    assert {
        name: found[name] for name in ("size", "objective", "iterations")
    }.items() <= own.items()


def test_the_heaviest_features_of_a_model(fstce, model, tagger):
    rows = last_table(fstce("info", model).out)
    heaviest = sorted(tagger.theta_.tolist(), key=abs, reverse=True)[:10]
    assert [row.split()[-1] for row in rows] == [f"{weight:+.3f}" for weight in heaviest]
    assert all(row.split()[0] in ("ngram", "word") for row in rows)


def test_a_corpus(fstce, corpus, sentences):
    found = facts(fstce("info", corpus).out)
    words = [word for sentence in sentences for word in sentence]
    assert found["sentences"] == "60"
    assert int(found["words"].replace(",", "")) == len(words)
    assert int(found["types"].replace(",", "")) == len(set(words))
    assert (
        found["ambiguity"]
        == f"{TagDictionary.from_corpus(sentences).ambiguity(sentences):.2f} tags a word"
    )


def test_a_corpus_without_tags(fstce, tmp_path):
    (tmp_path / "a.txt").write_text("it rains\n")
    assert facts(fstce("info", tmp_path / "a.txt").out)["tags"] == "none"


def test_standard_input_is_a_corpus(fstce):
    assert facts(fstce("info", "-", stdin=b"it rains\nit snows\n").out)["types"] == "3"


def test_a_grammar(fstce, grammar, parser):
    code, out, _ = fstce("info", grammar)
    found = facts(out)
    assert code == 0
    assert (found["neighborhood"], found["sigma2"], found["criterion"]) == (
        "trans1",
        "1.0",
        "auto",
    )
    assert found["tags"] == f"{parser.model_.n_tags}: {' '.join(parser.model_.tags)}"
    assert found["recipe"] == "contrastive against trans1 from the start uniform, structural bias 0"
    assert found["size"] == "396 features, 12 tags"
    own = parser.facts()
    assert {
        name: found[name] for name in ("size", "objective", "iterations")
    }.items() <= own.items()
    rows = last_table(out)
    heaviest = sorted(parser.theta_.tolist(), key=abs, reverse=True)[:10]
    assert [row.split()[-1] for row in rows] == [f"{weight:+.3f}" for weight in heaviest]
    weights = {" ".join(name): weight for name, weight in parser.weights().items()}
    for row in rows:
        *name, weight = row.split()
        assert f"{weights[' '.join(name)]:+.3f}" == weight


def test_a_generative_grammar_shows_its_likeliest_roots_and_children(fstce, tmp_path, prepared):
    parser = DependencyParser(criterion="joint")
    parser.fit([s.tags for s in prepared], [s.heads for s in prepared]).save(tmp_path / "m")
    out = fstce("info", tmp_path / "m").out
    rows = last_table(out)
    likely = sorted(
        (weight for name, weight in parser.weights().items() if name[0] != "stop"), reverse=True
    )
    assert facts(out)["left"].split(maxsplit=1) == ["out", "1 tree, not projective"]
    assert [row.split()[-1] for row in rows] == [f"{weight:+.3f}" for weight in likely[:10]]


def test_a_constituent_grammar_and_a_corrector(fstce, tmp_path):
    text = tmp_path / "text.txt"
    text.write_text(
        "the old cat sat on the old mat .\nthe cat sat on a hat .\n" * 4, encoding="utf-8"
    )
    fstce("induction", "train", text, "--iterations", "3", "-o", tmp_path / "brackets", "-q")
    assert "da-stop" in fstce("info", tmp_path / "brackets").out
    fstce("corrector", "train", text, "-o", tmp_path / "corrector", "-q")
    shown = fstce("info", tmp_path / "corrector").out
    assert "exponents" in shown and "words" in shown
