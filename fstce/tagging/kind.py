"""What the rest of the house knows of taggers."""

from __future__ import annotations

from fstce.kinds import Entry, Kind, Model

_FACTS = "fstce.tagging.verbs.export.reported"
_EXPLAINED = "fstce.tagging.explained.explained"

KIND = Kind(
    group="tagger",
    summary="Part-of-speech taggers from raw text and a dictionary.",
    home="fstce.tagging.verbs",
    verbs={
        "dictionary": "raise",
        "train": "raise",
        "tag": "pass",
        "evaluate": "raise",
        "ask": "raise",
        "ask.suggest": "raise",
        "export": "raise",
    },
    models={
        "tagger": Model("fstce.tagging.tagger.Tagger", _FACTS, _EXPLAINED),
        "tagger product": Model("fstce.tagging.product.TaggerProduct", _FACTS, _EXPLAINED),
    },
    single={
        "quickstart": Entry(
            "fstce.tagging.verbs.quickstart.quickstart",
            "",
            "Train and look at a tagger on the sample that comes with fstce.",
        ),
    },
)
