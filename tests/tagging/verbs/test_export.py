"""`fstce tagger export`."""

from fstce.machines.far import read_far
from fstce.machines.files import read_fst


def test_the_model_is_written_as_machines(fstce, model, tagger, tmp_path):
    folder = tmp_path / "machines"
    code, out, err = fstce("tagger", "export", model, folder)
    assert code == 0
    assert {folder / name for name in ("emissions.fst", "history.fst", "words.syms", "tags.syms")} <= set(
        folder.iterdir()
    )
    assert out.splitlines() == sorted(map(str, folder.iterdir()))
    assert err == f"{folder / 'README.txt'} shows how to tag with them\n"
    assert read_fst(folder / "emissions.fst").num_arcs(0) >= len(tagger.features_.word)


def test_sentences_are_written_beside_it(fstce, model, tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("the wug walks\nClara walks\n")
    assert fstce("tagger", "export", model, tmp_path / "machines", "--text", text, "--quiet") == (0, "", "")
    far = read_far(tmp_path / "machines" / "sentences.far")
    assert [fst.num_states() for fst in far.values()] == [4, 3]


def test_a_model_folder_stays_a_model_folder(fstce, model):
    before = sorted(model.iterdir())
    code, _, err = fstce("tagger", "export", model, model)
    assert code == 2 and "holds a model; name another folder" in err
    assert sorted(model.iterdir()) == before
