"""Models in folders: what kind each is, and what it says of itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fstce.console.output import facts, table
from fstce.console.reading import reading
from fstce.errors import ModelFileError, ParameterError
from fstce.kinds import imported, kinds, model_of

if TYPE_CHECKING:
    from fstce.estimation.estimator import Estimator
    from fstce.estimation.maximize import Training

TOP = 10  # features that are listed
Facts = list[tuple[str, str]]
Name = tuple[str, ...]


def kind_of(folder: Path) -> str:
    """The kind of model that a folder holds."""
    from fstce.storage.manifest import model_folder, parsed

    return str(parsed(model_folder(folder)).get("kind"))


def load(folder: Path, *groups: str, **parameters: Any) -> Any:
    """The model in a folder, of the kinds of these groups, or of any; with parameters that are not None."""
    name = kind_of(folder)
    entry = model_of(name)
    if entry is None:
        raise ModelFileError(f"{folder}: holds a model of kind {name!r}; there are {', '.join(_names())}")
    kind, model = entry
    if groups and kind.group not in groups:
        raise ParameterError(f"{folder} is a {name}: use the verbs of fstce {kind.group}")
    loaded = imported(model.cls).load(folder)
    reading().use(loaded)
    changed = {name: value for name, value in parameters.items() if value is not None}
    return loaded.set_params(**changed) if changed else loaded


def _names() -> Iterable[str]:
    return (name for kind in kinds().values() for name in kind.models)


def explained_groups() -> list[str]:
    """The kinds of which some models can be explained and inspected, by their groups."""
    return [name for name, kind in kinds().items() if any(one.explained for one in kind.models.values())]


def show(folder: Path) -> None:
    """Print the parameters of a model and what its kind says of it."""
    model = load(folder)
    entry = model_of(kind_of(folder))
    if entry is not None and entry[1].facts:
        imported(entry[1].facts)(model)
    else:
        facts([*parameters_of(model), *model.facts().items()])


def parameters_of(model: Estimator) -> Facts:
    """The parameters of a model, as facts."""
    return [(name, str(getattr(value, "name", value))) for name, value in model.get_params().items()]


def course_of(training: Training) -> Facts:
    """How a training went."""
    iterations = training.steps[-1].iteration if training.steps else 0
    return [
        ("objective", f"{training.objective:,.3f} nats with the prior"),
        ("iterations", f"{iterations}, stopped: {training.stopped}"),
    ]


def kinds_of(names: Iterable[Name]) -> str:
    """How many features of each kind there are."""
    return ", ".join(f"{n:,} {kind}" for kind, n in Counter(name[0] for name in names).items())


def members_facts(what: str, members: Iterable[Estimator], decoder: str, tags: Sequence[str]) -> Facts:
    """The members of a product, how it decides, and the tags that they share."""
    rows = [(f"{what} {number}", repr(member)) for number, member in enumerate(members, 1)]
    return [*rows, ("decoder", decoder), ("tags", f"{len(tags)}: {' '.join(tags)}")]


def show_heaviest(weights: Iterable[tuple[Name, float]], likely: bool = False) -> None:
    """Print the features with the largest weights in size, or of log-probabilities the greatest."""
    top = sorted(weights, key=lambda pair: -pair[1] if likely else -abs(pair[1]))[:TOP]
    rows = [(name[0], " ".join(name[1:]), f"{weight:+.3f}") for name, weight in top]
    print()
    table(("feature", "", "weight"), rows, numbers=(2,))
