"""Model folders: whole or not at all, and read only when nothing is amiss."""

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from interrupting import at_each_line
from patience import patience

from fstce.errors import MachineError, ModelFileError
from fstce.storage import folder as folder_module
from fstce.storage import locks
from fstce.storage.folder import (
    check_place,
    digest_of,
    model_folder,
    own_digest,
    read_manifest,
    save_folder,
    write_manifest,
)


def writer(text, kind="toy"):
    """A writer of a model with one file, which says `text`."""

    def write(folder):
        (folder / "data.txt").write_text(text, encoding="utf-8")
        write_manifest(folder, kind, {"text": text})

    return write


SAVE_OFTEN = """
import sys
from fstce.storage.folder import save_folder, write_manifest

def write(folder):
    (folder / "data.txt").write_text(sys.argv[2], encoding="utf-8")
    write_manifest(folder, "toy", {"text": sys.argv[2]})

for _ in range(50):
    save_folder(sys.argv[1], write, "toy")
"""


def text_of(folder):
    """What the model in the folder says, by its manifest and by its file."""
    said = read_manifest(folder, "toy")["text"]
    assert (model_folder(folder) / "data.txt").read_text(encoding="utf-8") == said
    return said


def rewritten(folder, **entries):
    """Change entries of the manifest as a hand edit would."""
    path = folder / "model.json"
    path.write_text(
        json.dumps({**json.loads(path.read_text(encoding="utf-8")), **entries}), encoding="utf-8"
    )


def error_of(action, *arguments):
    with pytest.raises(ModelFileError) as caught:
        action(*arguments)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.fixture
def model(tmp_path):
    save_folder(tmp_path / "model", writer("first"), "toy")
    return tmp_path / "model"


class TestSave:
    def test_new_folder(self, tmp_path, model):
        assert text_of(model) == "first"
        assert [path.name for path in tmp_path.iterdir()] == ["model"]

    def test_empty_folder_is_filled(self, tmp_path):
        (tmp_path / "empty").mkdir()
        save_folder(tmp_path / "empty", writer("here"), "toy")
        assert text_of(tmp_path / "empty") == "here"

    def test_model_is_replaced_and_nothing_is_left_over(self, tmp_path, model):
        save_folder(model, writer("second"), "toy")
        assert text_of(model) == "second"
        assert [path.name for path in tmp_path.iterdir()] == ["model"]

    def test_relative_path_and_link(self, tmp_path, model, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "link").symlink_to(model)
        save_folder("link", writer("through the link"), "toy")
        assert (tmp_path / "link").is_symlink()
        assert text_of("model") == "through the link"

    def test_file_in_the_way(self, tmp_path):
        (tmp_path / "notes").write_text("mine", encoding="utf-8")
        assert "notes: is a file; name a folder" in error_of(
            save_folder, tmp_path / "notes", writer("x"), "toy"
        )
        assert (tmp_path / "notes").read_text(encoding="utf-8") == "mine"

    @pytest.mark.parametrize("name", ["thesis.tex", "model.json"])
    def test_foreign_folder(self, tmp_path, name):
        (tmp_path / name).write_text("{}", encoding="utf-8")
        message = error_of(save_folder, tmp_path, writer("x"), "toy")
        assert f"holds '{name}' and no fstce model, so it is not replaced" in message
        assert [path.name for path in tmp_path.iterdir()] == [name]

    def test_model_with_the_users_notes(self, model):
        (model / "notes.txt").write_text("mine", encoding="utf-8")
        assert "holds 'notes.txt', which is not part of the model" in error_of(
            save_folder, model, writer("x"), "toy"
        )
        assert text_of(model) == "first"

    def test_model_of_another_kind(self, model):
        message = error_of(save_folder, model, writer("x", "parser"), "parser")
        assert "holds a model of kind 'toy', which a parser does not replace" in message
        assert text_of(model) == "first"

    def test_missing_parent(self, tmp_path):
        message = error_of(save_folder, tmp_path / "no" / "model", writer("x"), "toy")
        assert f"there is no folder {tmp_path / 'no'}" in message

    def test_unwritable_parent(self, tmp_path, monkeypatch):
        def refuse(self, *arguments, **options):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "mkdir", refuse)
        message = error_of(save_folder, tmp_path / "model", writer("x"), "toy")
        assert message.endswith("cannot be saved (Permission denied); choose another folder")
        assert not (tmp_path / "model").exists()

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
    def test_read_only_parent(self, tmp_path):
        tmp_path.chmod(0o500)
        try:
            assert "cannot be saved (Permission denied)" in error_of(
                save_folder, tmp_path / "model", writer("x"), "toy"
            )
        finally:
            tmp_path.chmod(0o700)

    def test_entry_that_json_cannot_hold(self, tmp_path):
        message = error_of(
            save_folder, tmp_path / "model", lambda at: write_manifest(at, "toy", {"x": {1}}), "toy"
        )
        assert "{1} cannot be saved" in message
        assert not list(tmp_path.iterdir())


