"""What the rest of the house knows of correctors."""

from __future__ import annotations

from fstce.kinds import Kind, Model

_FACTS = "fstce.correction.verbs.facts.reported"

KIND = Kind(
    group="corrector",
    summary="Spelling and punctuation correctors.",
    home="fstce.correction.verbs",
    verbs={"train": "raise", "correct": "pass", "evaluate": "raise"},
    models={
        "corrector": Model("fstce.correction.corrector.Corrector", _FACTS),
        "parsed corrector": Model("fstce.correction.parsed.ParsedCorrector", _FACTS),
    },
)
