"""pynini and its ``pywrapfst``, through which all of fstce comes to OpenFst.

Where they are not installed a saved tagger, parser or corrector is applied all the same; what makes or reads
a machine raises MissingToolError.
"""

from __future__ import annotations

from typing import NoReturn

from fstce.errors import MissingToolError


class _Missing:
    """What stands in the place of a module that cannot be imported."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):  # what Python itself asks of any object
            raise AttributeError(name)
        raise MissingToolError(
            f"a finite-state machine is made or read here, which needs pynini ({self._reason}); "
            "conda install -c conda-forge pynini"
        )


try:
    import pynini as pynini
    import pywrapfst as pywrapfst
except ImportError as error:
    pynini = pywrapfst = _Missing(str(error))


def has(fst: pynini.Fst, *bits: str) -> bool:
    """Whether a machine has all these properties of OpenFst, each tested.

    >>> has(pynini.accep("a"), "ACYCLIC", "NO_EPSILONS")
    True
    """
    return all(
        fst.properties(bit, True) == bit for bit in (getattr(pywrapfst, name) for name in bits)
    )
