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
    former={
        "induce": "induction train",
        "induction induce": "induction train",
        "parse": "induction parse",
        "evaluate": "induction evaluate",
    },
    spellings=("constituents",),
    gone={
        **dict.fromkeys(
            ("--chunker", "--chunker-rules"), "use DirectedAlignment.chunker, in Python"
        ),
        "--weighted": "use DirectedAlignment.grammar_.listed(), in Python",
        **{
            f"--{name.replace('_', '-')}": f"use fstce.induction.Options({name}=…), in Python"
            for name in (
                *("boundaries", "context_expressions", "overlap_threshold"),
                *("fold_case", "single_words", "top"),
            )
        },
        **dict.fromkeys(("--preference-threshold", "--smoothing", "--overlap"), "it is fixed"),
    },
)
