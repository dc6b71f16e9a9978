"""Training the members of a product, several processes at a time, each kept after every cycle.

Members lie in a folder, ``1``, ``2``, … each a model of its own. Those
that are there when a training begins are gone on with.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fstce.corpora import Sentence
from fstce.errors import ParameterError
from fstce.latent.latent_grammar import LatentGrammar
from fstce.latent.training.trainer import check_trees
from fstce.latent.training.treebank import TreebankArrays, read_treebank
from fstce.processes.trials import Group, TrialMonitor, run_trials
from fstce.storage.folder import aside


def train_grammars(
    grammars: Sequence[LatentGrammar],
    sentences: Sequence[Sentence],
    jobs: int = -1,
    *,
    monitor: TrialMonitor | None = None,
    parts: str | os.PathLike[str] | None = None,
) -> list[LatentGrammar]:
    """Train a grammar for each of those given, several processes at a time.

    ``grammars``: their parameters are taken; they themselves stay as they are. ``jobs``: processes; −1 for
    one a core. ``monitor``: called after every grammar that is trained. ``parts``: where they are kept; what
    is there already is not trained anew.
    """
    # Says what is wrong with a tree before any process starts.
    treebank = read_treebank(sentences)
    with _folder(parts) as folder:
        places = [folder / str(number) for number in range(1, len(grammars) + 1)]
        untrained = [
            at
            for at, (grammar, place) in enumerate(zip(grammars, places, strict=True))
            if not (_is_begun(place) and _is_complete(_kept(grammar, place), treebank, place, at + 1))
        ]
        prepare = partial(_prepare, grammars, sentences, places)
        groups = [Group({"grammar": at, "seed": grammars[at].seed}, [{}]) for at in untrained]
        for record in run_trials(groups, prepare, jobs=jobs, monitor=monitor):
            if "error" in record:
                settings = record["settings"]
                raise ParameterError(
                    f"grammar {settings['grammar'] + 1} (seed {settings['seed']}): {record['error']}"
                )
        return [LatentGrammar.load(place) for place in places]


def _prepare(
    grammars: Sequence[LatentGrammar],
    sentences: Sequence[Sentence],
    places: Sequence[Path],
    shared: Mapping[str, Any],
) -> Callable[[Any], dict[str, Any]]:
    at = shared["grammar"]
    return lambda _: train_into(grammars[at], sentences, places[at])


def train_into(grammar: LatentGrammar, sentences: Sequence[Sentence], folder: Path) -> dict[str, Any]:
    """Train a grammar with the parameters of this one in a folder, and say in short what it became."""
    if _is_begun(folder):
        trained = _kept(grammar, folder).resume(sentences, checkpoint=folder)
    else:
        trained = LatentGrammar(**grammar.get_params()).fit(sentences, checkpoint=folder)
    last = trained.history_[-1] if trained.history_ else None
    return {
        "subcategories": trained.hierarchy_.finest.n_subcategories,
        "log_likelihood": last.log_likelihood if last else None,
        "warnings": sum(bool(step.warning) for step in trained.history_),
    }


def check_grammars(
    grammars: Iterable[LatentGrammar],
    kept: Iterable[LatentGrammar],
    sentences: Sequence[Sentence],
    place: str | os.PathLike[str],
) -> None:
    """Make sure that training these grammars can go on with those that a product has kept."""
    treebank = read_treebank(sentences)
    for number, (grammar, begun) in enumerate(zip(grammars, kept, strict=False), 1):
        _is_complete(copy(begun).set_params(**grammar.get_params()), treebank, place, number)


def last_begun(folder: Path) -> int:
    """The number of the last grammar that is in a folder of parts; 0 for none."""
    numbers = {number for entry in folder.iterdir() for number in re.findall(r"\d+", entry.name)}
    return max((int(number) for number in numbers if _is_begun(folder / number)), default=0)


def _is_begun(folder: Path) -> bool:
    """Whether there is a grammar, maybe under another name since a save was cut short."""
    return folder.is_dir() or aside(folder.resolve()).is_dir()


def _kept(grammar: LatentGrammar, folder: Path) -> LatentGrammar:
    """What is in the folder, with all parameters of this grammar."""
    return LatentGrammar.load(folder).set_params(**grammar.get_params())


def _is_complete(
    kept: LatentGrammar,
    treebank: TreebankArrays,
    place: str | os.PathLike[str],
    number: int,
) -> bool:
    """Whether no cycle of a grammar is missing; raises ParameterError where it cannot be gone on with."""
    try:
        kept.check_resumable()
        check_trees(treebank, kept.hierarchy_)
    except ParameterError as error:
        raise ParameterError(f"grammar {number} in {place}: {error}") from None
    return kept.trained_cycles == kept.cycles


@contextmanager
def _folder(parts: str | os.PathLike[str] | None) -> Iterator[Path]:
    """The folder for the parts, or one that is gone at the end."""
    if parts is not None:
        Path(parts).mkdir(exist_ok=True)
        yield Path(parts)
        return
    with TemporaryDirectory(prefix="fstce-grammars-") as scratch:
        yield Path(scratch)
