"""From whatever someone has in hand to its page.

>>> import fstce
>>> page = fstce.inspect("del1word", "so it goes".split())
>>> [view.title for view in page.views][:3]
['sentence', 'transducer', 'composed']
>>> "Content-Security-Policy" in page.to_html()
True
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fstce.corpora.words import checked_sentences
from fstce.errors import MachineError, NeighborhoodError, ParameterError
from fstce.estimation.estimator import Estimator
from fstce.explanation.explain import over, within
from fstce.explanation.protocol import Adjustable, explained
from fstce.inspection.records import MachineView, record
from fstce.machines.algebra import verified
from fstce.machines.convert import SUFFIXES, archived, read_machine, suffix_of
from fstce.machines.lattice import Lattice
from fstce.machines.openfst import has, pynini, pywrapfst
from fstce.neighborhoods.base import Neighborhood
from fstce.neighborhoods.registry import neighborhood
from fstce.parameters.overview import Overview
from fstce.storage.atomic import write_whole
from fstce.svg import escaped

EXAMPLE = ("natural", "language", "is", "a", "delicate", "thing")
_ROOM = "fstce.inspection"
_SCRIPTS = ("sums.js", "files.js", "viewer.js", "weights.js")
_STAGES = {
    "sentence": "the sentence as an acceptor",
    "transducer": "what a speaker could have done to it",
    "composed": "the sentence ∘ the transducer",
    "projected": "the output side alone: the neighbors, each as often as it has paths",
    "determinized": "ε removed, at most one arc a word and state",
    "minimized": "the lattice: the fewest states that hold the same sentences",
}


@dataclass(frozen=True, eq=False)
class Inspection(metaclass=Overview):
    """A page about a machine, a neighborhood or a model.

    Attributes
    ----------
    title, summary : str
    views : tuple of MachineView
        The machines, in the order of the page.
    tagger : Adjustable, optional
        A model's weights, which a reader can change.

    Examples
    --------
    That of the method goes on with this one.

    >>> from fstce import inspect
    >>> seen = inspect("trans1")
    >>> seen.title
    'trans1: natural language is a delicate thing'
    >>> [view.title for view in seen.views][:2]
    ['sentence', 'transducer']
    """

    title: str
    summary: str
    views: tuple[MachineView, ...]
    tagger: Adjustable | None = None

    def to_html(self) -> str:
        """The page: one file that loads nothing; the same inspection gives the same text."""
        from fstce.reporting.render import asset, render_page  # loads the templates

        records = list(map(record, self.views))
        model = self.tagger and self.tagger.data
        return render_page(
            "inspector.html",
            package=_ROOM,
            style=asset("page.css") + asset("inspector.css", _ROOM),
            script="".join(asset(name, _ROOM) for name in _SCRIPTS),
            title=self.title,
            summary=self.summary,
            machines=records,
            tagger=self.tagger,
            data={"machines": [of_view["data"] for of_view in records], "model": model},
        )

    def write(self, path: Path | str) -> Path:
        """Write the page into a file, whole or not at all.

        Parameters
        ----------
        path : path
            The file.

        Returns
        -------
        Path
            Of the file.

        Raises
        ------
        ParameterError
            The file cannot be written.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     seen.write(pathlib.Path(folder) / "page.html").name
        'page.html'
        """
        return write_whole(path, self.to_html(), ParameterError)

    def _repr_html_(self) -> str:
        return f'<iframe width="100%" height="700" srcdoc="{escaped(self.to_html())}"></iframe>'


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
    if isinstance(target, Estimator):
        return _of_model(target, sentence, neighborhood)
    if neighborhood is not None:
        raise ParameterError("a neighborhood besides the target is that of a model; leave it out")
    if isinstance(target, str | Path) and is_file(target):
        return _of_file(target, sentence, reading)
    if isinstance(target, Lattice):
        return _of_machine(target.to_fst(), target.name, sentence or ())
    if isinstance(target, str | Path | Neighborhood):
        return _of_neighborhood(target, sentence)
    if isinstance(target, pywrapfst.Fst) or hasattr(target, "to_fomastring"):
        return _of_machine(verified(target, "machine"), "machine", sentence or ())
    raise ParameterError(
        f"{type(target).__name__} is nothing to inspect; give a machine, a lattice, "
        "a neighborhood, a tagger or parser, or a file"
    )


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

    try:
        return _of_neighborhood(path, sentence)
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


def _of_neighborhood(
    target: str | Path | Neighborhood, sentence: tuple[str, ...] | None
) -> Inspection:
    """The stages of a neighborhood from a sentence to its lattice."""
    expand = target
    if not isinstance(expand, Neighborhood):
        expand = neighborhood(str(target))
    words = EXAMPLE if sentence is None else sentence
    lattice = expand(words)

    summary = f"The neighborhood of “{' '.join(words)}” has {lattice.count():,} sentences."
    views = []
    if expand.for_text().has_transducer:
        for name, fst in expand.stages(words).items():
            view = MachineView(name, fst, _STAGES[name], words, small=True)
            if name == "transducer":
                view = replace(view, sentence=())
            views.append(view)
    else:
        summary += " It has no transducer of its own, so there are no stages."
        views.append(MachineView("lattice", lattice.to_fst(), "all its sentences", words))
    return Inspection(f"{expand.name}: {' '.join(words)}", summary, tuple(views))


def _of_model(
    model: Estimator, sentence: tuple[str, ...] | None, contrast: str | Neighborhood | None
) -> Inspection:
    """The machines of a model, or the lattice of a sentence with its posteriors."""
    seen = explained(model)
    name = type(model).__name__
    if sentence is None:
        views = tuple(MachineView(title, fst, about) for title, fst, about in seen.machines())
        return Inspection(name, "; ".join(f"{view.title} {view.about}" for view in views), views)

    asked = over(seen, sentence, contrast)
    posteriors = asked.arc_posteriors().tolist()
    about = "the neighborhood: the thicker an arc, the more probable its words to the model"
    view = MachineView("lattice", asked.lattice.to_fst(), about, sentence, posteriors)

    share = math.exp(within(asked, [sentence])[0].log_z - asked.whole().log_z)
    summary = f"The sentence has {100 * share:.3g} % of its neighborhood's probability."

    weights = None
    if hasattr(seen, "adjustable"):
        weights = seen.adjustable(asked, sentence)
    if weights is None:
        summary += " Weights can be changed here for small taggers alone."
    return Inspection(f"{name}: {' '.join(sentence)}", summary, (view,), weights)
