"""What the parameters of spellers may be and what each is."""

from __future__ import annotations

from fstce.parameters.rules import POSITIVE, Table
from fstce.parameters.tables import NOT_NEGATIVE

SPELLER: Table = {
    "candidates": POSITIVE.says("How many words of the lexicon each typo is contrasted with."),
    "penalty": NOT_NEGATIVE.says(
        "What a nat by which an edit of strings is cheaper than its letters costs."
    ),
}
