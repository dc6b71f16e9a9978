"""`fstce tagger export`."""

import math

import pytest
from machine_cases import run

from fstce.machines.files import read_fst


def test_the_model_is_written_as_machines(fstce, model, tagger, tmp_path):
    folder = tmp_path / "machines"
    code, out, err = fstce("tagger", "export", model, folder)
    assert code == 0
    assert {
        folder / name for name in ("emissions.fst", "history.fst", "words.syms", "tags.syms")
    } <= set(folder.iterdir())
    assert out.splitlines() == sorted(map(str, folder.iterdir()))
    assert err == f"{folder / 'README.txt'} shows how to tag with them\n"
    assert read_fst(folder / "emissions.fst").num_arcs(0) >= len(tagger.features_.word)


def test_words_of_a_text_have_arcs(fstce, model, tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("the wug walks\nClara walks\n")
    folder = tmp_path / "machines"
    assert fstce("tagger", "export", model, folder, "--text", text, "--quiet") == (0, "", "")
    assert read_fst(folder / "emissions.fst").input_symbols().member("wug")


def test_a_model_folder_stays_a_model_folder(fstce, model):
    before = sorted(model.iterdir())
    code, _, err = fstce("tagger", "export", model, model)
    assert code == 2 and "holds a model; name another folder" in err
    assert sorted(model.iterdir()) == before


def test_an_analyser_gets_the_weights(fstce, model, tagger, tmp_path):
    words = [word for word in tagger.dictionary_ if len(tagger.dictionary_[word]) > 1][:2]
    lines = [(w, tag) for w in words for tag in tagger.dictionary_[w]]
    (tmp_path / "x.lexc").write_text(
        f"Multichar_Symbols {' '.join(f'+{tag}' for _, tag in lines)}\nLEXICON Root\n"
        + "".join(f"{word}+{tag}:{word} # ;\n" for word, tag in lines)
    )
    run("hfst-lexc", str(tmp_path / "x.lexc"), "-o", str(tmp_path / "up.hfst"))
    source, target = tmp_path / "up.hfst", tmp_path / "weighted.hfst"
    code, out, err = fstce("tagger", "export", model, "--analyser", source, "-o", target)
    assert (code, out) == (0, "") and f"weighted by word: {len(words)};" in err
    printed = run("hfst-lookup", "-q", str(target), input=f"{words[0]}\n").splitlines()
    rows = [line.split("\t")[1:] for line in printed if line]
    assert {text for text, _ in rows} == {
        f"{words[0]}+{tag}" for tag in tagger.dictionary_[words[0]]
    }
    assert sum(math.exp(-float(weight)) for _, weight in rows) == pytest.approx(1, abs=1e-4)
    assert fstce("tagger", "export", model, "-o", target)[0] == 2
    assert (
        fstce("tagger", "export", model, tmp_path / "f", "--analyser", source, "-o", target)[0] == 2
    )
