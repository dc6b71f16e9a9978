"""OpenFst is loaded when something of it is asked for; without it an error says how to get it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fstce.errors import MissingToolError
from fstce.machines.openfst import _Waiting, has, pynini


def test_properties_are_tested() -> None:
    loop = pynini.closure("a")
    assert has(pynini.accep("ab"), "ACYCLIC", "ACCEPTOR")
    assert not has(loop, "ACYCLIC") and not has(pynini.cross("a", "b"), "ACCEPTOR", "ACYCLIC")


def test_naming_it_loads_nothing() -> None:
    program = "import sys, fstce.machines.openfst; sys.exit('pynini' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_where_it_is_missing_it_is_said() -> None:
    with pytest.raises(MissingToolError, match=r"needs pynini .*conda install"):
        _ = _Waiting("no_such_module_of_openfst").accep
