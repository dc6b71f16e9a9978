"""Arrays in files: written alike every time, and refused before memory is taken where their headers lie."""

from __future__ import annotations

import io
import os
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import numpy as np
import pytest
from patience import patience

from fstce.errors import ModelFileError
from fstce.storage import arrays
from fstce.storage.arrays import Archive, write_arrays

ARRAYS = {
    "theta": np.linspace(0, 1, 50),
    "word": np.arange(6).reshape(2, 3),
    "flag": np.array(True),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "weights.npz"


def member(shape: tuple[int, ...], content: bytes, dtype: str = "<f8") -> bytes:
    """A ``.npy`` whose header says what it likes."""
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        file, {"descr": dtype, "fortran_order": False, "shape": shape}
    )
    return file.getvalue() + content


def archive(path: Path, content: bytes, method: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", method) as file:
        file.writestr("theta.npy", content)
    return path


def error_of(action: Callable[[], object], *names: str) -> str:
    with pytest.raises(ModelFileError) as caught:
        action()
    message = str(caught.value)
    assert "\n" not in message
    assert all(name in message for name in names)
    return message


@pytest.mark.parametrize("compress", [False, True])
def test_arrays_come_back_to_the_bit(path: Path, compress: bool) -> None:
    write_arrays(path, ARRAYS, compress=compress)
    found = Archive(path)
    assert list(found) == list(ARRAYS) and len(found) == 3
    for name, array in ARRAYS.items():
        assert found[name].tobytes() == array.tobytes() and found[name].shape == array.shape


def test_they_are_what_numpy_writes_and_reads(path: Path) -> None:
    write_arrays(path, ARRAYS)
    np.savez(path.with_name("numpys.npz"), **ARRAYS)
    assert path.read_bytes() == path.with_name("numpys.npz").read_bytes()


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("shape", [(10**12,), (10**6, 10**6), (2**62, 4), (7,), (0,)])
def test_a_header_that_promises_other_bytes_than_there_are(
    path: Path, shape: tuple[int, ...], method: int
) -> None:
    archive(path, member(shape, bytes(10_000)), method)
    assert "theta says float64 of shape" in error_of(lambda: Archive(path)["theta"], "weights.npz")


def directory_says(path: Path, size: int) -> None:
    """Change the uncompressed size in the archive's directory."""
    content = bytearray(path.read_bytes())
    at = content.rindex(b"PK\x01\x02")
    struct.pack_into("<I", content, at + 24, size)
    path.write_bytes(content)


def test_a_directory_that_promises_more_than_can_be_in_the_file(path: Path) -> None:
    """10 kB that say they inflate to 4 GB, header and directory agreeing."""
    archive(path, member((500_000_000,), bytes(3_000_000)), zipfile.ZIP_DEFLATED)
    assert path.stat().st_size < 10_000
    directory_says(path, 4_000_000_128)
    error_of(
        lambda: Archive(path)["theta"], "weights.npz", "theta says that it has 4,000,000,128 bytes"
    )


def test_members_that_share_their_bytes(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("a.npy", member((1000,), bytes(8000)))
    whole = path.read_bytes()
    at, end = whole.index(b"PK\x01\x02"), whole.index(b"PK\x05\x06")
    entry = whole[at:end]
    names = [bytes([letter]) for letter in b"bcdef"]
    entries = entry + b"".join(entry.replace(b"a.npy", name + b".npy") for name in names)
    tail = bytearray(whole[end:])
    struct.pack_into("<HHI", tail, 8, 6, 6, len(entries))
    path.write_bytes(whole[:at] + entries + bytes(tail))
    assert len(zipfile.ZipFile(path).namelist()) == 6
    error_of(lambda: Archive(path)["b"], "weights.npz", "overlap")


def test_no_more_memory_is_asked_for_than_there_is(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_arrays(path, {"theta": np.zeros(10_000), "word": np.zeros(3)}, compress=True)
    monkeypatch.setattr(arrays, "memory", lambda: 50_000)
    message = error_of(lambda: Archive(path)["word"], "weights.npz", "theta")
    assert "of memory, which is not there" in message


def test_a_small_address_space(path: Path) -> None:
    """An honest array that does not fit is told as that."""
    write_arrays(path, {"theta": np.zeros(60_000_000)}, compress=True)
    code = (
        "import resource\n"
        "from pathlib import Path\n"
        "from fstce.errors import ModelFileError\n"
        "from fstce.storage.arrays import Archive\n"
        "now = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (now + 200_000_000, now + 200_000_000))\n"
        "try:\n    Archive(Path('weights.npz'))['theta']\n"
        "except ModelFileError as error:\n    print(error)\n"
    )
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    found = subprocess.run(
        [sys.executable, "-c", code],
        cwd=path.parent,
        env=environment,
        capture_output=True,
        text=True,
        timeout=patience(60),
    )
    assert found.stdout.startswith("weights.npz: theta takes 0.5 GB of memory"), found.stderr


@pytest.mark.parametrize(
    ("dtype", "what"),
    [("|O", "object"), ("<U4", "plain arrays only"), ("<c16", "plain arrays only")],
)
def test_only_plain_numbers(path: Path, dtype: str, what: str) -> None:
    archive(path, member((3,), bytes(48), dtype))
    error_of(lambda: Archive(path)["theta"], "weights.npz", "theta", what)


@pytest.mark.parametrize("end", [b"(", b'"""', b"\n x\n  y\n z", b"\xff"])
def test_a_header_that_is_no_text_of_pythons(path: Path, end: bytes) -> None:
    whole = member((3,), bytes(24))
    archive(path, whole.replace(b"}", b"," + end, 1)[: len(whole)])
    error_of(lambda: Archive(path)["theta"], "weights.npz: damaged")


def test_other_types_and_shapes_are_refused_unread(path: Path) -> None:
    write_arrays(path, ARRAYS)
    found = Archive(path)
    assert found.array("word", np.int64, (2, None)).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert found.array("theta", np.float64).shape == (50,)
    for name, dtype, shape in (
        ("word", np.float64, None),
        ("word", np.int64, (2,)),
        ("word", np.int64, (3, None)),
        ("flag", np.int64, ()),
    ):
        error_of(lambda n=name, d=dtype, s=shape: found.array(n, d, s), "weights.npz", name)
    error_of(lambda: found["none"], "lacks the array 'none'")


@pytest.mark.parametrize(
    "content", [b"", b"no archive", b"PK\x03\x04" + bytes(50), b"\x80\x04K\x01."]
)
def test_what_is_no_archive(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    error_of(lambda: Archive(path)["theta"], "weights.npz: damaged, or not written by fstce")


def test_every_cut_and_many_changed_bytes(path: Path) -> None:
    """Whatever happens to the file: its arrays, or one clear error."""
    write_arrays(path, {"theta": np.arange(9.0)}, compress=True)
    whole, rng = path.read_bytes(), np.random.default_rng(0)
    changed = [whole[:n] for n in range(len(whole))]
    for _ in range(300):
        content = bytearray(whole)
        content[rng.integers(len(whole))] ^= 1 << rng.integers(8)
        changed.append(bytes(content))
    for content in changed:
        path.write_bytes(content)
        try:
            assert Archive(path)["theta"].shape == (9,)
        except ModelFileError as error:
            assert str(path) in str(error)


def test_pipes_are_not_opened(path: Path) -> None:
    os.mkfifo(path)
    error_of(lambda: Archive(path)["theta"], "a pipe, a device or a socket")
    path.unlink()
    path.symlink_to("/dev/zero")
    error_of(lambda: Archive(path)["theta"], "a pipe, a device or a socket")
    path.unlink()
    error_of(lambda: Archive(path)["theta"], "No such file")


# Of the archive, thrown away
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_right_behind_the_opening_of_a_member_is_ctrl_c(path: Path) -> None:
    def interrupt(frame: FrameType, event: str, argument: object) -> None:
        if event == "return" and frame.f_code is zipfile.ZipFile.open.__code__:
            sys.setprofile(None)
            raise KeyboardInterrupt

    sys.setprofile(interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            write_arrays(path, {"a": np.zeros(3)})
    finally:
        sys.setprofile(None)
