"""Models in folders: what kind each is and what it says of itself.

Trained and saved, and nothing lost.
"""

from __future__ import annotations

import shlex
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fstce.console.options import ModelOutput, Resume
from fstce.console.output import (
    Interruption,
    Sheet,
    count,
    facts,
    is_quiet,
    remark,
    seconds,
    sections,
)
from fstce.console.progress import TrainingShown, training_shown
from fstce.console.reading import reading
from fstce.errors import ModelFileError, NothingToLearn, ParameterError
from fstce.kinds import Kind, Model, imported, kinds
from fstce.parameters.rules import shown

if TYPE_CHECKING:
    from fstce.estimation.estimator import Estimator
    from fstce.estimation.objective import Likelihood, Objective


TOP = 10  # features that are listed
LONGEST = 300  # letters of a command that is shown
Fact = tuple[str, str]
Facts = list[Fact]
Name = tuple[str, ...]


def held(folder: Path) -> tuple[str, Kind, Model]:
    """The name that a folder gives its model, its kind, and what the house knows of it."""
    from fstce.storage.folder import model_folder, parsed

    name = str(parsed(model_folder(folder)).get("kind"))
    for kind in kinds().values():
        if name in kind.models:
            return name, kind, kind.models[name]
    names = ", ".join(name for kind in kinds().values() for name in kind.models)
    raise ModelFileError(f"{folder}: holds a model of kind {name!r}; there are {names}")


def load(folder: Path, group: str = "", *, explained: bool = False, **parameters: Any) -> Any:
    """The model in a folder, of the kind of a group, or of any; with parameters that are not None.

    ``explained``: whether it is to be one that can be explained.
    """
    name, kind, entry = held(folder)
    if group not in ("", kind.group) or (explained and not entry.explained):
        raise ParameterError(f"{folder} is a {name}: use the verbs of fstce {kind.group}")

    model = imported(entry.cls).load(folder)
    reading().use(model)
    changed = {name: value for name, value in parameters.items() if value is not None}
    return model.set_params(**changed) if changed else model


def show(folder: Path) -> None:
    """Print the parameters of a model, its facts, and what else its kind says of it."""
    *_, entry = held(folder)
    model = load(folder)
    sheets = []
    if entry.facts:
        sheets = imported(entry.facts)(model)
    sections(((), _parameters_of(model)), ((), [*model.facts().items()]), *sheets)


def _parameters_of(model: Estimator) -> Facts:
    """The parameters, as facts; the members of a product each by itself."""
    from fstce.estimation.estimator import Estimator

    rows = []
    for name, value in model.get_params().items():
        if isinstance(value, list) and all(isinstance(member, Estimator) for member in value):
            rows += [(f"{name} {number}", repr(member)) for number, member in enumerate(value, 1)]
        else:
            is_mapping = isinstance(value, Mapping)  # maybe of all words of a language
            rows.append((name, shown(value) if is_mapping else str(getattr(value, "name", value))))
    return rows


def features(names: Iterable[Name]) -> Fact:
    """How many features there are of each sort, as a fact."""
    sorts = Counter(name[0] for name in names)
    return "features", ", ".join(f"{n:,} {sort}" for sort, n in sorts.items())


def heaviest(weights: Iterable[tuple[Name, float]], likely: bool = False) -> Sheet:
    """The features of the largest weights, or of the greatest log-probabilities, as a table."""
    top = sorted(weights, key=lambda pair: -pair[1] if likely else -abs(pair[1]))[:TOP]
    return (
        ("feature", "", "weight"),
        [(name[0], " ".join(name[1:]), f"{w:+.3f}") for name, w in top],
        (2,),
    )


