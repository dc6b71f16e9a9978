"""Split–merge–smooth training of latent-variable grammars (Petrov et al. 2006; Petrov 2010).

A cycle splits every subcategory but the root's in two, runs EM, merges the half of the
splits that matter least, runs EM, smooths, and runs EM with smoothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fstce.errors import ParameterError
from fstce.latent.model.files import to_arrays
from fstce.latent.model.lexicon import emissions
from fstce.latent.model.rule_layout import smoothed
from fstce.latent.model.split_grammar import SplitHierarchy
from fstce.latent.training.estimates import (
    MERGED,
    EMMonitor,
    EMStep,
    Estimates,
    Schedule,
    Stage,
    least,
    merge,
    merge_losses,
    split,
)
from fstce.latent.training.tree_insideoutside import Forest, TreeInsideOutside, compile_forest
from fstce.latent.training.treebank import TreebankArrays, in_parts, treebank_grammar

# Scores of nodes whose subtrees are not shared, charted at a time: all of them would fill more than
# all else.
_SCORES = 2_000_000


@dataclass(eq=False)
class Trainer:
    """One training, from the unsplit grammar through all cycles.

    Within a stage after a split or a merge the log-likelihood of the trees never falls,
    since the M-step then is exact, the tied lexicon's too; but for rounding, and for
    probabilities below 1e-30, which become 0. It may fall where smoothing is on, as
    smoothing follows each M-step, and from one stage to the next.

    ``jobs``: threads that share the trees' passes; −1 for one a core.
    """

    treebank: TreebankArrays
    schedule: Schedule
    seed: int = 0
    monitor: EMMonitor | None = None
    jobs: int | None = None

    def __post_init__(self) -> None:
        """Pack the trees."""
        self._constant = rare_word_constant(self.treebank)
        self._forest = compile_forest(self.treebank)

    def cycles(self, begun: SplitHierarchy | None = None) -> Iterator[SplitHierarchy]:
        """The hierarchy at the beginning, then after each cycle.

        A training that goes on from a hierarchy `begun` before ends with the same bits.
        """
        hierarchy = unsplit(self.treebank)
        if begun is not None:
            check_trees(self.treebank, begun)
            hierarchy = begun
        yield hierarchy

        for cycle in range(len(hierarchy.grammars), self.schedule.cycles + 1):
            before = hierarchy.finest
            estimates = Estimates(before, before.rules, before.lexicon.counts)
            estimates = self._split_and_merge(estimates, cycle)
            estimates = self._em(estimates, cycle, "smooth", self.schedule.smooth_iterations)

            numbers = estimates.layout.sizes, estimates.rules, estimates.units
            grammar = self.treebank.grammar(*numbers, self.schedule.lexicon_smoothing)
            hierarchy = SplitHierarchy((*hierarchy.grammars, grammar))
            yield hierarchy

    def _split_and_merge(self, estimates: Estimates, cycle: int) -> Estimates:
        """The estimates after both."""
        schedule = self.schedule

        # A grammar's rules are what is largest: no name keeps those of an earlier step.
        rng = np.random.default_rng([self.seed, cycle])
        twins = split(estimates, rng)
        twins = self._em(twins, cycle, "split", schedule.split_iterations)
        merged = self._merged(twins)
        del twins

        return self._em(merged, cycle, "merge", schedule.merge_iterations)

    def _merged(self, twins: Estimates) -> Estimates:
        """The estimates without the splits that matter least."""
        n_nodes = int(_SCORES / twins.layout.sizes[self.treebank.symbol].mean())
        parts = (compile_forest(part, shared=False) for part in in_parts(self.treebank, n_nodes))
        apart = (self._passes(twins, part) for part in parts)
        shared = self._passes(twins, self._forest)

        pairs, losses, frequencies = merge_losses(shared, apart, twins, self._n_frequent)
        chosen = least(pairs, losses, MERGED)
        return merge(twins, self.treebank.tags, chosen, frequencies)

    def _em(
        self,
        estimates: Estimates,
        cycle: int,
        stage: Stage,
        iterations: int,
    ) -> Estimates:
        """The estimates after EM; in the stage of that name it smooths. Rules given are changed.

        Every subcategory is moved to the mean of its symbol's (Petrov et al. 2006).
        """
        layout = estimates.layout
        passes = self._passes(estimates, self._forest)
        smooths = stage == "smooth"
        sizes_of_tags = layout.sizes[self.treebank.tags]

        for iteration in range(iterations):
            words = emissions(estimates.units, self._n_frequent)
            rules = estimates.rules
            if smooths:
                words = smoothed(words, sizes_of_tags, self.schedule.lexicon_smoothing)
            value, units = passes.em_step(rules, words)
            if smooths:
                for block in layout.matrices(rules):
                    mean = np.add.reduce(block) / len(block)
                    block += self.schedule.rule_smoothing * (mean - block)
            estimates = Estimates(layout, rules, units)

            value += self._constant
            if self.monitor is not None:
                self.monitor(EMStep(cycle, stage, iteration, value, int(layout.sizes.sum())))
        return estimates

    def _passes(self, estimates: Estimates, forest: Forest) -> TreeInsideOutside:
        return TreeInsideOutside(forest, estimates.layout, self.treebank.tags, self.jobs)

    @property
    def _n_frequent(self) -> int:
        return len(self.treebank.vocabulary.frequent)


def unsplit(treebank: TreebankArrays) -> SplitHierarchy:
    """The hierarchy of the X-bar grammar alone."""
    return SplitHierarchy((treebank_grammar(treebank),))


def check_trees(treebank: TreebankArrays, begun: SplitHierarchy) -> None:
    """Raise ParameterError unless the X-bar grammar of a hierarchy is that of these trees."""
    begun_arrays, begun_names = to_arrays(SplitHierarchy(begun.grammars[:1]))
    arrays, names = to_arrays(unsplit(treebank))

    # What forms of words say is learned from these trees, too.
    arrays.pop("form_weights", None)
    names.pop("forms", None)
    begun_names.pop("forms", None)
    same_arrays = (np.array_equal(begun_arrays[name], arrays[name]) for name in arrays)
    if begun_names != names or not all(same_arrays):
        raise ParameterError(
            "the grammar was begun with other trees; go on with those, or learn anew"
        )


def rare_word_constant(treebank: TreebankArrays) -> float:
    """The log-likelihood of rare words' shares under their tags, in nats.

    Log-likelihoods of words have it beside those of lexical units.
    """
    vocabulary = treebank.vocabulary
    counts = vocabulary.tag_counts[len(vocabulary.frequent) :].astype(np.float64)
    shares = counts / np.maximum(counts.sum(axis=0), 1.0)
    return float((counts * np.log(shares, where=counts > 0, out=np.zeros_like(shares))).sum())
