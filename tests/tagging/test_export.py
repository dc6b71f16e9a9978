"""The exported machines are the model: OpenFst's own tools find fstce's own tags with them."""

import resource
import shutil
import subprocess

import numpy as np
import pynini
import pytest
from patience import patience

from fstce import TagDictionary, Tagger
from fstce.corpora import sample
from fstce.errors import CorpusError, MachineError, ModelFileError, NotFittedError
from fstce.grammars import spelling
from fstce.machines.files import read_fst
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import Symbols
from fstce.tagging.export import emission_fst, export, tag_ngram_fst

SENTENCES = sample()
TRAINING = [sentence for sentence in SENTENCES if len(sentence) <= 9][:60]
GIVEN = [list(sentence) for sentence in SENTENCES[300:307]] + [
    ["the", "wuggish", "blorfing-2", "Wug", "."]
]
needs_openfst = pytest.mark.skipif(
    shutil.which("fstcompose") is None, reason="fstcompose is not installed (Debian: libfst-tools)"
)


def trained(order, use_spelling):
    dictionary = TagDictionary.from_corpus(SENTENCES, first=150)
    return Tagger(
        "trans1",
        order=order,
        spelling=use_spelling,
        max_iterations=15,
        seed=order,
        start="random",
        unknown_word_model=False,
    ).fit(TRAINING, dictionary=dictionary)


@pytest.fixture(scope="module", params=[(n, s) for n in (1, 2, 3) for s in (False, True)], ids=str)
def tagger(request):
    return trained(*request.param)


@pytest.fixture(scope="module")
def bigrams():
    return trained(2, True)


def score(tagger, words, tags):
    """The log weight of a tagging, added up from the names of the features."""
    weight = dict(zip(tagger.features_.names, tagger.theta_.tolist(), strict=True))
    order, edge = tagger.features_.order, "<boundary>"
    padded = [edge] * (order - 1) + [*tags, edge]
    names = [("ngram", *padded[i : i + order]) for i in range(len(tags) + 1)]
    for word, tag in zip(words, tags, strict=True):
        names += [("word", word, tag), *(("spelling", name, tag) for name in spelling.build(word))]
    return sum(weight.get(name, 0.0) for name in names)


def products(tagger, sentences):
    """Sentence ∘ emissions ∘ history, for every sentence."""
    words = [word for sentence in sentences for word in sentence]
    symbols = Symbols([*tagger.features_.symbols, *words])
    emissions, history = emission_fst(tagger.weighted_, words), tag_ngram_fst(tagger.weighted_)
    for sentence in sentences:
        acceptor = Lattice.of_sentence(sentence, symbols).to_fst()
        yield pynini.compose(pynini.compose(acceptor, emissions), history)


def run(command, folder):
    ran = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=patience(120),
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def printed(text):
    """The tags and the weight of a path that fstprint wrote."""
    lines = [line.split("\t") for line in text.splitlines()]
    arcs, ends = (
        [line for line in lines if len(line) > 2],
        [line for line in lines if len(line) <= 2],
    )
    return [arc[2] for arc in arcs], sum(
        float(w) for w in (*(x for a in arcs for x in a[3:]), *ends[0][1:])
    )


def run_of_own(folder, sentences):
    """What the commands of the exported README print of each sentence."""
    (folder / "own.txt").write_text(
        "".join(" ".join(s) + "\n" for s in sentences), encoding="utf-8"
    )
    blocks = (folder / "README.txt").read_text(encoding="utf-8").split("\n\n")
    (commands,) = (block for block in blocks if block.startswith("    "))
    numbers = range(1, len(sentences) + 1)
    return [printed(run(commands.replace("own0001", f"own{n:04d}"), folder)) for n in numbers]


def arcs(fst, word):
    """The output symbol and weight of every arc that reads this word at the start."""
    label = fst.input_symbols().find(word)
    found = [arc for arc in fst.arcs(fst.start()) if arc.ilabel == label]
    return {fst.output_symbols().find(arc.olabel): float(arc.weight) for arc in found}