class TestCheckPlace:
    def test_good_places_are_left_alone(self, tmp_path, model):
        check_place(tmp_path / "new", "toy")
        check_place(model, "toy")
        assert [path.name for path in tmp_path.iterdir()] == ["model"]
        assert text_of(model) == "first"

    def test_bad_places_are_told_as_by_a_save(self, tmp_path, model):
        for place, kind in (
            (tmp_path / "no" / "model", "toy"),
            (model, "parser"),
            (tmp_path, "toy"),
        ):
            assert error_of(check_place, place, kind) == error_of(
                save_folder, place, writer("x"), kind
            )


class TestInterruptedSave:
    @pytest.mark.parametrize(
        "error", [KeyboardInterrupt, RuntimeError, OSError(28, "No space left on device")]
    )
    def test_failing_writer_leaves_the_old_model(self, tmp_path, model, error):
        def write(folder):
            writer("second")(folder)
            raise error

        with pytest.raises((KeyboardInterrupt, RuntimeError, ModelFileError)):
            save_folder(model, write, "toy")
        assert text_of(model) == "first"
        assert [path.name for path in tmp_path.iterdir()] == ["model"]

    def test_full_disk_is_one_clear_line(self, model):
        def write(folder):
            raise OSError(28, "No space left on device")

        assert "cannot be saved (No space left on device)" in error_of(
            save_folder, model, write, "toy"
        )

    @pytest.mark.parametrize("fails", [1, 2])
    @pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(5, "Input/output error")])
    def test_failing_rename_leaves_the_old_model(self, tmp_path, model, monkeypatch, fails, error):
        rename, calls = Path.rename, []

        def failing(self, target):
            calls.append(target)
            if len(calls) == fails:
                raise error
            return rename(self, target)

        monkeypatch.setattr(Path, "rename", failing)
        with pytest.raises((KeyboardInterrupt, ModelFileError)):
            save_folder(model, writer("second"), "toy")
        assert text_of(model) == "first"
        assert [path.name for path in tmp_path.iterdir()] == ["model"]

    @pytest.mark.parametrize("kind", ["toy", "parser"])
    def test_a_save_that_comes_between_is_replaced_if_it_may_be(self, tmp_path, kind):
        model = tmp_path / "model"

        def write(folder):
            save_folder(model, writer("first", kind), kind)
            writer("second")(folder)

        if kind == "toy":
            save_folder(model, write, "toy")
            assert text_of(model) == "second"
        else:
            assert "which a toy does not replace" in error_of(save_folder, model, write, "toy")
            assert read_manifest(model, kind)["text"] == "first"
        assert [path.name for path in tmp_path.iterdir()] == ["model"]

    def test_saves_at_one_moment_wait_for_each_other(self, tmp_path):
        model, command = tmp_path / "model", [sys.executable, "-c", SAVE_OFTEN]
        processes = [subprocess.Popen([*command, model, str(number)]) for number in range(4)]
        assert [process.wait(timeout=patience(60)) for process in processes] == [0] * 4
        assert text_of(model) in "0123"
        assert [path.name for path in tmp_path.iterdir()] == ["model"]

    def test_a_lock_that_nobody_lets_go_is_not_waited_for_for_ever(self, model, monkeypatch):
        monkeypatch.setattr("fstce.storage.locks.PATIENCE", 0.05)
        descriptor = os.open(model.parent, os.O_RDONLY)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        save_folder(model, writer("second"), "toy")
        os.close(descriptor)
        assert text_of(model) == "second"

    @staticmethod
    def killed_at(name, model, renames):
        """Save in a process that dies, as by SIGKILL, before it renames for the `renames`-th time."""
        if not hasattr(os, "fork"):
            pytest.skip("nothing is forked here")
        process = os.fork()
        if not process:
            rename, calls = Path.rename, []

            def dying(self, target):
                calls.append(target)
                return os._exit(9) if len(calls) == renames else rename(self, target)

            Path.rename = dying
            try:
                save_folder(model, writer(name), "toy")
            finally:
                os._exit(0)
        _, status = os.waitpid(process, 0)
        assert os.waitstatus_to_exitcode(status) == 9

    def test_killed_before_the_first_rename(self, model):
        self.killed_at("second", model, 1)
        assert text_of(model) == "first"

    def test_killed_between_the_renames(self, model):
        self.killed_at("second", model, 2)
        assert not model.exists()
        assert text_of(model) == "first"

    def test_save_after_a_kill(self, model):
        self.killed_at("second", model, 2)
        save_folder(model, writer("third"), "toy")
        assert text_of(model) == "third"
        assert not (model.parent / ".model.fstce-old").exists()

    def test_failed_save_after_a_kill(self, model):
        self.killed_at("second", model, 2)
        with pytest.raises(ZeroDivisionError):
            save_folder(model, lambda folder: 1 // 0, "toy")
        assert text_of(model) == "first"


@pytest.mark.parametrize(
    ("error", "free"),
    [
        (OSError("19081 requested and 4592 written"), 1 << 40),
        (MachineError("x.far: cut off, empty"), 0),
    ],
)
def test_a_full_disk_is_told_as_such(model, monkeypatch, error, free):
    def write(folder):
        raise error

    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=free))
    assert "cannot be saved (No space left on device)" in error_of(save_folder, model, write, "toy")


