"""The latent-variable grammar: a treebank grammar whose categories EM splits (Petrov et al. 2006).

A trained one is saved bit for bit.

=================  ====================================================================
``model.json``     the manifest: parameters and the course of the training
``grammar.json``   symbols, unary chains, words and signatures
``grammars.npz``   the probabilities of all cycles: see ``fstce.latent.model.files``
=================  ====================================================================
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import astuple, dataclass, field, replace
from typing import Any, ClassVar

from fstce.corpora import Sentence
from fstce.errors import ModelFileError
from fstce.estimation.estimator import check_begun
from fstce.latent.model.files import from_arrays, to_arrays
from fstce.latent.model.split_grammar import SplitHierarchy
from fstce.latent.parameters import LATENT_GRAMMAR
from fstce.latent.training.estimates import EMMonitor, EMStep, Schedule
from fstce.latent.training.trainer import Trainer
from fstce.latent.training.treebank import read_treebank
from fstce.latent.tree_parser import TreeParser, Trees, with_trees
from fstce.numeric.types import PathName, Sentences
from fstce.parameters.rules import Table, integer
from fstce.parameters.tables import check_arguments
from fstce.storage.folder import check_place
from fstce.storage.state import State, text_file, typed

ARRAYS, DESCRIBED = "grammars.npz", "grammar.json"
# What a training cannot change on its way.
TRAINING = (
    *("seed", "split_iterations", "merge_iterations", "smooth_iterations"),
    *("rule_smoothing", "lexicon_smoothing", "unknown_word_model"),
)


@dataclass(eq=False, repr=False)
class LatentGrammar(TreeParser):
    """A grammar of latent subcategories, trained on trees by split, merge and smooth.

    Attributes
    ----------
    hierarchy_ : SplitHierarchy
        The grammars, coarse to fine: X-bar, then one a cycle.
    history_ : tuple of EMStep
        The iterations of the training.
    report_ : ParseReport
        How the sentences of the last ``predict`` fared.

    Examples
    --------
    >>> from fstce import LatentGrammar
    >>> from fstce.corpora import sample
    >>> grammar = LatentGrammar(cycles=0).fit(sample()[:8])
    >>> grammar.predict([["the", "lamp"]])[0].leaves()
    ('the', 'lamp')
    """

    rules: ClassVar[Table] = LATENT_GRAMMAR
    KIND: ClassVar[str] = "latent grammar"
    SIZES: ClassVar[Mapping[str, str]] = {
        "hierarchy_.finest.sizes": "symbols",
        "hierarchy_.finest.binary": "binary rules",
        "hierarchy_.finest.unary": "unary rules",
    }

    cycles: int = 4
    seed: int = 0
    split_iterations: int = 50
    merge_iterations: int = 20
    smooth_iterations: int = 10
    rule_smoothing: float = 0.01
    lexicon_smoothing: float = 0.1
    unknown_word_model: bool = True
    max_length: int = 200
    jobs: int | None = None

    hierarchy_: SplitHierarchy = field(init=False)
    history_: tuple[EMStep, ...] = field(init=False)
    _begun: dict[str, Any] = field(init=False)

    def fit(
        self,
        sentences: Sentences | Trees,
        trees: Trees | None = None,
        *,
        monitor: EMMonitor | None = None,
        checkpoint: PathName | None = None,
    ) -> LatentGrammar:
        """Learn the grammar from trees.

        Parameters
        ----------
        sentences : iterable of Sentence or of Tree, or of sequences of str
            Sentences with trees, or bare trees; or words, if `trees` are given.
        trees : iterable of Tree, optional
            The tree of each sentence, as scikit-learn wants it.
        monitor : EMMonitor, optional
            Called after every iteration of EM.
        checkpoint : path, optional
            A folder where the grammar is saved after every cycle.

        Returns
        -------
        This estimator, trained.

        Raises
        ------
        CorpusError
            A tree is missing or cannot be used; names file and line.
        ParameterError
            A parameter is out of range.
        ModelFileError
            The checkpoint cannot be saved.
        KeyboardInterrupt
            On Ctrl-C; the cycles that are complete stay in `hierarchy_`, and `resume` goes on.

        Examples
        --------
        >>> from fstce import LatentGrammar
        >>> from fstce.corpora import sample
        >>> grammar = LatentGrammar(cycles=0).fit(sample()[:8])
        >>> grammar.trained_cycles
        0
        """
        return self._learn(with_trees(sentences, trees), None, monitor, checkpoint)

    def resume(
        self,
        sentences: Sentences | Trees,
        trees: Trees | None = None,
        *,
        monitor: EMMonitor | None = None,
        checkpoint: PathName | None = None,
    ) -> LatentGrammar:
        """Go on until there are `cycles` in all, after `load` too; arguments as of :meth:`fit`.

        The grammar is that of a training that went on at once, to the bit. Raises NotFittedError
        where there is nothing to go on with, ParameterError where the trees, or a parameter that
        the grammar was begun with, have changed, or where there are more cycles already.
        """
        self.check_resumable()
        return self._learn(with_trees(sentences, trees), self.hierarchy_, monitor, checkpoint)

    def check_resumable(self) -> None:
        """Raise NotFittedError or ParameterError where `resume` cannot go on, for no trees."""
        self._check_parameters()
        self._check_fitted("hierarchy_")
        check_begun("cycles", self.trained_cycles, self._begun, self.get_params())

    def _learn(
        self,
        sentences: list[Sentence],
        begun: SplitHierarchy | None,
        monitor: EMMonitor | None,
        checkpoint: PathName | None,
    ) -> LatentGrammar:
        self._check_parameters()
        check_arguments(monitor=monitor, checkpoint=checkpoint)
        if checkpoint is not None:
            check_place(checkpoint, self.KIND)

        n_before = 0
        steps: list[EMStep] = []
        if begun is not None:
            n_before = self.trained_cycles
            steps += [step for step in self.history_ if step.cycle <= n_before]

        def note(step: EMStep) -> None:
            steps.append(step)
            if monitor is not None:
                monitor(step)

        self._record_tokenization(sentences)
        treebank = read_treebank(sentences)
        if self.unknown_word_model:
            treebank = replace(treebank, vocabulary=treebank.vocabulary.with_forms())

        trainer = Trainer(treebank, self.schedule(), self.seed, note, self.jobs)
        for hierarchy in trainer.cycles(begun):
            # An interruption before the last line leaves steps too many, which `after` drops.
            self._begun = self._settings()
            self.history_ = tuple(steps)
            self.hierarchy_ = hierarchy
            has_learned = self.trained_cycles > n_before or n_before == self.cycles
            if checkpoint is not None and has_learned:
                self.save(checkpoint)
        return self

    def schedule(self) -> Schedule:
        """The parameters as training takes them."""
        return Schedule(**{name: getattr(self, name) for name in Schedule.__dataclass_fields__})

    def _outcome(self) -> dict[str, str]:
        if not self.history_:
            return {}

        last = self.history_[-1]
        cycles = f"{len(self.history_)} of EM in {last.cycle} cycles"
        return {
            "objective": f"log-likelihood {last.log_likelihood:,.2f} nats",
            "iterations": f"{cycles}, {last.subcategories} subcategories",
        }

    def to_state(self) -> State:
        self._check_fitted("hierarchy_")
        grammar = self.after(self.trained_cycles)
        # The parameters of the training are those that it was begun with, whatever was set since.
        parameters = {**grammar.get_params(), **grammar._begun}
        del parameters["jobs"]  # of a machine, not of the grammar
        arrays, described = to_arrays(grammar.hierarchy_)
        text = json.dumps(described, ensure_ascii=False, indent=0) + "\n"
        entries = {
            "parameters": parameters,
            "course": [astuple(step) for step in grammar.history_],
        }
        return State(
            self.KIND, entries, {ARRAYS: arrays}, {DESCRIBED: text_file(text)}, compress=True
        )

    @classmethod
    def from_state(cls, state: State) -> LatentGrammar:
        grammar = cls.of_parameters(state.entries)
        described = json.loads(state.path(DESCRIBED).read_text(encoding="utf-8"))
        grammar.history_ = tuple(_step(row) for row in state.entry("course", list))
        grammar.hierarchy_ = from_arrays(state.archive(ARRAYS), described)
        grammar._begun = grammar._settings()
        if grammar.trained_cycles != grammar.cycles:
            found = len(grammar.hierarchy_.grammars)
            raise ModelFileError(
                f"{state.place}: {found} grammars for {grammar.cycles} cycles; save the model again"
            )
        return grammar

    def _settings(self) -> dict[str, Any]:
        """The parameters that training depends on, but for the number of cycles."""
        return {name: getattr(self, name) for name in TRAINING}

    @property
    def trained_cycles(self) -> int:
        """How many cycles are complete; fewer than `cycles` after an interruption."""
        return len(self.hierarchy_.grammars) - 1

    def after(self, cycles: int) -> LatentGrammar:
        """The grammar after so many cycles, which is what a training of fewer cycles gives.

        Parameters
        ----------
        cycles : int
            0 for the X-bar grammar.

        Returns
        -------
        LatentGrammar

        Raises
        ------
        ParameterError
            The training had fewer cycles.

        Examples
        --------
        >>> from fstce import LatentGrammar
        >>> from fstce.corpora import sample
        >>> grammar = LatentGrammar(cycles=0).fit(sample()[:8])
        >>> grammar.after(0).cycles
        0
        """
        self._check_fitted("hierarchy_")
        n = self.trained_cycles
        integer(0, n, f"a whole number from 0 to {n}, for it was trained for {n}").check(
            cycles=cycles
        )
        earlier = copy(self).set_params(cycles=cycles)
        earlier.hierarchy_ = SplitHierarchy(self.hierarchy_.grammars[: cycles + 1])
        earlier.history_ = tuple(step for step in self.history_ if step.cycle <= cycles)
        return earlier

    def members(self) -> list[LatentGrammar]:
        """This grammar alone; raises NotFittedError if it is not trained."""
        self._check_fitted("hierarchy_")
        return [self]


def _step(row: Sequence[Any]) -> EMStep:
    """The step of a row of the manifest."""
    step = EMStep(*row)
    typed(step.log_likelihood, "the log-likelihood", int, float)
    for name in ("cycle", "iteration", "subcategories"):
        typed(getattr(step, name), "the course of the training", int)
    return step
