"""A product of latent grammars as a saved state: parameters, and the two files of each member.

The files of the members are named ``1-grammar.json``, ``1-grammars.npz``, ``2-…``, and their
entries are ``members`` in the manifest: see ``fstce.latent.model_files``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fstce.latent.model_files import KIND as MEMBER
from fstce.storage.state import State

KIND = "grammar product"


def to_state(members: Sequence[State], parameters: Mapping[str, Any]) -> State:
    """The state of a product of trained grammars."""
    numbered = list(enumerate(members, 1))
    return State(
        KIND,
        {"parameters": parameters, "members": [member.entries for member in members]},
        {f"{n}-{name}": arrays for n, member in numbered for name, arrays in member.arrays.items()},
        {f"{n}-{name}": file for n, member in numbered for name, file in member.files.items()},
        compress=True,
    )


def members_of(state: State) -> list[State]:
    """The states of the grammars in a saved product."""
    return [
        state.within(f"{number}-", MEMBER, entries)
        for number, entries in enumerate(state.entry("members", list), 1)
    ]
