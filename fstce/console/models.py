"""Models in folders: what kind each is and what it says of itself; trained and saved, and nothing lost."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fstce.console.options import Memory, ModelOutput, Quiet, Resume, ScratchFolder
from fstce.console.output import Interruption, count, facts, note, seconds, table
from fstce.console.progress import training_shown
from fstce.console.reading import reading
from fstce.errors import ModelFileError, NothingToLearn, ParameterError
from fstce.kinds import imported, kinds, model_of

if TYPE_CHECKING:
    from fstce.estimation.estimator import Estimator
    from fstce.estimation.maximize import Training
    from fstce.estimation.objective import Likelihood, Objective


TOP = 10  # features that are listed
Facts = list[tuple[str, str]]
Name = tuple[str, ...]


def kind_of(folder: Path) -> str:
    """The kind of model that a folder holds."""
    from fstce.storage.folder import model_folder, parsed

    return str(parsed(model_folder(folder)).get("kind"))


def load(folder: Path, *groups: str, **parameters: Any) -> Any:
    """The model in a folder, of the kinds of these groups, or of any; with parameters that are not None."""
    name = kind_of(folder)
    entry = model_of(name)
    if entry is None:
        names = ", ".join(known for kind in kinds().values() for known in kind.models)
        raise ModelFileError(f"{folder}: holds a model of kind {name!r}; there are {names}")
    kind, model = entry
    if groups and kind.group not in groups:
        raise ParameterError(f"{folder} is a {name}: use the verbs of fstce {kind.group}")
    loaded = imported(model.cls).load(folder)
    reading().use(loaded)
    changed = {name: value for name, value in parameters.items() if value is not None}
    return loaded.set_params(**changed) if changed else loaded


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


@contextmanager
def learning_from(corpus: str) -> Iterator[None]:
    """While it lasts, the error that there is nothing to learn names the corpus."""
    try:
        yield
    except NothingToLearn as nothing:
        raise NothingToLearn(f"{corpus}: {nothing}") from None


@dataclass(frozen=True)
class Saving:
    """Where a trained model goes, and what is said of it: options of a verb that trains."""

    output: ModelOutput = None
    quiet: Quiet = False

    def check(self, kind: str) -> None:
        """Whether a model of a kind can be saved, asked before the work."""
        from fstce.storage.folder import check_place

        if self.output is not None:
            check_place(self.output, kind)

    def alone(self) -> AbstractContextManager[None]:
        """While it lasts no other training writes to the folder; it is said if there is none."""
        from fstce.storage.folder import alone

        self.note_unsaved()
        return alone(self.output)

    def note_unsaved(self) -> None:
        """Say, before it is trained, that a model will not be saved where no folder is given."""
        if self.output is None:
            self.note("no --output: the model will not be saved")

    def note(self, message: str) -> None:
        """Say something besides the output, unless it is quiet."""
        if not self.quiet:
            note(message)

    def facts(self, rows: Iterable[tuple[str, str]]) -> None:
        """Print facts, unless it is quiet."""
        if not self.quiet:
            facts(rows)

    @property
    def place(self) -> tuple[str, str]:
        """Where the model is, as a fact."""
        return "saved in", str(self.output or "nowhere; give --output FOLDER")

    def save(self, model: Any, rows: Iterable[tuple[str, str]] = ()) -> None:
        """Save a model, and print what is said of it and where it is."""
        if self.output is not None:
            model.save(self.output)
        self.facts([*rows, self.place])

    def rescue(self, model: Any, done: str, saved: str = ", saved in", hint: str = "") -> Interruption:
        """Save what there is of a model on Ctrl-C; the exception that says so."""
        if self.output is None:
            return Interruption(f"interrupted after {done}; nothing is saved, as no --output was given")
        model.save(self.output)
        return Interruption(f"interrupted after {done}{saved} {self.output}{hint}")


@dataclass(frozen=True)
class Resuming(Saving):
    """The same of a training that may go on."""

    resume: Resume = False

    def check(self, kind: str) -> None:
        """The same; raises ParameterError where a model is to be gone on with that is not named."""
        if self.resume and self.output is None:
            raise ParameterError("--resume goes on with the model in --output: name its folder")
        super().check(kind)


@dataclass(frozen=True)
class Room:
    """Options that bound the memory of a training."""

    memory: Memory = None
    scratch: ScratchFolder = None


def maximize(
    model: Any,
    build: Callable[[], Objective | Likelihood],
    made: Callable[[Objective | Likelihood], Facts],
    saving: Saving,
    part: bool = False,
) -> None:
    """Build the objective of a model, train on it, save, and report sizes, times and iterations.

    The first of what was made says what was built: automata, charts. A `part` of another model is
    saved by it.
    """
    began = time.perf_counter()
    try:
        objective = build()
        built = time.perf_counter() - began
        with training_shown(model.max_iterations, saving.quiet) as monitor:
            model.train(objective, monitor=monitor)
    except KeyboardInterrupt:
        if not hasattr(model, "theta_"):
            raise Interruption("interrupted before training began; nothing is saved") from None
        done = count(model.training_.steps[-1].iteration if model.training_.steps else 0, "iteration")
        raise saving.rescue(model, done, "; the best weights so far are saved in") from None
    sizes = made(objective)
    spent = (
        f"{seconds(built)} to build the {sizes[0][0]}, {seconds(model.training_.steps[-1].seconds)} to train"
    )
    report = [*sizes, ("time", spent), *course_of(model.training_)]
    if part:
        saving.facts(report)
    else:
        saving.save(model, report)
