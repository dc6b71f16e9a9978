"""Products of latent grammars that were trained from different seeds (Petrov 2010).

EM ends elsewhere from every seed, and grammars of one treebank err in different places.
Multiplied they parse better than the best of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from fstce.corpora import Sentence
from fstce.errors import NotFittedError, ParameterError
from fstce.latent.latent_grammar import LatentGrammar
from fstce.latent.parameters import GRAMMAR_PRODUCT
from fstce.latent.parsing.maxrule import Combination
from fstce.latent.training.trainer import check_trees
from fstce.latent.training.treebank import read_treebank
from fstce.latent.tree_parser import TreeParser, Trees, with_trees
from fstce.numeric.types import PathName, Sentences
from fstce.parameters.rules import Table
from fstce.parameters.tables import check_arguments
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
    SIZES: ClassVar[Mapping[str, str]] = {"grammars_": "grammars"}

    grammars: int | Sequence[LatentGrammar] = 8
    combination: Combination = "product"
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
        check_arguments(monitor=monitor, parts=parts)
        members = self._configured()
        text = with_trees(sentences, trees)
        self._record_tokenization(text)
        treebank = read_treebank(text)  # says what is wrong with a tree before any process starts

        with TemporaryDirectory(prefix="fstce-grammars-") as scratch:
            folder = Path(parts or scratch)
            folder.mkdir(exist_ok=True)
            groups = []
            for number, member in enumerate(members, 1):
                groups.append(Group({"grammar": number, "seed": member.seed}, [{}]))
                begun = _begun(member, folder / str(number))
                if begun is not None:
                    begun.check_resumable()
                    check_trees(treebank, begun.hierarchy_)

            prepare = partial(_prepare, members, text, folder)
            for record in run_trials(groups, prepare, jobs=self.jobs, monitor=monitor):
                if "error" in record:
                    name = "grammar {grammar} (seed {seed})".format(**record["settings"])
                    raise ParameterError(f"{name}: {record['error']}")
            places = (folder / str(group.shared["grammar"]) for group in groups)
            self.grammars_ = list(map(LatentGrammar.load, places))
        return self

    def members(self) -> list[LatentGrammar]:
        """The trained grammars; raises NotFittedError where one is not trained."""
        grammars = self.grammars_ if hasattr(self, "grammars_") else self._configured()
        if not all(hasattr(grammar, "hierarchy_") for grammar in grammars):
            raise NotFittedError("this GrammarProduct is not trained yet; call fit or load")
        return grammars

    def to_state(self) -> State:
        parameters = self.get_params()
        del parameters["grammars"]
        members = (grammar.to_state() for grammar in self.members())
        return State.of_members(self.KIND, parameters, members)

    @classmethod
    def from_state(cls, state: State) -> GrammarProduct:
        members = list(map(LatentGrammar.from_state, state.members(LatentGrammar.KIND)))
        product = cls.of_parameters(state.entries, grammars=members)
        product.grammars_ = members
        return product

    def _configured(self) -> list[LatentGrammar]:
        self._check_parameters()
        if isinstance(self.grammars, int):
            return [LatentGrammar(seed=seed) for seed in range(self.grammars)]
        return list(self.grammars)


def _prepare(
    grammars: Sequence[LatentGrammar],
    sentences: Sequence[Sentence],
    folder: Path,
    shared: Mapping[str, Any],
) -> Callable[[Any], dict[str, Any]]:
    """The training of the grammar of a trial."""
    number = shared["grammar"]
    return lambda _: train_into(grammars[number - 1], sentences, folder / str(number))


def train_into(
    grammar: LatentGrammar, sentences: Sequence[Sentence], folder: Path
) -> dict[str, Any]:
    """Train a grammar with the parameters of this one in a folder, or go on with what is there.

    Returns what it became, in short.
    """
    trained = _begun(grammar, folder)
    if trained is not None:
        trained.resume(sentences, checkpoint=folder)
    else:
        trained = LatentGrammar(**grammar.get_params()).fit(sentences, checkpoint=folder)
    return {"outcome": ", ".join(trained._outcome().values())}


def _begun(grammar: LatentGrammar, folder: Path) -> LatentGrammar | None:
    """The grammar that is in a folder, with all parameters of this one."""
    # It may have another name since a save was cut short.
    if folder.is_dir() or aside(folder.resolve()).is_dir():
        return LatentGrammar.load(folder).set_params(**grammar.get_params())
    return None
