"""`fstce machine apply` and `equivalent`."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
def test_strings_that_are_no_utf8_are_named(tmp_path, errors):
    (tmp_path / "m.att").write_text("0\t1\ta\tb\n1\n")
    ended = subprocess.run(
        [sys.executable, "-m", "fstce", "machine", "apply", tmp_path / "m.att"],
        input=b"a\n\xe9\n",
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": f"utf-8:{errors}"},
    )
    assert (ended.returncode, ended.stdout) == (2, b"a\tb\t0.000000\n")
    assert b"<stdin>:2" in ended.stderr and ended.stderr.count(b"\n") == 1


def test_of_endless_outputs_the_number_is_said(fstce, tmp_path):
    (tmp_path / "m.att").write_text("0\t1\ta\tb\n1\t1\t@0@\tc\n1\n")
    code, out, err = fstce("machine", "apply", tmp_path / "m.att", "a")
    assert code == 0 and out.splitlines()[:2] == ["a\tb\t0.000000", "a\tbc\t0.000000"]
    assert err == f"a: it has 200 outputs or more, of which {len(out.splitlines())} are listed\n"
    assert fstce("machine", "apply", tmp_path / "m.att", "a", "--number", "2").err == ""
