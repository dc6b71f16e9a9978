"""A learnt inducer as a saved state, bit for bit.

================  =====================================================================
``model.json``    the manifest: parameters, why the induction ended
``grammar.npz``   the steps of the induction and its text, so that it can be resumed
``rules.txt``     the classes to read, one a line; not read back
``grammar.pcfg``  a probabilistic context-free grammar in NLTK's notation; not read back
================  =====================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from fstce.induction.grammar import Grammar
from fstce.induction.state import read_with_text, write
from fstce.induction.weighted import to_pcfg
from fstce.numeric.types import Ints32
from fstce.storage.state import State, Writer, text_file

KIND = "constituent grammar"
GRAMMAR, RULES, WEIGHTED = "grammar.npz", "rules.txt", "grammar.pcfg"


def to_state(grammar: Grammar, text: Ints32, stopped: str, parameters: Mapping[str, Any]) -> State:
    """The state of an inducer with these parameters, and what it has learnt."""
    files: dict[str, Writer | Path] = {
        GRAMMAR: partial(_write, grammar, text),
        RULES: text_file(rules_text(grammar)),
        WEIGHTED: text_file(to_pcfg(grammar)),
    }
    return State(KIND, {"parameters": parameters, "stopped": stopped}, files=files)


def from_state(state: State) -> tuple[Grammar, Ints32, str]:
    """Grammar, text and why the induction ended, of a saved state; raises ModelFileError."""
    grammar, text = read_with_text(state.archive(GRAMMAR).path)
    return grammar, text, state.entry("stopped", str)


def rules_text(grammar: Grammar) -> str:
    """The classes, one a line."""
    return "".join(f"{rule}\n" for rule in grammar.rules())


def _write(grammar: Grammar, text: Ints32, path: Path) -> None:
    write(path, grammar, text)
