"""From whatever someone has in hand to its page.

>>> import fstce
>>> page = fstce.inspect("del1word", "so it goes".split())
>>> [view.title for view in page.views][:3]
['sentence', 'transducer', 'composed']
>>> "Content-Security-Policy" in page.to_html()
True
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fstce.corpora.words import checked_sentences
from fstce.errors import MachineError, NeighborhoodError
from fstce.inspection.page import Inspection
from fstce.inspection.records import MachineView
from fstce.machines.algebra import verified
from fstce.machines.convert import SUFFIXES, archived, read_machine, suffix_of
from fstce.machines.lattice import Lattice
from fstce.machines.openfst import has, pynini, pywrapfst

if TYPE_CHECKING:
    from fstce.neighborhoods.base import Neighborhood


def inspect(
    target: Any,
    words: Sequence[str] | None = None,
    *,
    neighborhood: str | Neighborhood | None = None,
    **reading: Any,
) -> Inspection:
    """Whatever is in hand as a page to look around in.

    Parameters
    ----------
    target : Fst, Lattice, Neighborhood, Tagger, DependencyParser, str or Path
        A machine of pynini, pywrapfst or pyfoma, a lattice, a neighborhood or its name, a trained
        model, or a machine's file.
    words : sequence of str, optional
        A sentence. A neighborhood, and a file of a transducer, is shown stage by stage from it to
        its lattice, a model with its posteriors; of a machine, and of a transducer that is no
        neighborhood, its path is highlighted.
    neighborhood : str or Neighborhood, optional
        Of a model; by default its own.
    **reading
        Of a file, ``key`` and the other arguments that
        :func:`fstce.machines.convert.read_machine` takes.

    Returns
    -------
    Inspection

    Raises
    ------
    MachineError, NeighborhoodError
        The file is no machine, or the neighborhood does not fit the sentence.
    ParameterError
        There is nothing of this kind to inspect, or a parser has no sentence.

    Examples
    --------
    >>> inspect(pynini.accep("ab")).views[0].fst.num_states()
    3
    """
    sentence = None if words is None else tuple(checked_sentences([words])[0])
    if neighborhood is None:
        if isinstance(target, str | Path) and is_file(target):
            return _of_file(target, sentence, reading)
        if isinstance(target, Lattice):
            return _of_machine(target.to_fst(), target.name, sentence or ())
        if isinstance(target, pywrapfst.Fst) or hasattr(target, "to_fomastring"):
            return _of_machine(verified(target, "machine"), "machine", sentence or ())

    from fstce.inspection import targets  # loads neighborhoods and what explains models

    return targets.inspected(target, sentence, neighborhood)


# Of analysers, which read letters and no sentence.
_OF_LETTERS = (".hfst", ".hfstol", ".foma", ".zhfst")


def _of_file(
    path: str | Path, sentence: tuple[str, ...] | None, reading: dict[str, Any]
) -> Inspection:
    """A machine's file: a transducer with a sentence is a neighborhood, if it can be one."""
    fst = read_machine(path, **reading)
    name = Path(path).name
    suffix = suffix_of(archived(str(path))[0])
    if suffix in _OF_LETTERS or has(fst, "ACCEPTOR") or sentence is None:
        return _of_machine(fst, name, sentence or ())

    from fstce.inspection.targets import of_neighborhood  # loads neighborhoods

    try:
        return of_neighborhood(path, sentence)
    except (MachineError, NeighborhoodError) as error:
        return _of_machine(fst, name, sentence, f"It is no neighborhood of this: {error}")


def is_file(target: str | Path) -> bool:
    """Whether the suffix is one of a machine's file, or of an archive before a key."""
    return suffix_of(archived(str(target))[0]) in SUFFIXES


def _of_machine(
    fst: pynini.Fst, title: str, sentence: Sequence[str], summary: str = ""
) -> Inspection:
    """One machine, with the path of a sentence."""
    return Inspection(title, summary, (MachineView(title, fst, sentence=sentence),))
