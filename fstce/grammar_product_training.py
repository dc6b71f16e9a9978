"""Training the members of a product, several processes at a time, each kept after every cycle.

Members lie in a folder, ``1``, ``2``, … one beside the other, each a model of its own. Those
that are there when a training begins are gone on with.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fstce.corpora import Sentence
from fstce.errors import ParameterError
from fstce.estimation.trials import Group, TrialMonitor, run_trials
from fstce.latent.training import check_trees
from fstce.latent.treebank import read_treebank
from fstce.latent_grammar import LatentGrammar
from fstce.manifest import aside


def train_grammars(
    grammars: Sequence[LatentGrammar],
    sentences: Sequence[Sentence],
    jobs: int = -1,
    *,
    monitor: TrialMonitor | None = None,
    parts: str | os.PathLike[str] | None = None,
) -> list[LatentGrammar]:
    """Train a grammar for each of those given, several processes at a time.

    Parameters
    ----------
    grammars : sequence of LatentGrammar
        Their parameters are taken; they themselves stay as they are.
    sentences : sequence of Sentence
        With trees.
    jobs : int
        Processes; −1 for one a core.
    monitor : callable, optional
        Told of every grammar that is trained.
    parts : path, optional
        Where they are kept; what is there already is not trained anew.

    Raises
    ------
    CorpusError, ParameterError, ModelFileError
        As of :meth:`fstce.GrammarProduct.fit`.
    """
    # Says what is wrong with a tree before any process starts.
    read_treebank(sentences)
    with _folder(parts) as folder:
        places = [folder / str(number) for number in range(1, len(grammars) + 1)]
        rest = [
            at
            for at, (grammar, place) in enumerate(zip(grammars, places, strict=True))
            if not (_is_begun(place) and _is_complete(grammar, sentences, place, at + 1))
        ]

        def prepare(shared: dict[str, Any]) -> Any:
            at = shared["grammar"]
            return lambda _: train_into(grammars[at], sentences, places[at])

        groups = [Group({"grammar": at, "seed": grammars[at].seed}, [{}]) for at in rest]
        for record in run_trials(groups, prepare, jobs=jobs, monitor=monitor):
            if "error" in record:
                settings = record["settings"]
                raise ParameterError(
                    f"grammar {settings['grammar'] + 1} (seed {settings['seed']}): {record['error']}"
                )
        return [LatentGrammar.load(place) for place in places]


def train_into(grammar: LatentGrammar, sentences: Sequence[Sentence], folder: Path) -> dict[str, Any]:
    """Train a grammar with the parameters of this one in a folder, and say in short what it became."""
    if _is_begun(folder):
        trained = _kept(grammar, folder).resume(sentences, checkpoint=folder)
    else:
        trained = LatentGrammar(**grammar.get_params()).fit(sentences, checkpoint=folder)
    last = trained.course_[-1] if trained.course_ else None
    return {
        "subcategories": trained.hierarchy_.finest.n_subcategories,
        "log_likelihood": last.log_likelihood if last else None,
        "warnings": sum(bool(step.warning) for step in trained.course_),
    }


def _is_begun(folder: Path) -> bool:
    """Whether there is a grammar, maybe aside since a save was cut short."""
    return folder.is_dir() or aside(folder.resolve()).is_dir()


def _kept(grammar: LatentGrammar, folder: Path) -> LatentGrammar:
    """What is in the folder, with all parameters of this grammar."""
    return LatentGrammar.load(folder).set_params(**grammar.get_params())


def _is_complete(grammar: LatentGrammar, sentences: Sequence[Sentence], place: Path, number: int) -> bool:
    """Whether no cycle is missing in the folder; raises ParameterError where it cannot be gone on with."""
    kept = _kept(grammar, place)
    try:
        kept.check_resumable()
        check_trees(read_treebank(sentences, kept.binarization), kept.hierarchy_)
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
