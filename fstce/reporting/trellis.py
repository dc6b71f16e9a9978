"""The pictures of an explanation: posteriors word by word, and features as bars; drawn without matplotlib."""

from __future__ import annotations

from collections.abc import Sequence

from fstce.corpora.links import columns
from fstce.corpora.svg import Svg, escaped
from fstce.numeric.types import Floats
from fstce.reporting.charts import PALETTE

_LETTER, _HEIGHT, _GAP, _MARGIN = 7.4, 20.0, 10.0, 12.0
_CELL, _BAR, _ROOM = 40.0, 220.0, 56.0  # the least width of a cell; a whole bar; a number next to it
_FOR, _AGAINST = PALETTE[0], PALETTE[1]
_SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{w:.0f}" height="{h:.0f}" viewBox="0 0 {w:.0f} {h:.0f}">
<rect width="{w:.0f}" height="{h:.0f}" fill="white"/>
<g font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif" font-size="12" fill="#111">
{body}</g>
</svg>
"""


def trellis(
    words: Sequence[str],
    readings: Sequence[str],
    posteriors: Floats,
    answer: Sequence[int],
    least: float = 0.005,
) -> Svg:
    """The trellis of posteriors: a row a word, a column a tag; a line joins what the model answers.

    ``posteriors`` is (words, readings). ``answer``: the column of each row that the model answers with.
    ``least``: columns that never come to so much are left out.
    """
    shown = [i for i in range(len(readings)) if i in answer or posteriors[:, i].max() >= least]
    left = _MARGIN + _LETTER * max(map(columns, words)) + _GAP
    width = max(_CELL, _LETTER * max(columns(readings[i]) for i in shown) + 6)
    top = _MARGIN + _HEIGHT
    x = {reading: left + width * place for place, reading in enumerate(shown)}
    body = [_text(x[i] + width / 2, top - 6, readings[i], "middle") for i in shown]
    for row, word in enumerate(words):
        y = top + _HEIGHT * row
        body.append(_text(left - _GAP, y + 14, word, "end"))
        for i in shown:
            p = float(posteriors[row, i])
            # From white (0) to blue (1), its number where it is worth one.
            fill = f'fill="{_FOR}" fill-opacity="{p:.3f}"'
            body.append(_rect(x[i], y, width - 1, _HEIGHT - 1, fill, f"{word} {readings[i]} {p:.3g}"))
            if p >= least:
                ink = "#ffffff" if p > 0.55 else "#111"
                style = f' font-size="10" fill="{ink}"'
                body.append(_text(x[i] + width / 2, y + 14, f"{p:.2f}", "middle", style))
    points = " ".join(
        f"{x[i] + width / 2:.1f},{top + _HEIGHT * (row + 0.5):.1f}" for row, i in enumerate(answer)
    )
    body.append(f'<polyline points="{points}" fill="none" stroke="{_AGAINST}" stroke-opacity="0.6"/>\n')
    frame = f'fill="none" stroke="{_AGAINST}" stroke-width="1.5"'
    body += [_rect(x[i], top + _HEIGHT * row, width - 1, _HEIGHT - 1, frame) for row, i in enumerate(answer)]
    return _picture(left + width * len(shown) + _MARGIN, top + _HEIGHT * len(words) + _MARGIN, body)


def bars(labels: Sequence[str], values: Sequence[float]) -> Svg:
    """Numbers as bars to the right where they are positive, to the left where they are negative."""
    greatest = max((abs(value) for value in values), default=0.0) or 1.0
    left = _MARGIN + _LETTER * max(map(columns, labels), default=0) + _GAP
    below, above = (_BAR if any(sign * value > 0 for value in values) else 0.0 for sign in (-1, 1))
    zero = left + (below + _ROOM if below else 0.0)
    body = []
    for row, (label, value) in enumerate(zip(labels, values, strict=True)):
        y, size = _MARGIN + _HEIGHT * row, _BAR * abs(value) / greatest
        start, colour = (zero, _FOR) if value >= 0 else (zero - size, _AGAINST)
        body.append(_text(left - _GAP, y + 14, label, "end"))
        body.append(_rect(start, y + 3, size, _HEIGHT - 6, f'fill="{colour}"', f"{label} {value:+.4f}"))
        number = f"{value:+.3f}".replace("-", "−")
        end = zero + size + 4 if value >= 0 else zero - size - 4
        body.append(_text(end, y + 14, number, "start" if value >= 0 else "end"))
    bottom = _MARGIN + _HEIGHT * len(labels)
    body.append(f'<path d="M{zero:.1f},{_MARGIN} V{bottom:.1f}" stroke="#777777"/>\n')
    return _picture(zero + above + _ROOM + _MARGIN, bottom + _MARGIN, body)


def _rect(x: float, y: float, width: float, height: float, style: str, said: str = "") -> str:
    """A rectangle; ``said``: when it is pointed at."""
    title = f"<title>{escaped(said)}</title>" if said else ""
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f"<rect {place} {style}>{title}</rect>\n"


def _text(x: float, y: float, text: str, anchor: str, style: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style}>{escaped(text)}</text>\n'


def _picture(width: float, height: float, body: Sequence[str]) -> Svg:
    return Svg(_SVG.format(w=width, h=height, body="".join(body)))
