"""pynini and ``pywrapfst``, by which fstce comes to OpenFst, loaded when they are used.

Where they are not installed a saved tagger, parser or corrector is applied all the same; what makes
or reads a machine raises MissingToolError.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fstce.errors import MissingToolError

if TYPE_CHECKING:
    import pynini as pynini
    import pywrapfst as pywrapfst


class _Waiting:
    """A module that is imported when something of it is first asked for."""

    def __init__(self, name: str) -> None:
        self._module = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what Python itself asks of any object
            raise AttributeError(name)
        try:
            value = getattr(import_module(self._module), name)
        except ImportError as error:
            if "failed to map segment" in str(error):  # it is there, and has no room
                raise
            raise MissingToolError(
                f"a finite-state machine is made or read here, which needs pynini ({error}); "
                "conda install -c conda-forge pynini"
            ) from None
        setattr(self, name, value)
        return value


if not TYPE_CHECKING:
    pynini = _Waiting("pynini")
    pywrapfst = _Waiting("pywrapfst")


def n_arcs(fst: pywrapfst.Fst) -> int:
    """How many arcs a machine has.

    >>> n_arcs(pynini.accep("ab"))
    2
    """
    return sum(map(fst.num_arcs, fst.states()))


def has(fst: pynini.Fst, *bits: str) -> bool:
    """Whether a machine has all these properties of OpenFst, each tested.

    >>> has(pynini.accep("a"), "ACYCLIC", "NO_EPSILONS")
    True
    """
    wanted = (getattr(pywrapfst, name) for name in bits)
    return all(fst.properties(bit, True) == bit for bit in wanted)
