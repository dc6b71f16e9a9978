"""Directional preference: whether a unit begins sentences or ends them, and what it is therefore attached to.

dp(w) = MI(w, END) − MI(START, w), Brooks (2006). MI is pointwise: with N tokens,
MI(w, END) = log [c(w END) N / (c(w) c(END))]. As there are as many starts as ends, all but
two counts cancel: dp(w) = log c(w END) − log c(START w), in nats, each count smoothed.
"""

from __future__ import annotations

import math

import numpy as np

from fstce.induction.text import Text
from fstce.induction.units import END, START


def directional_preference(text: Text, unit: int, smoothing: float) -> float:
    """dp(unit) in nats, in the text as it stands; 0 for a boundary.

    Below 0 the unit rather begins a sentence, so what follows belongs to it (``the``, ``of``);
    above 0 it rather ends one (``million``, ``ago``).

    >>> from fstce.induction.text import packed
    >>> from fstce.induction.units import Units
    >>> sentences = [["the", "dog", "barks"], ["the", "cat"]]
    >>> units = Units.of_text(sentences)
    >>> text = Text(packed(sentences, units), max_length=5)
    >>> round(directional_preference(text, units.numbers(["the"])[0], 0.5), 2)    # log (0.5 / 2.5)
    -1.61
    """
    if unit in (START, END):
        return 0.0
    begins = np.count_nonzero(text.unit[text.next[text.starts]] == unit)
    ends = np.count_nonzero(text.unit[text.previous[text.ends]] == unit)
    # dp(w) = log c(w END) − log c(START w)
    return math.log((ends + smoothing) / (begins + smoothing))


def attachment(left: int, right: int, preference: float, threshold: float) -> int:
    """Which context unit goes into the class: the left (−1), the right (1) or neither (0).

    The sum of both contexts' preferences decides: negative attaches the left one, positive
    the right one, within the threshold neither. A boundary is never attached.
    """
    if abs(preference) <= threshold:
        return 0
    side = -1 if preference < 0 else 1
    return 0 if (left if side < 0 else right) in (START, END) else side
