"""The kinds of model, each a folder; none is imported before it is asked for.

``fstce/tagging/kind.py`` says what the rest of the house has to know of taggers: one value, a
:class:`Kind`. To add a kind is to add a folder and a line of :data:`OWN`, to remove one is to
remove both. A package of somebody else adds one by an entry point of group ``fstce.kinds`` that
names such a value.

>>> kinds()["tagger"].models["tagger"].cls
'fstce.tagging.tagger.Tagger'
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fstce.errors import MissingToolError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

OWN = (  # a line each, which goes with its folder
    "tagging",
    "parsing",
    "latent",
    "induction",
    "speller",
    "correction",
)
ENTRY_POINTS = "fstce.kinds"
MAPPED = ("fstce.transducers", "fstce.grammars")  # packages that lie elsewhere until installed


class Model(NamedTuple):
    """The model in a folder of a kind: dotted names, imported when they are used.

    ``cls``: the class, with ``load``. ``facts``: from a trained model to the tables that
    ``fstce info`` prints after its parameters and its ``facts()``.
    ``explained``: from a trained model to a :class:`fstce.explanation.protocol.Explained`.
    """

    cls: str
    facts: str = ""
    explained: str = ""

    @property
    def name(self) -> str:
        """The name of the class."""
        return self.cls.rpartition(".")[2]


class Entry(NamedTuple):
    """A verb: its function's dotted name, what it does about what it cannot read, a summary."""

    function: str
    faulty: str
    summary: str = ""


@dataclass(frozen=True)
class Kind:
    """A kind of model; without models, a group of verbs alone.

    ``group``: of its verbs, and what it is called by others. ``verbs``: from each to what it does
    about what it cannot read, ``raise`` or ``pass``; empty for a verb that reads no text. ``home``:
    the package whose modules have them: ``train`` its own, ``ask.suggest`` that of another.
    ``models``: by what their folders say that they are. ``single``: verbs of no group by name.
    """

    group: str
    summary: str
    home: str
    verbs: Mapping[str, str]
    models: Mapping[str, Model] = field(default_factory=dict)
    single: Mapping[str, Entry] = field(default_factory=dict)


@cache
def kinds() -> Mapping[str, Kind]:
    """The kinds by their groups: those of fstce, then those that others have installed."""
    values = [import_module(f"fstce.{name}.kind").KIND for name in OWN]
    for entry in _entries_of_others():
        try:
            values.append(entry.load())
        except Exception as error:  # of somebody else's package, which fstce does without
            warnings.warn(f"the kind of model {entry.name} ({entry.value}): {error}", stacklevel=2)
    return {kind.group: kind for kind in values}


def _entries_of_others() -> Iterable[EntryPoint]:
    """The entry points that name kinds, in packages that are installed in folders."""
    folders = [Path(folder) for folder in sys.path]
    files = (file for folder in folders for file in folder.glob("*-info/entry_points.txt"))
    if not any(_names_kinds(file) for file in files):
        return ()

    from importlib.metadata import entry_points  # takes a third of what `fstce --help` does

    return entry_points(group=ENTRY_POINTS)


def _names_kinds(file: Path) -> bool:
    try:
        return ENTRY_POINTS.encode() in file.read_bytes()
    except OSError:
        return False


def public_names() -> dict[str, str]:
    """The classes of models that ``fstce`` has as names, with their modules, from ``fstce`` on."""
    models = [
        model for name in OWN for model in import_module(f"fstce.{name}.kind").KIND.models.values()
    ]
    return {model.name: model.cls.rpartition(".")[0].removeprefix("fstce.") for model in models}


def imported(dotted: str) -> Any:
    """The object of a dotted name; raises MissingToolError where its kind is not here."""
    module, _, name = dotted.rpartition(".")
    try:
        return getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        if not str(error.name).startswith("fstce."):
            raise
        raise MissingToolError(_absent(dotted, str(error.name))) from None


def _absent(dotted: str, module: str) -> str:
    """The message where a name needs a module that is not here."""
    if module.startswith(MAPPED):
        return (
            f"{dotted} needs {module}, a folder of its own in a clone; install it: pip install -e ."
        )
    return f"{dotted} needs {module}, which this fstce is without"


def on_first_use(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package whose names are imported when they are used.

    ``homes``: from each name to its module, from the package on.
    """

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return imported(f"{package}.{homes[name]}.{name}")

    return get