@dataclass(frozen=True)
class Saving:
    """Where a trained model goes, and what is said of it: options of a verb that trains."""

    output: ModelOutput = None

    def check(self, kind: str) -> None:
        """Whether a model of a kind can be saved, asked before the work."""
        from fstce.storage.folder import check_place

        if self.output is not None:
            check_place(self.output, kind)

    def alone(self) -> AbstractContextManager[object]:
        """While it lasts no other training writes to the folder; it is said if there is none."""
        from fstce.storage.folder import alone

        self.note_unsaved()
        return nullcontext() if self.output is None else alone(self.output)

    def note_unsaved(self) -> None:
        """Say, before it is trained, that a model will not be saved where no folder is given."""
        if self.output is None:
            remark("no --output: the model will not be saved")

    def facts(self, rows: Iterable[tuple[str, str]]) -> None:
        """Print facts, unless --quiet."""
        if not is_quiet():
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

    @contextmanager
    def rescuing(
        self,
        model: Callable[[], Any],
        done: Callable[[], str],
        *,
        before: str = "the end of the first iteration",
        saved: str = ", saved in",
        hint: str = "",
    ) -> Iterator[None]:
        """While it lasts Ctrl-C saves what there is of a model, and says so.

        ``done``: how much that is; nothing where there is nothing to save, ``before`` what.
        """
        try:
            yield
        except KeyboardInterrupt:
            progress = done()
            if not progress:
                raise Interruption(f"interrupted before {before}; nothing is saved") from None
            if self.output is None:
                nothing = "nothing is saved, as no --output was given"
                raise Interruption(f"interrupted after {progress}; {nothing}") from None
            model().save(self.output)
            raise Interruption(f"interrupted after {progress}{saved} {self.output}{hint}") from None


@dataclass(frozen=True)
class Resuming(Saving):
    """Where a trained model goes, of a training that may go on."""

    resume: Resume = False

    def check(self, kind: str) -> None:
        """Check the place; raises ParameterError where --resume names no model to go on with."""
        if self.resume and self.output is None:
            raise ParameterError("--resume goes on with the model in --output: name its folder")
        super().check(kind)

    @property
    def go_on(self) -> str:
        """How to go on after Ctrl-C: the command, where it is short enough to be read."""
        words = [word for word in sys.argv[1:] if word != "--resume"]
        command = shlex.join(["fstce", *words, "--resume"])
        if len(command) > LONGEST:
            command = "the same command and --resume"
        return f"; go on with: {command}"


@dataclass(frozen=True)
class Recording(Resuming):
    """Where a model goes that is trained by evaluations, which are kept beside it meanwhile."""

    def check(self, kind: str) -> None:
        """Check the place, and whether there is a training to go on with."""
        super().check(kind)
        if self.resume and not _journal(self.output).is_dir():
            raise ParameterError(
                f"--resume: there is no training to {self.output} that was interrupted; leave "
                "--resume out"
            )

    @contextmanager
    def recording(self, objective: Objective | Likelihood) -> Iterator[None]:
        """While it lasts evaluations are kept, and no other training writes to the folder."""
        from fstce.estimation.journal import Journal
        from fstce.storage.folder import alone

        if self.output is None:
            yield
            return

        journal = Journal(_journal(self.output), objective.terms)
        with alone(self.output):
            if not self.resume:
                journal.remove()
            objective.record(journal)
            try:
                yield
            except NothingToLearn:
                journal.remove()
                raise


def _journal(output: Any) -> Path:
    """Where the evaluations of a training are until it ends."""
    folder = Path(output).resolve()
    return folder.with_name(f".{folder.name}.fstce-training")


def maximize(
    model: Any,
    corpus: str,
    build: Callable[[TrainingShown], Objective | Likelihood],
    made: Callable[[Objective | Likelihood], Fact],
    saving: Recording,
    part: bool = False,
) -> None:
    """Build the objective of a model, train on it, save, and report sizes, times and iterations.

    ``made``: what was built, automata or charts, and its size. A `part` of another model is saved
    by it.
    """

    def done() -> str:
        if not hasattr(model, "theta_") or not model.training_.iterations:
            return ""
        return count(model.training_.iterations, "iteration")

    began = time.perf_counter()
    rescuing: AbstractContextManager[None] = nullcontext()
    if not part:
        best = "; the best weights so far are saved in"
        rescuing = saving.rescuing(lambda: model, done, saved=best, hint=saving.go_on)
    try:
        with rescuing, training_shown(model.max_iterations) as monitor:
            objective = build(monitor)
            built = time.perf_counter() - began
            with nullcontext() if part else saving.recording(objective):
                model.train(objective, monitor=monitor)
    except NothingToLearn as nothing:
        raise NothingToLearn(f"{corpus}: {nothing}") from None

    name, size = made(objective)
    trained = seconds(model.training_.steps[-1].seconds)
    spent = f"{seconds(built)} to build the {name}, {trained} to train"
    report = [(name, size), ("time", spent), *model.facts().items()]
    if part:
        saving.facts(report)
    else:
        saving.save(model, report)
