"""What the rest of the house knows of taggers."""

from __future__ import annotations

from fstce.kinds import Kind, Model, Single

_FACTS, _EXPLAINED = "fstce.tagging.verbs.export.reported", "fstce.tagging.explained.explained"
_GUESS = {"--guess": "use --unknown-word-model, or --no-unknown-word-model"}

KIND = Kind(
    group="tagger",
    summary="Part-of-speech taggers from raw text and a dictionary.",
    home="fstce.tagging.verbs",
    verbs={
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
        "quickstart": Single("", "Train and look at a tagger on the sample that comes with fstce."),
        "training.shard": Single(
            "raise",
            "Build the automata of a corpus once, for many trainings or many machines.",
            {
                **_GUESS,
                **dict.fromkeys(
                    (
                        *(
                            "--l1",
                            "--sigma2",
                            "--smoothing",
                            "--alpha",
                            "--start",
                            "--seed",
                            "--annealing",
                        ),
                        *("--tolerance", "--max-iterations", "--spelling"),
                    ),
                    "give it to fstce tagger train",
                ),
            },
        ),
    },
    former={name: f"tagger {name}" for name in ("train", "tag", "evaluate", "export")},
    gone={
        "--sentences": "fstce tagger suggest names sentences; for words use fstce tagger ask",
        **_GUESS,
        **dict.fromkeys(("--mass", "--kappa"), "use fstce.tagging.unknown_words, in Python"),
        "--dictionary": "fstce tagger ask --answers FILE leaves out what is answered",
        "--first": "use fstce.TagDictionary.from_corpus(…, first=…), in Python",
        "--capitals": "use fstce.TagDictionary.with_capitals, in Python",
    },
)
