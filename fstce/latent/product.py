"""Products of latent grammars that were trained from different seeds (Petrov 2010).

EM ends elsewhere from every seed, and grammars of one treebank err in different places.
Multiplied they parse better than the best of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, ClassVar

from fstce.corpora import Sentence
from fstce.errors import NotFittedError, ParameterError
from fstce.latent.latent_grammar import LatentGrammar
from fstce.latent.parameters import GRAMMAR_PRODUCT
from fstce.latent.parsing.maxrule import Combination
from fstce.latent.training.trainer import check_trees
from fstce.latent.training.treebank import TreebankArrays, read_treebank
from fstce.latent.tree_parser import TreeParser, Trees, with_trees
from fstce.numeric.types import PathName, Sentences
from fstce.parameters.rules import Table, check
from fstce.parameters.tables import ARGUMENTS
from fstce.processes.trials import Group, TrialMonitor, run_trials
from fstce.storage.folder import aside
from fstce.storage.state import State


@dataclass(eq=False, repr=False)
class GrammarProduct(TreeParser):
    """Several latent grammars that parse as one.

    Attributes
    ----------
    grammars_ : list of LatentGrammar
        The trained members.
    report_ : ParseReport
        How the sentences of the last call fared.

    Examples
    --------
    >>> from fstce import GrammarProduct, LatentGrammar
    >>> from fstce.corpora import sample
    >>> product = GrammarProduct([LatentGrammar(cycles=0)], jobs=1).fit(sample()[:8])
    >>> product.predict([["the", "lamp"]])[0].leaves()
    ('the', 'lamp')
    """

    rules: ClassVar[Table] = GRAMMAR_PRODUCT
    KIND: ClassVar[str] = "grammar product"
    SIZES: ClassVar[Mapping[str, str]] = MappingProxyType({"grammars_": "grammars"})

    grammars: int | Sequence[LatentGrammar] = 8
    combination: Combination = "product"
    coarse_threshold: float = 1e-3
    edge_threshold: float = 1e-4
    max_length: int = 200
    jobs: int = -1

    grammars_: list[LatentGrammar] = field(init=False)

    def fit(
        self,
        sentences: Sentences | Trees,
        trees: Trees | None = None,
        *,
        monitor: TrialMonitor | None = None,
        parts: PathName | None = None,
    ) -> GrammarProduct:
        """Train the members, each in a process of its own; the given ones stay as they are.

        Parameters
        ----------
        sentences, trees
            As of :meth:`LatentGrammar.fit`.
        monitor : callable, optional
            Called with the number of grammars trained, that of all to train, and a record of the
            last one; first with 0 and None.
        parts : path, optional
            A folder, made if missing, where each member is saved after every cycle. What is
            there of them already is gone on with, so that no interruption loses more than a
            cycle of each; the members are those of a training that went on at once, to the bit.

        Returns
        -------
        This estimator, trained.

        Raises
        ------
        CorpusError
            A tree is missing or cannot be used; names file and line.
        ParameterError
            A parameter is out of range, a process died, or what is in `parts` was begun with
            other trees or parameters.
        ModelFileError
            A part cannot be saved or read.

        Examples
        --------
        >>> from fstce import GrammarProduct, LatentGrammar
        >>> from fstce.corpora import sample
        >>> product = GrammarProduct([LatentGrammar(cycles=0)], jobs=1).fit(sample()[:8])
        >>> len(product.grammars_)
        1
        """
        check(ARGUMENTS, monitor=monitor, parts=parts)
        members = self._configured()
        text = with_trees(sentences, trees)
        self._record_tokenization(text)
        self.grammars_ = train_grammars(members, text, self.jobs, monitor=monitor, parts=parts)
        return self

    def members(self) -> list[LatentGrammar]:
        """The trained grammars; raises NotFittedError where one is not trained."""
        grammars = self.grammars_ if hasattr(self, "grammars_") else self._configured()
        if not all(hasattr(grammar, "hierarchy_") for grammar in grammars):
            raise NotFittedError("this GrammarProduct is not trained yet; call fit or load")
        return grammars

    def to_state(self) -> State:
        members = enumerate(self.members(), 1)
        parts = {str(number): grammar.to_state() for number, grammar in members}
        parameters = self.get_params()
        del parameters["grammars"]
        return State(self.KIND, {"parameters": parameters, "members": len(parts)}, parts=parts)

    @classmethod
    def from_state(cls, state: State) -> GrammarProduct:
        numbers = range(1, state.entry("members", int) + 1)
        parts = [state.part(str(number), LatentGrammar.KIND) for number in numbers]
        members = list(map(LatentGrammar.from_state, parts))
        product = cls.of_parameters(state.entries, grammars=members)
        product.grammars_ = members
        return product

    def _configured(self) -> list[LatentGrammar]:
        self._check_parameters()
        if isinstance(self.grammars, int):
            return [LatentGrammar(seed=seed) for seed in range(self.grammars)]
        return list(self.grammars)


def train_grammars(
    grammars: Sequence[LatentGrammar],
    sentences: Sequence[Sentence],
    jobs: int = -1,
    *,
    monitor: TrialMonitor | None = None,
    parts: PathName | None = None,
) -> list[LatentGrammar]:
    """Train a grammar for each of those given, several processes at a time.

    ``grammars``: their parameters are taken; they themselves stay as they are. ``jobs``: processes;
    −1 for one a core. ``monitor``: called after every grammar that is trained. ``parts``: where
    they are kept; what is there already is not trained anew.
    """
    # Says what is wrong with a tree before any process starts.
    treebank = read_treebank(sentences)

    with _folder(parts) as folder:
        places = [folder / str(number) for number in range(1, len(grammars) + 1)]
        groups = []
        for at, (grammar, place) in enumerate(zip(grammars, places, strict=True)):
            if not _is_complete(grammar, place, treebank):
                groups.append(Group({"grammar": at, "seed": grammar.seed}, [{}]))

        prepare = partial(_prepare, grammars, sentences, places)
        for record in run_trials(groups, prepare, jobs=jobs, monitor=monitor):
            if "error" in record:
                settings = record["settings"]
                grammar_name = f"grammar {settings['grammar'] + 1} (seed {settings['seed']})"
                raise ParameterError(f"{grammar_name}: {record['error']}")
        return [LatentGrammar.load(place) for place in places]


def _is_complete(grammar: LatentGrammar, place: Path, treebank: TreebankArrays) -> bool:
    """Whether a grammar of the parameters of this one is in a folder, with no cycle missing.

    Raises ParameterError where what is there cannot be gone on with.
    """
    if not _is_begun(place):
        return False
    begun = LatentGrammar.load(place).set_params(**grammar.get_params())
    try:
        begun.check_resumable()
        check_trees(treebank, begun.hierarchy_)
    except ParameterError as error:
        raise ParameterError(f"{place}: {error}") from None
    return begun.trained_cycles == grammar.cycles


def _prepare(
    grammars: Sequence[LatentGrammar],
    sentences: Sequence[Sentence],
    places: Sequence[Path],
    shared: Mapping[str, Any],
) -> Callable[[Any], dict[str, Any]]:
    """The training of the grammar of a trial."""
    at = shared["grammar"]
    return lambda _: train_into(grammars[at], sentences, places[at])


def train_into(
    grammar: LatentGrammar, sentences: Sequence[Sentence], folder: Path
) -> dict[str, Any]:
    """Train a grammar with the parameters of this one in a folder; what it became, in short."""
    if _is_begun(folder):
        trained = LatentGrammar.load(folder).set_params(**grammar.get_params())
        trained.resume(sentences, checkpoint=folder)
    else:
        trained = LatentGrammar(**grammar.get_params()).fit(sentences, checkpoint=folder)
    return {"outcome": ", ".join(trained._outcome().values())}


def _is_begun(folder: Path) -> bool:
    """Whether there is a grammar, maybe under another name since a save was cut short."""
    return folder.is_dir() or aside(folder.resolve()).is_dir()


@contextmanager
def _folder(parts: PathName | None) -> Iterator[Path]:
    """The folder for the parts, or one that is gone at the end."""
    if parts is not None:
        Path(parts).mkdir(exist_ok=True)
        yield Path(parts)
        return
    with TemporaryDirectory(prefix="fstce-grammars-") as scratch:
        yield Path(scratch)