class TestEmissions:
    def test_every_arc_is_a_pair_and_its_score(self, tagger):
        fst, known = emission_fst(tagger.weighted_, ["wuggish"]), tagger.features_.names
        weight = dict(zip(known, tagger.theta_.tolist(), strict=True))
        assert fst.num_states() == 1
        for word in [*list(tagger.features_.symbols)[::17], "wuggish"]:
            expected = {
                tag: -weight.get(("word", word, tag), 0.0)
                - sum(weight.get(("spelling", name, tag), 0.0) for name in spelling.build(word))
                for tag in tagger.dictionary_.lookup(word)
            }
            assert arcs(fst, word) == pytest.approx(expected, abs=1e-6), word

    def test_spelling_scores_words_that_training_did_not_see(self, bigrams):
        assert any(arcs(emission_fst(bigrams.weighted_, ["walking"]), "walking").values())

    def test_unknown_word_has_the_unseen_tags_for_nothing(self, tagger):
        expected = dict.fromkeys(tagger.dictionary_.lookup("never-seen"), 0.0)
        assert arcs(emission_fst(tagger.weighted_), "<unk>") == expected

    def test_given_words_are_in_the_symbols_behind_those_of_training(self, bigrams):
        symbols = emission_fst(bigrams.weighted_, ["wuggish", "the"]).input_symbols()
        assert symbols.find("wuggish") == symbols.num_symbols() - 1
        assert symbols.find("the") == bigrams.features_.symbols.ids(["the"])[0]
        assert not emission_fst(bigrams.weighted_).input_symbols().member("wuggish")

    def test_sorted_for_composition(self, tagger):
        for fst in (emission_fst(tagger.weighted_), tag_ngram_fst(tagger.weighted_)):
            assert fst.properties(pynini.I_LABEL_SORTED, True) == pynini.I_LABEL_SORTED
            assert fst.arc_type() == "standard"
            assert fst.verify()

    def test_reserved_word(self, bigrams):
        with pytest.raises(MachineError, match="fstce reserves"):
            emission_fst(bigrams.weighted_, ["</s>"])


class TestHistory:
    def test_size(self, tagger):
        fst, tags, order = (
            tag_ngram_fst(tagger.weighted_),
            len(tagger.tags_),
            tagger.features_.order,
        )
        states = sum(tags**n for n in range(order))
        assert fst.num_states() == states
        assert {fst.num_arcs(state) for state in fst.states()} == {tags}
        assert fst.copy().connect().num_states() == states

    def test_path_weighs_its_ngrams(self, tagger):
        rng, fst = np.random.default_rng(0), tag_ngram_fst(tagger.weighted_)
        for length in (1, 2, 3, 6):
            tags = [str(tag) for tag in rng.choice(tagger.tags_, length)]
            sequence = pynini.accep(" ".join(tags), token_type=fst.input_symbols())
            sequence.set_input_symbols(fst.input_symbols()).set_output_symbols(fst.input_symbols())
            cost = float(pynini.shortestdistance(pynini.compose(sequence, fst), reverse=True)[0])
            assert cost == pytest.approx(-score(tagger, ["<none>"] * length, tags), abs=1e-4)

    def test_stop_is_a_final_weight(self, bigrams):
        fst = tag_ngram_fst(bigrams.weighted_)
        symbols = fst.input_symbols()
        assert [symbol for _, symbol in symbols] == ["<epsilon>", *bigrams.tags_]
        final = [float(fst.final(state)) for state in fst.states() if state != fst.start()]
        weight = dict(zip(bigrams.features_.names, bigrams.theta_.tolist(), strict=True))
        stops = [-weight.get(("ngram", tag, "<boundary>"), 0.0) for tag in bigrams.tags_]
        assert sorted(final) == pytest.approx(sorted(stops), abs=1e-6)

    def test_no_empty_sentence_where_the_model_has_none(self, bigrams):
        fst = tag_ngram_fst(bigrams.weighted_)
        assert fst.final(fst.start()) == pynini.Weight.zero("tropical")


