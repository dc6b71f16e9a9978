"""A product of latent grammars as one folder: a manifest, and the two files of each member.

The files of the members are named ``1-grammar.json``, ``1-grammars.npz``, ``2-…``: see
``fstce.latent.model_files``.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from fstce.latent.model_files import FILES, entries, read_grammar, write_hierarchy
from fstce.storage.folder import model_folder, read_manifest, save_folder, write_manifest
from fstce.storage.state import fitting, parameters_of

if TYPE_CHECKING:
    from fstce.latent.product import GrammarProduct

KIND = "grammar product"


def save(product: GrammarProduct, folder: str | os.PathLike[str]) -> None:
    """Save a product of trained grammars; what was there stays until the new model is whole.

    Raises
    ------
    NotFittedError
        A member is not trained.
    ModelFileError
        The folder holds something else, or cannot be written.
    """
    members = [grammar.after(grammar.trained_cycles) for grammar in product.members()]
    parameters = {name: value for name, value in product.get_params().items() if name != "grammars"}

    def write(place: Path) -> None:
        for number, grammar in enumerate(members, 1):
            write_hierarchy(grammar, place, f"{number}-")
        write_manifest(place, KIND, {"parameters": parameters, "members": [entries(g) for g in members]})

    save_folder(folder, write, KIND)


def load(folder: str | os.PathLike[str]) -> GrammarProduct:
    """Load a product that :func:`save` wrote.

    Raises
    ------
    ModelFileError
        A file is missing, damaged, foreign or of another version; names it.
    """
    from fstce.latent.product import GrammarProduct

    place = model_folder(folder)
    manifest = read_manifest(place, KIND, [f"1-{name}" for name in FILES])
    with fitting(place, OSError):
        described = list(manifest["members"])
        members = [read_grammar(place, f"{number}-", entry) for number, entry in enumerate(described, 1)]
        return GrammarProduct(members, **parameters_of(manifest))
