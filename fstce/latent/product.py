"""Products of latent grammars that were trained from different seeds (Petrov 2010).

EM ends elsewhere from every seed, and grammars of one treebank err in different places.
Multiplied they parse better than the best of them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar

import numpy as np

from fstce.corpora.rows import checked_sentences
from fstce.errors import NotFittedError
from fstce.estimation.rules import ARGUMENTS
from fstce.latent.latent_grammar import LatentGrammar, without_former
from fstce.latent.model.split_grammar import SplitHierarchy
from fstce.latent.parameters import GRAMMAR_PRODUCT
from fstce.latent.parsing.maxrule import Combination, Objective
from fstce.latent.product_training import train_grammars
from fstce.latent.tree_parser import TreeParser, Trees, with_trees
from fstce.numeric.rules import Table, check
from fstce.numeric.types import Floats, Sentences
from fstce.processes.trials import TrialMonitor
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
    KIND = "grammar product"
    SIZES = MappingProxyType({"grammars_": "grammars"})

    grammars: int | Sequence[LatentGrammar] = 8
    combination: Combination = "product"
    objective: Objective = "max-rule-product"
    candidates: int = 50
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
        parts: str | os.PathLike[str] | None = None,
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
        self._record_reading(text)
        self.grammars_ = train_grammars(members, text, self.jobs, monitor=monitor, parts=parts)
        return self

    def log_likelihood(self, sentences: Sentences) -> Floats:
        """log P(words) of each sentence by each member, in nats, shape (n_sentences, n_grammars)."""
        parser = self._parser()
        return np.stack([parser.log_likelihood(words) for words in checked_sentences(sentences)])

    def members(self) -> list[LatentGrammar]:
        """The trained grammars; raises NotFittedError where one is not trained."""
        found = self.grammars_ if hasattr(self, "grammars_") else self._configured()
        if not all(hasattr(grammar, "hierarchy_") for grammar in found):
            raise NotFittedError("this GrammarProduct is not trained yet; call fit or load")
        return found

    def _hierarchies(self) -> list[SplitHierarchy]:
        return [grammar.hierarchy_ for grammar in self.members()]

    def to_state(self) -> State:
        members = [grammar.to_state() for grammar in self.members()]
        parameters = {name: value for name, value in self.get_params().items() if name != "grammars"}
        numbered = list(enumerate(members, 1))
        return State(
            self.KIND,
            {"parameters": parameters, "members": [member.entries for member in members]},
            {f"{n}-{name}": arrays for n, member in numbered for name, arrays in member.arrays.items()},
            {f"{n}-{name}": file for n, member in numbered for name, file in member.files.items()},
            compress=True,
        )

    @classmethod
    def from_state(cls, state: State) -> GrammarProduct:
        # The files of a member are 1-grammar.json, 1-grammars.npz, 2-…; its entries are in the manifest.
        members = [
            LatentGrammar.from_state(state.within(f"{number}-", LatentGrammar.KIND, entries))
            for number, entries in enumerate(state.entry("members", list), 1)
        ]
        product = cls.of_parameters(without_former(state), grammars=members)
        product.grammars_ = members
        return product

    def _configured(self) -> list[LatentGrammar]:
        self._check_parameters()
        if isinstance(self.grammars, int):
            return [LatentGrammar(seed=seed) for seed in range(self.grammars)]
        return list(self.grammars)

    def _combination(self) -> tuple[Combination, int]:
        return self.combination, self.candidates