class TestExport:
    def test_files(self, bigrams, tmp_path):
        export(bigrams.weighted_, tmp_path / "out")
        names = {path.name for path in (tmp_path / "out").iterdir()}
        assert names == {"emissions.fst", "history.fst", "words.syms", "tags.syms", "README.txt"}

    def test_words_of_the_dictionary_are_exported(self, bigrams, tmp_path):
        export(bigrams.weighted_, tmp_path / "out")
        symbols = read_fst(tmp_path / "out" / "emissions.fst").input_symbols()
        assert all(symbols.member(word) for word in bigrams.dictionary_)

    def test_words_of_sentences_are_exported(self, bigrams, tmp_path):
        export(bigrams.weighted_, tmp_path, iter(GIVEN))
        symbols = read_fst(tmp_path / "emissions.fst").input_symbols()
        assert all(symbols.member(word) for words in GIVEN for word in words)

    def test_an_export_is_whole_or_not_there(self, bigrams, tagger, tmp_path):
        """On a full disk new emissions stood beside the old history and words."""
        export(bigrams.weighted_, tmp_path / "out", GIVEN)
        before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (400, hard))
        try:
            with pytest.raises(ModelFileError, match="out"):
                export(tagger.weighted_, tmp_path / "out", GIVEN[:2])
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        after = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
        assert after == before and [path.name for path in tmp_path.iterdir()] == ["out"]

    def test_what_else_stands_there_stays(self, bigrams, tmp_path):
        (tmp_path / "out" / "notes").mkdir(parents=True)
        (tmp_path / "out" / "notes" / "a.txt").write_text("mine", encoding="utf-8")
        (tmp_path / "out" / "own.txt").symlink_to("notes/a.txt")
        export(bigrams.weighted_, tmp_path / "out", GIVEN)
        assert (tmp_path / "out" / "own.txt").read_text(encoding="utf-8") == "mine"
        assert (tmp_path / "out" / "own.txt").is_symlink()

    def test_untrained(self, tmp_path):
        with pytest.raises(NotFittedError, match="not trained yet"):
            export(Tagger(unknown_word_model=False).weighted_, tmp_path / "out")
        assert not (tmp_path / "out").exists()

    def test_empty_sentence(self, bigrams, tmp_path):
        with pytest.raises(CorpusError, match="sentence 2 is empty"):
            export(bigrams.weighted_, tmp_path / "out", [["a"], []])
        assert not (tmp_path / "out").exists()

    @pytest.mark.parametrize("name", ["file", "no/folder"])
    def test_impossible_folder(self, bigrams, tmp_path, name):
        (tmp_path / "file").write_text("", encoding="utf-8")
        with pytest.raises(
            ModelFileError, match=rf"{name}: cannot be saved .*; choose another folder"
        ):
            export(bigrams.weighted_, tmp_path / name)


@needs_openfst
class TestOpenFstTools:
    def test_shortest_paths_are_the_tags(self, tagger, tmp_path):
        given = GIVEN[::-3]  # with the unknown words
        export(tagger.weighted_, tmp_path, given)
        costs = run_of_own(tmp_path, given)
        for words, tags, (found, cost) in zip(given, tagger.predict(given), costs, strict=True):
            best = score(tagger, words, tags)
            assert cost == pytest.approx(-best, abs=1e-4)
            # Weights of 32 bits may make ties: another path then has the same score.
            assert found == tags or score(tagger, words, found) == pytest.approx(best, abs=1e-4)

    def test_an_unknown_word_is_one_that_the_tagger_does_not_list(self, bigrams, tmp_path):
        export(bigrams.weighted_, tmp_path)
        ((tags, cost),) = run_of_own(tmp_path, [["the", "zzzunk", "."]])
        assert cost == pytest.approx(-score(bigrams, ["the", "<unk>", "."], tags), abs=1e-4)
        assert tags[1] in bigrams.dictionary_.lookup("zzzunk")

    def test_info_of_every_machine(self, bigrams, tmp_path):
        export(bigrams.weighted_, tmp_path, GIVEN[:2])
        for name in ("emissions.fst", "history.fst"):
            assert "standard" in run(f"fstinfo {name}", tmp_path)
