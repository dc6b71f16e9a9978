"""What the rest of the house knows of dependency parsers."""

from __future__ import annotations

from fstce.kinds import Kind, Model

_FACTS = "fstce.parsing.verbs.show.reported"
_EXPLAINED = "fstce.parsing.explained.ExplainedParser"

KIND = Kind(
    group="parser",
    summary="Dependency parsers from sequences of tags.",
    home="fstce.parsing.verbs",
    verbs={"train": "raise", "parse": "pass", "evaluate": "raise", "show": "raise"},
    models={
        "dependency parser": Model("fstce.parsing.parser.DependencyParser", _FACTS, _EXPLAINED),
    },
)
