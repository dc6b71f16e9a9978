"""`fstce neighborhood lattice`."""

import weakref

import pynini
import pytest
from machine_cases import run

from fstce import neighborhood
from fstce.cli.neighborhood import lattice as verb
from fstce.corpora import sample
from fstce.errors import FstceError
from fstce.machines.contract import first_broken
from fstce.machines.files import read_far, read_fst
from fstce.machines.image import arrays_to_fst
from fstce.machines.lattice import Lattice
from fstce.machines.text import read_symbols


@pytest.fixture
def lattice(alone):
    return alone(verb.lattice)


def strings(fst):
    fst = fst.copy()
    table = fst.output_symbols()
    return sorted(tuple(path.split()) for path in fst.paths(output_token_type=table).ostrings())


def test_a_sentence_is_written_with_its_words(lattice, tmp_path):
    path = tmp_path / "x.fst"
    result = lattice("trans1", "a delicate thing", "--output", path)
    assert result.exit_code == 0
    found = neighborhood("trans1")(["a", "delicate", "thing"])
    assert f"wrote {path}: {len(found)} states, {len(found.arrays.source)} arcs" in result.stderr
    assert strings(read_fst(path)) == sorted(found.strings())
    assert list(read_symbols(tmp_path / "x.syms")) == list(found.symbols.table)


@pytest.mark.parametrize("name", ["del1word", "trans1", "delortrans1", "del1subseq", "identity"])
def test_a_corpus_has_a_lattice_a_sentence_in_order(lattice, tmp_path, name):
    text = tmp_path / "t.txt"
    lines = [" ".join(s) for s in sample()[:12] if len(s) < 10] + ["the cat saw the cat"]
    text.write_text("\n".join(lines) + "\n")
    assert lattice(name, "--text", text, "--output", tmp_path / "x.far", "--quiet").stderr == ""
    far = read_far(tmp_path / "x.far")
    assert list(far) == [str(i).zfill(len(str(len(lines)))) for i in range(1, len(lines) + 1)]
    kind, shared = neighborhood(name), dict(read_symbols(tmp_path / "x.syms"))
    for fst, line in zip(far.values(), lines, strict=True):
        assert not first_broken(fst)
        assert strings(fst) == sorted(kind(line.split()).strings())
        assert dict(fst.input_symbols()).items() <= shared.items()


def test_what_is_written_is_read_as_lattices(lattice, tmp_path):
    lattice("del1word", "--text", "sample", "--words", 60, "--output", tmp_path / "x.far")
    read = [Lattice.from_fst(fst) for fst in read_far(tmp_path / "x.far").values()]
    kind = neighborhood("del1word")
    assert [found.count() for found in read] == [
        kind(s.words).count() for s in sample()[: len(read)]
    ]


def test_the_corpus_may_come_from_standard_input(lattice, tmp_path):
    lattice("identity", "--text", "-", "--output", tmp_path / "x.far", stdin="a b\nc\n")
    assert [fst.num_states() for fst in read_far(tmp_path / "x.far").values()] == [3, 2]


def test_the_training_set_is_one_lattice(lattice, tmp_path):
    result = lattice(
        "training-set", "--text", "sample", "--words", 50, "--output", tmp_path / "x.far"
    )
    assert ": 1 lattice;" in result.stderr
    assert list(read_far(tmp_path / "x.far")) == ["1"]


def test_openfst_tools_read_the_archive(lattice, tmp_path):
    lattice("trans1", "--text", "sample", "--words", 60, "--output", tmp_path / "x.far")
    kept = len(read_far(tmp_path / "x.far"))
    assert f"# of FSTs                                         {kept}" in run(
        "farinfo", str(tmp_path / "x.far")
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["trans1", "a b", "--text", "sample", "--output", "x.far"], "not both"),
        (["trans1", "a b", "--output", "x.far"], "use .fst"),
        (["trans1", "--text", "sample", "--output", "x.fst"], "use .far"),
        (["trans1", "--output", "x.fst"], "the sentence is empty"),
        (["trans7", "a b", "--output", "x.fst"], "did you mean 'trans1'"),
        (["trans1", "a <sigma>", "--output", "x.fst"], "'<sigma>' cannot be a word"),
        (["trans1", "a b", "--output", "nowhere/x.fst"], "there is no folder nowhere"),
    ],
)
def test_errors(lattice, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FstceError, match=message):
        lattice(*arguments)
    assert not list(tmp_path.iterdir())


def test_progress_is_shown_in_long_runs(lattice, tmp_path, monkeypatch):
    monkeypatch.setattr("fstce.console.progress.PAUSE", 0.0)
    (tmp_path / "text.txt").write_text("a b\nb a b\n")
    result = lattice("trans1", "--text", tmp_path / "text.txt", "--output", tmp_path / "l.far")
    assert "1 of 2 lattices (" in result.stderr


def test_lattices_are_not_kept(lattice, tmp_path, monkeypatch):
    """Each machine is written before the next is made."""
    alive, most = [0], [0]

    class Counted(pynini.Fst):
        pass

    def counted(*arguments):
        fst = Counted.from_pywrapfst(arrays_to_fst(*arguments))
        alive[0] += 1
        most[0] = max(most[0], alive[0])
        weakref.finalize(fst, lambda: alive.__setitem__(0, alive[0] - 1))
        return fst

    monkeypatch.setattr("fstce.machines.lattice.arrays_to_fst", counted)
    lattice("trans1", "--text", "sample", "--words", 300, "--output", tmp_path / "x.far")
    assert 1 <= most[0] <= 3
