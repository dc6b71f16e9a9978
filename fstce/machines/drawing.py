"""Drawing."""

from __future__ import annotations

import pynini


def to_svg(fst: pynini.Fst) -> str:
    """SVG."""
    raise NotImplementedError
