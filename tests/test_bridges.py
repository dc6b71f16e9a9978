"""The bridges of examples/bridges: what crosses is the same there; skipped where that is missing."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pynini
import pytest
from patience import patience

import fstce
from fstce import machines
from fstce.inspection.strings import total

BRIDGES = Path(__file__).parents[1] / "examples" / "bridges"
WORDS = ["the", "old", "man", "lived"]


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BRIDGES))


def weighted() -> pynini.Fst:
    """A lattice with weights that are no round numbers, one of a final state too."""
    fst, rng = fstce.neighborhood("del1subseq")(WORDS).to_fst(), np.random.default_rng(0)
    arrays = machines.fst_to_arrays(fst)
    drawn = arrays._replace(
        weight=rng.exponential(size=len(arrays.weight)), final=arrays.final + 0.5
    )
    made = machines.arrays_to_fst(drawn, "log64")
    return made.set_input_symbols(fst.input_symbols()).set_output_symbols(fst.output_symbols())


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, text = tmp_path_factory.mktemp("bridges"), fstce.corpora.sample()
    dictionary = fstce.TagDictionary.from_corpus(text)
    fstce.Tagger("trans1", order=2, max_iterations=5).fit(text, dictionary=dictionary).save(
        folder / "model"
    )
    (folder / "text.txt").write_text("the baker will light the lamp\nthe old man lived\n")
    return folder / "model"


def test_a_machine_of_pyfoma_is_taken_with_its_weights() -> None:
    pyfoma = pytest.importorskip("pyfoma")
    made = pyfoma.FST.re("a<1.5> b | c<0.25>")
    weights = {"".join(word.split()): weight for word, weight in words_of(inspected(made)).items()}
    assert weights == {"ab": pytest.approx(1.5), "c": pytest.approx(0.25)}


def inspected(made: object) -> pynini.Fst:
    return fstce.inspect(made).views[0].fst


def words_of(fst: pynini.Fst) -> dict[str, float]:
    """Each path's words and weight."""
    tropical = pynini.arcmap(fst, map_type="to_standard")
    paths = tropical.paths(
        input_token_type=tropical.input_symbols(), output_token_type=tropical.output_symbols()
    )
    return {one: float(weight) for one, _, weight in paths.items()}


def test_log_z_is_that_of_genlm() -> None:
    pytest.importorskip("genlm.grammar")
    from to_genlm import to_genlm

    fst = weighted()
    assert math.log(to_genlm(fst).total_weight()) == pytest.approx(-total(fst), abs=1e-9)
    loop = pynini.closure(pynini.accep("a", weight=1.5)).rmepsilon()
    table = machines.Symbols(["a"])
    cyclic = machines.arrays_to_fst(
        machines.fst_to_arrays(loop)._replace(ilabel=np.array([5, 5]), olabel=np.array([5, 5])),
        "log64",
    )
    cyclic.set_input_symbols(table.table)
    assert math.log(to_genlm(cyclic).total_weight()) == pytest.approx(-total(cyclic), abs=1e-9)


def test_k2s_text_has_the_same_sums() -> None:
    """By k2's rules: arcs in order, −1 into the one final state, which is the last line."""
    from to_k2 import to_k2

    fst = weighted()
    text = to_k2(fst)
    *rows, end = [line.split() for line in text.splitlines()]
    assert [int(row[0]) for row in rows] == sorted(int(row[0]) for row in rows)
    final = int(end[0])
    assert all((row[2] == row[3] == "-1") == (int(row[1]) == final) for row in rows)
    alpha = np.full(final + 1, -np.inf)
    alpha[0] = 0.0
    for source, target, *_, score in rows:
        alpha[int(target)] = np.logaddexp(alpha[int(target)], alpha[int(source)] + float(score))
    assert alpha[final] == pytest.approx(-total(fst), abs=1e-6)


def test_k2_itself_reads_the_text() -> None:
    k2 = pytest.importorskip("k2")
    from to_k2 import to_k2

    fst = weighted()
    lattice = k2.create_fsa_vec([k2.Fsa.from_str(to_k2(fst), acceptor=False)])
    assert float(lattice.get_tot_scores(True, True)[0]) == pytest.approx(-total(fst), abs=1e-6)


def test_spacy_finds_the_tagger_by_entry_point(model: Path, tmp_path: Path) -> None:
    pytest.importorskip("spacy")
    info = tmp_path / "fstce_spacy-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fstce-spacy\nVersion: 0\n")
    (info / "entry_points.txt").write_text(
        "[spacy_factories]\nfstce_tagger = spacy_tagger:fstce_tagger\n"
    )
    program = (
        "import json, spacy, sys\n"
        "nlp = spacy.blank('en')\n"
        "nlp.add_pipe('sentencizer')\n"
        "nlp.add_pipe('fstce_tagger', config={'model': sys.argv[1]})\n"
        "print(json.dumps([[token.text, token.tag_] for token in nlp('the baker will light the lamp')]))\n"
    )
    there = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(BRIDGES)])}
    command = [sys.executable, "-c", program, str(model)]
    done = subprocess.run(command, env=there, capture_output=True, text=True, timeout=patience(300))
    assert done.returncode == 0, done.stderr
    words, tags = zip(*json.loads(done.stdout.splitlines()[-1]), strict=True)
    assert [list(tags)] == fstce.Tagger.load(model).predict([list(words)])


def test_label_studio_there_and_back(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from label_studio import corpus, sentences, words

    from fstce.cli.main import main

    text = str(model.parent / "text.txt")
    assert main(["tagger", "suggest", str(model), text, "--json", "--quiet"]) == 0
    tasks = sentences(json.loads(capsys.readouterr().out))
    assert len(tasks) == 2
    for task in tasks:
        for region in task["predictions"][0]["result"]:
            value = region["value"]
            assert task["data"]["text"][value["start"] : value["end"]] == value["text"]
    exported = [{**task, "annotations": task["predictions"]} for task in tasks]
    assert main(["tagger", "suggest", str(model), text, "--quiet"]) == 0
    assert corpus(exported) == capsys.readouterr().out.splitlines()
    assert corpus([{"data": {}, "annotations": []}]) == []
    assert main(["tagger", "ask", str(model), text, "--quiet"]) == 0
    lines = capsys.readouterr().out.splitlines(keepends=True)
    asked = words(lines)
    assert [task["data"]["word"] for task in asked] == [
        one.split("\t")[0] for one in lines if one[0] != "#"
    ]
    assert all(task["predictions"][0]["result"][0]["value"]["choices"] for task in asked)


def test_a_stream_of_readings_is_ranked_as_on_the_command_line(tmp_path: Path) -> None:
    la, casa = "^la/el<det><f>/lo<prn><f>$", "^casa/casa<n><f>$"
    text, model = tmp_path / "text", tmp_path / "model"
    text.write_text(f"{la} {casa}[]\n^el/el<det><m>$ ^vino/vino<n><m>/venir<vblex>$[]\n")
    fstce.Tagger(order=2, reading_tags="full", parts=".").fit(fstce.read_corpus(text)).save(model)
    command = [sys.executable, BRIDGES / "rank_readings.py", model]
    bridged = subprocess.run(command, input=text.read_text(), capture_output=True, text=True)
    command = [sys.executable, "-m", "fstce", "tagger", "tag", model, text]
    tagged = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (bridged.stdout, bridged.returncode) == (tagged.stdout, 0)
    assert tagged.stdout.count("/") == 4
