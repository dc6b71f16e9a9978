"""What every picture needs: text that XML holds, and a document that notebooks show as what it is."""

from __future__ import annotations

import html
import re

# What XML, and so an SVG or XHTML reader, cannot hold; half characters cannot be written as UTF-8 either.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


class Svg(str):
    """An SVG document, a text that notebooks show as the picture that it is."""

    def _repr_svg_(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        # HTML knows no XML declaration.
        return f'<div style="overflow-x:auto">{self[self.find("<svg") :]}</div>'


def clean(text: str) -> str:
    """The text with control characters, which no browser or viewer shows, as U+FFFD."""
    return _CONTROLS.sub("\ufffd", text)


def escaped(text: str) -> str:
    """Text that HTML shows as it is, in an element or a quoted attribute."""
    return html.escape(clean(text))
