"""What the parameters of inductions may be and what each is."""

from __future__ import annotations

import re

from fstce.estimation.rules import ABOVE_ZERO, NOT_NEGATIVE, WORDS
from fstce.numeric.rules import COUNT, FLAG, POSITIVE, Rule, Table, choice, integer, real

# What the paper leaves open: of :class:`fstce.induction.Options`.
INDUCTION: Table = {
    "context_fraction": real(0, 1, above=True).says("The share of the word types that are context units."),
    "refresh": FLAG.says("Whether context units are chosen anew before each iteration."),
    "max_length": integer(1, 50).says("The most units of an expression."),
    "min_count": POSITIVE.says("The fewest places of a pattern."),
    **dict.fromkeys(("boundaries", "context_expressions", "alignment", "fold_case", "single_words"), FLAG),
    "attachment": choice("none", "directional"),
    "preference_threshold": NOT_NEGATIVE,
    "smoothing": ABOVE_ZERO,  # or preferences would be infinite
    "overlap_threshold": real(0, 1, above=True).or_none(),
    "overlap": choice("containment", "jaccard", "dice"),
    "top": Rule(
        "text",
        holds=lambda label: bool(re.fullmatch(r"(?!C\d+$|W$)\w[\w-]*", label)),
        words="letters, digits and - that do not spell a class (C1)",
    ),
}
DIRECTED_ALIGNMENT: Table = {
    **INDUCTION,
    "system": choice("da-stop", "da", "da-cluster", "fwb").says(
        "``da-stop`` attaches context units; ``da`` does not; ``da-cluster`` joins classes that overlap; "
        "``fwb`` learns nothing and brackets what stands between frequent words."
    ),
    "iterations": COUNT.says("The most classes that are made; there are fewer where no pattern is left."),
    "punctuation": (choice("auto", "tags", "marks", "none") | WORDS).says(
        "The words that are left out: by tags where a sentence carries them, else by English marks "
        "(``auto``); by either; none; or these words, on the command line a file's. Trees have them again."
    ),
}
