"""A neighborhood, stage by stage, and a trained model as pages to look around in."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

from fstce.errors import ParameterError
from fstce.estimation.estimator import Estimator
from fstce.explanation.explain import over, within
from fstce.explanation.protocol import explained
from fstce.inspection.page import Inspection
from fstce.inspection.records import MachineView
from fstce.neighborhoods.base import Neighborhood
from fstce.neighborhoods.registry import neighborhood

EXAMPLE = ("natural", "language", "is", "a", "delicate", "thing")
_STAGES = {
    "sentence": "the sentence as an acceptor",
    "transducer": "what a speaker could have done to it",
    "composed": "the sentence ∘ the transducer",
    "projected": "the output side alone: the neighbors, each as often as it has paths",
    "determinized": "ε removed, at most one arc a word and state",
    "minimized": "the lattice: the fewest states that hold the same sentences",
}


def inspected(
    target: Any, sentence: tuple[str, ...] | None, contrast: str | Neighborhood | None
) -> Inspection:
    """A page of a model, in its own neighborhood or another, or of a neighborhood."""
    if isinstance(target, Estimator):
        return of_model(target, sentence, contrast)
    if contrast is not None:
        raise ParameterError("a neighborhood besides the target is that of a model; leave it out")
    if isinstance(target, str | Path | Neighborhood):
        return of_neighborhood(target, sentence)
    raise ParameterError(
        f"{type(target).__name__} is nothing to inspect; give a machine, a lattice, "
        "a neighborhood, a tagger or parser, or a file"
    )


def of_neighborhood(
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


def of_model(
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
