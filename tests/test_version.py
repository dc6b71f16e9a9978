"""The version that the package says is the one that is installed and printed."""

from __future__ import annotations

import re
from importlib.metadata import version
from typing import Any

from fstce.version import __version__


def test_one_version_everywhere(fstce: Any) -> None:
    assert version("fstce") == __version__
    assert re.fullmatch(r"\d+\.\d+\.\d+(\.dev\d+|rc\d+)?", __version__)
    assert fstce("--version").out.splitlines()[0] == f"fstce {__version__}"
