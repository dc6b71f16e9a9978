"""The papers' experiments, from a plan to a folder with a page; they need the extra ``report``."""

from __future__ import annotations

from importlib.util import find_spec

from fstce.errors import MissingToolError

if find_spec("pandas") is None:
    raise MissingToolError("reproductions need pandas and matplotlib: pip install 'fstce[report]'")