class TestLeftOvers:
    """Half-written folders of saves that were killed."""

    @staticmethod
    def left(model):
        return [path.name for path in model.parent.iterdir() if path.name != model.name]

    def test_they_go_with_the_next_save_of_that_model(self, model):
        TestInterruptedSave.killed_at("second", model, 1)
        assert len(self.left(model)) == 1
        (model.parent / f".other.{32 * '0'}").mkdir()
        (model.parent / ".model.notes").mkdir()
        check_place(model, "toy")
        assert sorted(self.left(model)) == [".model.notes", f".other.{32 * '0'}"]

    def test_those_of_a_save_under_way_stay(self, model):
        def write(folder):
            save_folder(model, writer("second"), "toy")
            assert folder.is_dir()
            writer("third")(folder)

        save_folder(model, write, "toy")
        assert text_of(model) == "third"
        assert not self.left(model)

    def test_a_link_is_not_followed(self, tmp_path, model):
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine" / "notes").write_text("mine", encoding="utf-8")
        (tmp_path / f".model.{32 * 'a'}").symlink_to(tmp_path / "mine")
        save_folder(model, writer("second"), "toy")
        assert (tmp_path / "mine" / "notes").read_text(encoding="utf-8") == "mine"


class TestPlacesThatAreNone:
    def test_a_path_that_is_not_utf_8_is_found_before_training(self, tmp_path):
        place = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")
        message = error_of(check_place, place, "toy")
        assert "the path is not UTF-8" in message and message.isprintable()
        assert message == error_of(save_folder, place, writer("x"), "toy")

    def test_no_path_at_all(self, tmp_path):
        (tmp_path / "loop").symlink_to(tmp_path / "loop")
        for place in (
            f"{tmp_path}/a\0b",
            tmp_path / "loop",
            tmp_path / "loop" / "model",
            tmp_path / (300 * "x"),
        ):
            assert "cannot be saved" in error_of(check_place, place, "toy")
            error_of(read_manifest, place, "toy")


class TestPipes:
    """No pipe is opened, for that would wait for a writer."""

    @pytest.mark.parametrize("name", ["model.json", "data.txt"])
    @pytest.mark.parametrize("what", ["pipe", "device"])
    def test_in_place_of_a_file(self, model, name, what):
        (model / name).unlink()
        os.mkfifo(model / name) if what == "pipe" else (model / name).symlink_to("/dev/zero")
        reason = f"{name}: cannot be read (no file but a pipe, a device or a socket)"
        assert reason in error_of(read_manifest, model, "toy")
        if name == "model.json":
            assert reason in error_of(check_place, model, "toy")


