"""What the rest of the house knows of spellers."""

from __future__ import annotations

from fstce.kinds import Kind, Model

KIND = Kind(
    group="speller",
    summary="Spellers whose error models are learnt, for HFST's programs.",
    home="fstce.speller.verbs",
    verbs={"learn": "", "learn.evaluate": "", "suggest": "", "export": ""},
    models={"speller": Model("fstce.speller.speller.Speller")},
)
