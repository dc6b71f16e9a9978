"""What the parameters of inductions may be and what each is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from fstce.parameters.rules import COUNT, FLAG, POSITIVE, Table, check, choice, integer, real
from fstce.parameters.tables import WORDS

# What the paper leaves open: of :class:`fstce.induction.parameters.Options`.
INDUCTION: Table = {
    "context_fraction": real(0, 1, above=True).says(
        "The share of the word types that are context units."
    ),
    "refresh": FLAG.says("Whether context units are chosen anew before each iteration."),
    "max_length": integer(1, 50).says("The most units of an expression."),
    "min_count": POSITIVE.says("The fewest places of a pattern."),
    **dict.fromkeys(("boundaries", "context_expressions", "alignment", "single_words"), FLAG),
    "attachment": choice("none", "directional"),
    "preference_threshold": real(0).says(
        "Nats beyond which the sum of both contexts' preferences attaches one of them."
    ),
    "overlap_threshold": real(0, 1, above=True).or_none(),
}
DIRECTED_ALIGNMENT: Table = {
    **INDUCTION,
    "system": choice("da-stop", "da", "da-cluster", "fwb").says(
        "``da-stop`` attaches context units; ``da`` does not; ``da-cluster`` joins classes that "
        "overlap; ``fwb`` learns nothing and brackets what stands between frequent words."
    ),
    "iterations": COUNT.says(
        "The most classes that are made; there are fewer where no pattern is left."
    ),
    "punctuation": (choice("auto", "none") | WORDS).says(
        "The words that are left out: by tags where a sentence carries them, else by English marks "
        "(``auto``); none; or these words, on the command line a file's. Trees have them again."
    ),
}


@dataclass(frozen=True)
class Options:
    """How context units are chosen, alignment patterns found, classes joined and contexts attached.

    ``context_fraction``: the share of the unit types, the most frequent first, that are context
    units (paper: 1 %). It is rounded up, so there is at least one. ``boundaries``: whether the
    start and the end of a sentence are context units too. Without them no constituent at either
    edge is found, which costs nearly half of the F1. ``refresh``: whether the context units are
    chosen anew before each iteration, so that a frequent class may become one, as the paper says,
    and a consumed word cease to be one. Without it clusters only rename classes; DA_STOP gains 2
    points of F1, DA loses 4. ``max_length``: the most units of an expression, 1 to 50. Runs longer
    than 5 are rare: 10 gains 0.1 of F1. ``context_expressions``: whether an expression may be all
    context units (``of [the] same``), as well as without any; one that mixes them never is.
    ``min_count``: a pattern with fewer places is no alignment; the induction ends there.
    ``alignment``: false learns nothing and brackets what stands between context units (FWB).
    ``attachment``: whether a context unit goes into the class by its directional preference
    (DA_STOP). ``preference_threshold``: nats beyond which the sum of both contexts' preferences
    attaches one of them; the paper has one without its value. ``overlap_threshold``: the overlap
    from which a new class joins an existing one (DAcluster); None never joins.
    ``single_words``: whether trees show classes of a single word; they say nothing of structure.
    """

    context_fraction: float = 0.01
    boundaries: bool = True
    refresh: bool = True
    max_length: int = 5
    context_expressions: bool = True
    min_count: int = 2
    alignment: bool = True
    attachment: str = "none"
    preference_threshold: float = 0.0
    overlap_threshold: float | None = None
    single_words: bool = False

    def __post_init__(self) -> None:
        """Check the ranges."""
        check(INDUCTION, **asdict(self))

    @classmethod
    def of_system(cls, system: str, **changes: Any) -> Options:
        """The options of one of :data:`SYSTEMS`, with changes."""
        check(DIRECTED_ALIGNMENT, system=system)
        return cls(**{**SYSTEMS[system], **changes})


SYSTEMS: Mapping[str, Mapping[str, Any]] = {
    "fwb": {"alignment": False},
    "da": {},
    "da-cluster": {"overlap_threshold": 0.3},
    "da-stop": {"attachment": "directional"},
}
