"""What the rest of the house knows of induced constituents."""

from __future__ import annotations

from fstce.kinds import Kind, Model

KIND = Kind(
    group="induction",
    summary="Constituents from raw text.",
    home="fstce.induction.verbs",
    verbs={"train": "raise", "parse": "pass", "parse.evaluate": "raise"},
    models={
        "constituent grammar": Model(
            "fstce.induction.inducer.DirectedAlignment", "fstce.induction.verbs.parse.reported"
        )
    },
)
