"""Packed arrays: what is written is what is mapped; scratch folders end with their process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.testing import assert_array_equal
from numpy.typing import NDArray

from fstce.errors import ShardError
from fstce.storage.packed import open_packed, write_packed

ARRAYS = st.sampled_from(["<i4", "<i8", "<f8", "|b1"]).flatmap(
    lambda kind: arrays(kind, array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=4))
)


@given(found=st.dictionaries(st.text("abc", min_size=1), ARRAYS, max_size=4))
def test_what_is_written_is_what_is_mapped(
    found: dict[str, NDArray[np.generic]], tmp_path_factory
) -> None:
    path = tmp_path_factory.mktemp("packed") / "0.npy"
    rows = open_packed(path, write_packed(path, found))
    assert list(rows) == list(found)
    for name, row in rows.items():
        assert row.dtype == found[name].dtype
        assert_array_equal(row, found[name])
    with path.open("rb") as file:
        assert np.load(file).tobytes() == "\n".join(found).encode()


def test_a_file_that_changes_is_read_through_again(tmp_path: Path) -> None:
    path = tmp_path / "0.npy"
    digest = write_packed(path, {"a": np.arange(100)})
    open_packed(path, digest)
    write_packed(path, {"a": np.arange(100) + 1})
    with pytest.raises(ShardError, match="it has changed"):
        open_packed(path, digest)


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    with pytest.raises(ShardError, match="there is no folder"):
        write_packed(tmp_path / "none" / "0.npy", {"a": np.arange(3)})
    assert list(tmp_path.iterdir()) == []


FULL = """
import resource, signal, sys
from pathlib import Path
import numpy as np
from fstce.errors import ShardError
from fstce.storage.packed import write_packed
from fstce.storage.scratch import mapped

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
folder = Path(sys.argv[1])
rows = {"a": np.zeros(10**5)}
for work in (lambda: write_packed(folder / "0.npy", rows), lambda: mapped(folder, 10**5, "f8")):
    try:
        work()
    except ShardError as error:
        print(error)
"""


def test_a_disk_without_room_is_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)], check=True, capture_output=True, text=True
    )
    first, second = run.stdout.splitlines()
    assert "0.npy: cannot be written" in first and "choose another folder" in first
    assert "no room for 800,000 bytes" in second and "TMPDIR" in second
    assert list(tmp_path.iterdir()) == []


def test_a_shard_that_is_a_device_is_not_read(tmp_path: Path) -> None:
    """A link to /dev/zero was read for ever."""
    digest = write_packed(tmp_path / "0.npy", {"a": np.arange(3)})
    (tmp_path / "0.npy").unlink()
    (tmp_path / "0.npy").symlink_to("/dev/zero")
    with pytest.raises(ShardError, match=r"0\.npy: the shard is damaged \(a device, not a file\)"):
        open_packed(tmp_path / "0.npy", digest)
