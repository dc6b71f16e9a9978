"""The picture of an explanation: posteriors word by word, drawn without matplotlib."""

from __future__ import annotations

from collections.abc import Sequence

from fstce.corpora.links import columns
from fstce.numeric.types import Floats
from fstce.reporting.charts import PALETTE
from fstce.svg import Svg, escaped, label, tree_picture

_LETTER = 7.4
_HEIGHT = 20.0
_GAP = 10.0
_CELL = 40.0  # the least width of a cell
_LEAST = 0.005  # columns that never come to so much are left out
_FOR = PALETTE[0]
_AGAINST = PALETTE[1]


def trellis(
    words: Sequence[str], readings: Sequence[str], posteriors: Floats, answer: Sequence[int]
) -> Svg:
    """The trellis of posteriors: a row a word, a column a tag; a line joins what the model answers.

    ``posteriors`` is (words, readings). ``answer``: the column of each row that the model answers
    with.
    """
    columns_shown = [
        i for i in range(len(readings)) if i in answer or posteriors[:, i].max() >= _LEAST
    ]
    margin = _GAP + _LETTER * max(map(columns, words)) + _GAP
    width = max(_CELL, _LETTER * max(columns(readings[i]) for i in columns_shown) + 6)
    x = {reading: margin + width * place for place, reading in enumerate(columns_shown)}
    texts = [label(readings[i], x[i] + width / 2, _HEIGHT - 6) for i in columns_shown]
    boxes = []

    for row, word in enumerate(words):
        y = _HEIGHT * (row + 1)
        texts.append(label(word, margin - _GAP, y + 14, ' text-anchor="end"'))
        for i in columns_shown:
            p = float(posteriors[row, i])
            # From white (0) to blue (1), its number where it is worth one; said when it is pointed
            # at.
            fill = f'fill="{_FOR}" fill-opacity="{p:.3f}" stroke="none"'
            title = f"<title>{escaped(f'{word} {readings[i]} {p:.3g}')}</title>"
            boxes.append(_box(x[i], y, width, fill, title))
            if p >= _LEAST:
                ink = "#ffffff" if p > 0.55 else "#111"
                texts.append(
                    label(f"{p:.2f}", x[i] + width / 2, y + 14, f' font-size="10" fill="{ink}"')
                )

    points = " ".join(
        f"{x[i] + width / 2:.1f},{_HEIGHT * (row + 1.5):.1f}" for row, i in enumerate(answer)
    )
    boxes.append(f'<polyline points="{points}" stroke="{_AGAINST}" stroke-opacity="0.6"/>\n')
    frame = f'stroke="{_AGAINST}" stroke-width="1.5"'
    boxes += [_box(x[i], _HEIGHT * (row + 1), width, frame) for row, i in enumerate(answer)]
    right = margin + width * len(columns_shown)
    bottom = _HEIGHT * (len(words) + 1)

    return tree_picture("Posteriors", boxes, texts, right, 0.0, bottom)


def _box(x: float, y: float, width: float, style: str, said: str = "") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width - 1:.1f}" height="{_HEIGHT - 1:.1f}"'
    return f"<rect {place} {style}>{said}</rect>\n"
