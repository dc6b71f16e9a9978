"""What the rest of the house knows of correctors."""

from __future__ import annotations

from fstce.kinds import Kind, Model

_FACTS = "fstce.correction.verbs.by_grammar.reported"

KIND = Kind(
    group="corrector",
    summary="Spelling and punctuation correctors.",
    home="fstce.correction.verbs",
    verbs={"train": "raise", "correct": "pass", "evaluate": "raise"},
    models={
        "corrector": Model("fstce.correction.corrector.Corrector", _FACTS),
        "parsed corrector": Model("fstce.correction.parsed.ParsedCorrector", _FACTS),
    },
    former={
        "train-corrector": "corrector train",
        "correct": "corrector correct",
        "evaluate": "corrector evaluate",
    },
    gone={
        "--alternatives": "use --json, which has what words in doubt may be",
        "--interactive": "use --diff to see the changes, --protected-words for what shall stay",
        **dict.fromkeys(
            ("--fallback", "--no-fallback"), "there is always one, for longer sentences"
        ),
        "--tagger": "tag the text first: fstce tagger tag",
        "--longest": "use ParsedCorrector(longest=…), in Python",
        **dict.fromkeys(
            ("--train-longest", "--max-length"), "use ParsedCorrector(train_longest=…), in Python"
        ),
        "--typed": "use --observed",
        "--own-words": "use --user-dictionary",
        "--never": "use --protected-words",
        **dict.fromkeys(("--eagerness", "--precision"), "use --threshold"),
        "--real-words": "known words are judged by their context alone",
        "--spacing": "use --exponents spaces=0 where words shall stay apart and together",
        "--mark-channel": "use --channel, whose table has the marks, too",
        **dict.fromkeys(
            (
                *("--damerau", "--limit", "--exponent", "--order", "--rare", "--variants"),
                *("--spelling", "--sigma2", "--smoothing", "--tolerance", "--max-iterations"),
            ),
            "it is fixed",
        ),
    },
)
