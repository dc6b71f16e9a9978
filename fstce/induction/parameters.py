"""What the parameters of inductions may be and what each is."""

from __future__ import annotations

import re

from fstce.estimation.rules import ABOVE_ZERO, NOT_NEGATIVE, WORDS, Table
from fstce.numeric.rules import COUNT, FLAG, POSITIVE, Rule, choice, integer, real

_LABEL = Rule(
    "text",
    holds=lambda label: bool(re.fullmatch(r"(?!C\d+$|W$)\w[\w-]*", label)),
    words="letters, digits and - that do not spell a class (C1)",
)
INDUCTION: Table = {
    "context_fraction": real(0, 1, above=True).says("The share of the word types that are context units."),
    "boundaries": FLAG.says("Whether the ends of a sentence are context units too."),
    "refresh": FLAG.says("Whether context units are chosen anew before each iteration."),
    "max_length": integer(1, 50).says("The most units of an expression."),
    "context_expressions": FLAG.says("Whether an expression may be all context units."),
    "min_count": POSITIVE.says("The fewest places of a pattern."),
    "alignment": FLAG,
    "attachment": choice("none", "directional"),
    "preference_threshold": NOT_NEGATIVE.says(
        "How far from 0 the sum of preferences (nats) must be for an attachment."
    ),
    # Or preferences would be infinite.
    "smoothing": ABOVE_ZERO.says("Added to the numbers of starts and ends of sentences."),
    "overlap_threshold": real(0, 1, above=True)
    .or_none()
    .says("The overlap from which a new class joins an older one; None: 0.3 for ``da-cluster``, else never."),
    "overlap": choice("containment", "jaccard", "dice").says("How overlap is measured."),
    "fold_case": FLAG.says("Whether words are compared in lower case."),
    "single_words": FLAG.says("Whether trees show classes of a single word."),
    "top": _LABEL.says("The label of a tree's root."),
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