class TestManifest:
    def test_entries(self, model):
        content = read_manifest(model, "toy")
        assert (content["format"], content["format_version"], content["kind"]) == (
            "fstce model",
            1,
            "toy",
        )
        assert set(content["files"]) == {"data.txt"}

    def test_white_space_does_not_count(self, model):
        rewritten(model)
        assert text_of(model) == "first"

    def test_missing_folder(self, tmp_path):
        assert error_of(read_manifest, tmp_path / "no", "toy").startswith(
            f"{tmp_path / 'no'}: no such folder"
        )

    def test_file_for_a_folder(self, model):
        message = error_of(read_manifest, model / "data.txt", "toy")
        assert "data.txt: a file, but a model is a folder" in message

    def test_folder_without_manifest(self, tmp_path):
        assert "model.json: missing, so this folder is no fstce model" in error_of(
            read_manifest, tmp_path, "toy"
        )

    @pytest.mark.parametrize("damage", [b"", b'{"format": "fstce', b"\xff\xfe", b"[" * 100_000])
    def test_damaged_json(self, model, damage):
        (model / "model.json").write_bytes(damage)
        assert "model.json: damaged, it is not JSON" in error_of(read_manifest, model, "toy")

    @pytest.mark.parametrize("foreign", ["{}", "[]", "3", '{"format": "sklearn", "files": {}}'])
    def test_foreign_json(self, model, foreign):
        (model / "model.json").write_text(foreign, encoding="utf-8")
        assert "model.json: not written by fstce" in error_of(read_manifest, model, "toy")

    def test_newer_version(self, model):
        rewritten(model, format_version=2, fstce_version="9.1")
        assert "format version 2, written by fstce 9.1" in error_of(read_manifest, model, "toy")
        assert "install the one that wrote it" in error_of(read_manifest, model, "toy")

    @pytest.mark.parametrize("version", [0, None, "1", True])
    def test_older_or_strange_version(self, model, version):
        rewritten(model, format_version=version)
        assert f"format version {version!r}, written by fstce" in error_of(
            read_manifest, model, "toy"
        )

    def test_other_kind(self, model):
        assert "model.json: a model of kind 'toy', not a tagger" in error_of(
            read_manifest, model, "tagger"
        )

    def test_changed_entry(self, model):
        rewritten(model, text="forged")
        assert "model.json: changed since it was saved" in error_of(read_manifest, model, "toy")

    @pytest.mark.parametrize("content", ["firsT", "firs", "first "])
    def test_changed_file(self, model, content):
        (model / "data.txt").write_text(content, encoding="utf-8")
        assert "data.txt: changed or cut off since it was saved" in error_of(
            read_manifest, model, "toy"
        )

    def test_missing_file(self, model):
        (model / "data.txt").unlink()
        assert "data.txt: missing, the model is incomplete" in error_of(read_manifest, model, "toy")

    def test_folder_in_place_of_a_file(self, model):
        (model / "data.txt").unlink()
        (model / "data.txt").mkdir()
        assert "data.txt: cannot be read" in error_of(read_manifest, model, "toy")


def test_digests_are_those_of_sha256sum(tmp_path):
    (tmp_path / "abc").write_bytes(b"abc")
    known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert digest_of(tmp_path / "abc") == known


def test_digests_are_of_files_in_the_folder_only(tmp_path):
    model = tmp_path / "model"
    save_folder(model, writer("a"), "toy")
    content = json.loads((model / "model.json").read_text(encoding="utf-8"))
    content["files"] = {"../secret": "0"}
    content["digest"] = own_digest(content)
    (model / "model.json").write_text(json.dumps(content), encoding="utf-8")
    assert "'../secret', which is no file name" in error_of(read_manifest, model, "toy")


def test_ctrl_c_at_any_line_leaves_the_old_model_or_the_new_and_nothing_else(tmp_path, monkeypatch):
    monkeypatch.setattr(locks, "PATIENCE", 0)  # where Ctrl-C comes as a lock is given back
    save_folder(tmp_path / "m", writer("old"), "toy")
    for last in at_each_line(
        folder_module, lambda: save_folder(tmp_path / "m", writer("new"), "toy")
    ):
        assert [entry.name for entry in tmp_path.iterdir()] == ["m"], f"at line {last}"
        read_manifest(tmp_path / "m", "toy")
        assert (tmp_path / "m" / "data.txt").read_text() in ("old", "new")

    assert last > 50
