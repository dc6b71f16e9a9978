"""What every picture needs.

Text that XML holds, a frame for trees, a document that notebooks show.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

MARGIN = 14.0
_TREE = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{w:.0f}" height="{h:.0f}"
 viewBox="0 {top:.0f} {w:.0f} {h:.0f}">
<title>{title}</title>
<rect x="0" y="{top:.0f}" width="{w:.0f}" height="{h:.0f}" fill="white"/>
<g fill="none" stroke-linecap="round" color="#333" stroke="#333">
{lines}</g>
<g font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif" font-size="13" fill="#111"
 text-anchor="middle">
{texts}</g>
</svg>
"""
# What XML, and so an SVG or XHTML reader, cannot hold; half characters cannot be written as UTF-8
# either.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


class Svg(str):
    """An SVG document, a text that notebooks show as the picture that it is."""

    def _repr_html_(self) -> str:
        # HTML knows no XML declaration.
        return f'<div style="overflow-x:auto">{self[self.find("<svg") :]}</div>'


def clean(text: str) -> str:
    """The text with control characters, which no browser or viewer shows, as U+FFFD."""
    return _CONTROLS.sub("\ufffd", text)


def escaped(text: str) -> str:
    """Text that HTML shows as it is, in an element or a quoted attribute."""
    return html.escape(clean(text))


def tree_picture(
    title: str, lines: Iterable[str], texts: Iterable[str], right: float, top: float, bottom: float
) -> Svg:
    """Elements that are lines and elements that are texts, with a margin around them."""
    frame = {"w": right + MARGIN, "h": bottom - top + MARGIN, "top": top - MARGIN / 2}
    return Svg(
        _TREE.format(title=escaped(title), lines="".join(lines), texts="".join(texts), **frame)
    )


def label(text: str, x: float, y: float, style: str = "") -> str:
    """A word or a label in the middle above a place."""
    return f'<text x="{x:.1f}" y="{y:.1f}"{style}>{escaped(text)}</text>\n'
