"""A learnt inducer as a folder, bit for bit.

================  =====================================================================
``model.json``    the manifest: parameters, why the induction ended
``grammar.npz``   the steps of the induction and its text, so that it can be resumed
``rules.txt``     the classes to read, one a line; not read back
``grammar.pcfg``  a probabilistic context-free grammar in NLTK's notation; not read back
================  =====================================================================
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from fstce.distribution import state, to_pcfg
from fstce.storage.folder import model_folder, read_manifest, save_folder, write_manifest
from fstce.storage.state import fitting, parameters_of

if TYPE_CHECKING:
    from fstce.distribution import Grammar
    from fstce.distribution.inducer import DirectedAlignment

KIND = "constituent grammar"
GRAMMAR, RULES, WEIGHTED = "grammar.npz", "rules.txt", "grammar.pcfg"
FILES = (GRAMMAR, WEIGHTED, RULES)


def save(inducer: DirectedAlignment, folder: str | os.PathLike[str]) -> None:
    """Save what was learnt; what was there stays until the new model is whole.

    Raises
    ------
    NotFittedError
        Nothing was learnt.
    ModelFileError
        The folder holds something else, or cannot be written.
    """
    inducer._check_fitted("grammar_")
    save_folder(folder, lambda place: _write(inducer, place), KIND)


def load(folder: str | os.PathLike[str]) -> DirectedAlignment:
    """Load what :func:`save` wrote.

    Raises
    ------
    ModelFileError
        A file is missing, damaged, foreign or of another version; names it.
    """
    from fstce.distribution.inducer import DirectedAlignment

    place = model_folder(folder)
    manifest = read_manifest(place, KIND, FILES)
    grammar, text = state.read_with_text(place / GRAMMAR)
    with fitting(place):
        inducer = DirectedAlignment(**parameters_of(manifest))
        inducer.options()
        inducer.grammar_, inducer.text_ = grammar, text
        inducer.stopped_ = str(manifest["stopped"])
    return inducer


def _write(inducer: DirectedAlignment, place: Path) -> None:
    grammar = inducer.grammar_
    state.write(place / GRAMMAR, grammar, inducer.text_)
    (place / RULES).write_text(rules_text(grammar), encoding="utf-8")
    (place / WEIGHTED).write_text(to_pcfg(grammar), encoding="utf-8")
    parameters = inducer.get_params()
    if not isinstance(inducer.punctuation, str):
        parameters["punctuation"] = sorted(inducer.punctuation)
    write_manifest(place, KIND, {"parameters": parameters, "stopped": inducer.stopped_})


def rules_text(grammar: Grammar) -> str:
    """The classes, one a line."""
    return "".join(f"{rule}\n" for rule in grammar.rules())
