"""Options of a text to train on and of its dictionary."""

from fstce import TagDictionary, Tagger
from fstce.corpora import coarse_map
from fstce.corpora.coverage import without_slips
from fstce.tagging.answers import NOISE

QUICK = ("--order", "2", "--max-iterations", "3", "--jobs", "1")


def field(out, name):
    return next(
        line.split(maxsplit=len(name.split()))[-1]
        for line in out.splitlines()
        if line.startswith(name)
    )


def test_a_dictionary_table_and_raw_text(fstce, tmp_path):
    (tmp_path / "d.tsv").write_text("the\tD\nsaw\tN V\ncat\tN\n")
    (tmp_path / "t.txt").write_text("the cat saw the saw\nthe saw saw the cat\n")
    code, out, err = fstce(
        "tagger",
        "train",
        tmp_path / "t.txt",
        "-d",
        tmp_path / "d.tsv",
        *QUICK,
        "-o",
        tmp_path / "m",
    )
    assert code == 0
    assert Tagger.load(tmp_path / "m").dictionary_ == TagDictionary.from_file(tmp_path / "d.tsv")
    assert "untrained" not in out and "dictionary" not in err


def test_the_dictionary_says_the_rule_for_other_words(fstce, tmp_path):
    (tmp_path / "d.tsv").write_text("# open_class\tN\nthe\tD\nsaw\tN V\n")
    (tmp_path / "t.txt").write_text("the wug\nthe saw\n")
    files = (tmp_path / "t.txt", "-d", tmp_path / "d.tsv", "-o", tmp_path / "m")
    command = ("tagger", "train", *files, *QUICK, "-q")
    assert fstce(*command) == (0, "", "")
    assert Tagger.load(tmp_path / "m").dictionary_.lookup("wug") == ("N",)


def test_dilution(fstce, corpus, sentences, tmp_path):
    assert (
        fstce("tagger", "train", corpus, *QUICK, "--min-count", 3, "-q", "-o", tmp_path / "m").code
        == 0
    )
    known = Tagger.load(tmp_path / "m").dictionary_
    assert known == TagDictionary.from_corpus(sentences, min_count=3)
    assert known.unseen == "all"


def test_a_dictionary_from_another_corpus(fstce, corpus, sentences, tmp_path):
    (tmp_path / "t.txt").write_text("\n".join(map(str, sentences[:5])))
    assert (
        fstce(
            "tagger", "train", tmp_path / "t.txt", "-d", corpus, *QUICK, "-q", "-o", tmp_path / "m"
        ).code
        == 0
    )
    learned = Tagger.load(tmp_path / "m").dictionary_
    assert learned == without_slips(TagDictionary.from_corpus(sentences, counts=True), NOISE)
    assert learned.counts


def test_coarse_tags(fstce, corpus, tmp_path):
    assert (
        fstce("tagger", "train", corpus, *QUICK, "--coarse", "-q", "-o", tmp_path / "m").code == 0
    )
    assert set(Tagger.load(tmp_path / "m").tags_) <= set(coarse_map().values())


def test_the_first_words(fstce, corpus, sentences, tmp_path):
    out = fstce("tagger", "train", corpus, *QUICK, "--words", len(sentences[0]) + 1).out
    assert field(out, "corpus").startswith("2 sentences")
    assert field(out, "saved in") == "nowhere; give --output FOLDER"


def test_an_analyser_is_a_dictionary(fstce, tmp_path):
    """As foma writes AT&T text: analyses above, words below."""
    arcs = "0\t1\t@0@\td\n1\t2\t+D\t@0@\n0\t3\tc\tc\n3\t2\t+N\t@0@\n2\n"
    (tmp_path / "x.att").write_text(arcs)
    (tmp_path / "t.txt").write_text("d c\nd c\n")
    for place, tags in ((tmp_path / "x.att", {"D", "N"}), (f"{tmp_path}/x.att:\\+.", {"+D", "+N"})):
        code, _, err = fstce(
            "tagger", "train", tmp_path / "t.txt", "-d", place, "-o", tmp_path / "m"
        )
        assert code == 0, err
        assert set(Tagger.load(tmp_path / "m").tags_) == tags


def test_a_dictionary_as_features_constrains_nothing(fstce, tmp_path):
    (tmp_path / "few.pos").write_text("the/D dog/N runs/V\na/D cat/N sees/V\n" * 2)
    (tmp_path / "d.tsv").write_text("the\tX\na\tX\ndog\tY\nfox\tY\ncat\tY\nruns\tY Z\nsees\tZ\n")
    options = ("-d", tmp_path / "d.tsv", "--dictionary-as", "features", "-o", tmp_path / "m")
    done = fstce("tagger", "train", tmp_path / "few.pos", "-c", "conditional", *options)
    assert done.code == 0 and "constrain nothing" in done.err
    tagger = Tagger.load(tmp_path / "m")
    assert tagger.tags_ == ("D", "N", "V")
    assert tagger.predict([["the", "fox", "runs"]]) == [["D", "N", "V"]]

    shown = fstce("info", tmp_path / "m").out
    assert "gazetteer           {" in shown and max(map(len, shown.splitlines())) < 100

    for criterion in ("contrastive", "joint"):
        chosen = ("-c", criterion, *options)
        refused = fstce("tagger", "train", tmp_path / "few.pos", *chosen)
        assert refused.code == 2 and "a supervised criterion learns them" in refused.err
