"""What a dependency parser is trained to maximize, by name.

=============  =======================  ====================  ============================
criterion      numerator                denominator           source
=============  =======================  ====================  ============================
contrastive    x, all trees             the neighbourhood     2005b, Table 1
auto           as em where no neighbourhood is named, else as contrastive
em             x, all trees             locally normalized    Klein & Manning (2004)
viterbi-em     x and its best tree      locally normalized    Spitkovsky et al. (2010)
joint          x and its tree           locally normalized    relative frequencies
conditional    x and its tree           x, all trees          2005b, Table 1
correction     x and its tree           the neighbourhood     2005b, Table 1
=============  =======================  ====================  ============================
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from numbers import Integral
from typing import NamedTuple

import numpy as np

from fstce.chart import ChartSum, DependencyModel, SentenceCharts, best_sentence_trees, lattice_terms
from fstce.corpora.lifting import check_heads, is_projective
from fstce.errors import CorpusError, ParameterError
from fstce.estimation.constraint import Constrained
from fstce.estimation.likelihood import Likelihood
from fstce.estimation.linear import Linear
from fstce.estimation.multinomials import Multinomials
from fstce.estimation.objective import Objective
from fstce.estimation.prior import GaussianPrior
from fstce.estimation.resources import IN_MEMORY, Resources
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.registry import Neighborhood, neighborhood
from fstce.numeric.types import Floats, Rows
from fstce.parsing.attachment_rules import AttachmentRule, attaching, obeying
from fstce.parsing.parameters import DEPENDENCY_PARSER

Term = Callable[[Floats], tuple[float, Floats]]

AUTO = "auto"
CRITERIA = tuple(name for name in DEPENDENCY_PARSER["criterion"].choices if name != AUTO)
BIAS = -0.3  # nats a word that a link spans
OBEY = 0.8  # Naseem et al. (2010)
LOCAL = ("em", "viterbi-em", "joint")
SUPERVISED = ("joint", "conditional", "correction")


@dataclass(frozen=True)
class Criterion:
    """What is maximized.

    ``neighborhood``: the denominator, where the criterion does not say it. ``rules``: what an unsupervised
    criterion knows of attachments: at least a share `obey` of the expected edges of all numerators obeys
    them, and `rule_weight`, κ, is the prior mean of what they allow. ``structural_bias``: δ, in nats for
    every word that a link spans, in what is learnt from text (Smith & Eisner 2006, Eq. 2). ``max_link``: the
    most words that a link may span. ``resources``: threads that add up, and what the charts of neighbourhoods
    may take in memory.
    """

    name: str
    neighborhood: str | Neighborhood
    sigma2: float | None
    smoothing: float
    rules: Sequence[AttachmentRule] = ()
    obey: float = OBEY
    rule_weight: float = 0.0
    structural_bias: float = 0.0
    max_link: int | None = None
    resources: Resources = IN_MEMORY

    def mean(self, model: DependencyModel) -> Floats | None:
        """Where the weights are before anything is learnt: μ = κ for what the rules allow, else 0.

        A generative grammar has no such prior; it starts there where no constraint makes it obey.
        """
        if not self.rules or (self.name in LOCAL and self.obey):
            return None
        return self.rule_weight * obeying(self.rules, model)


class Recipe(NamedTuple):
    """What the parameters that may be left open come to.

    ``structural_bias``: δ in nats. ``obey``: b, the share of expected edges that obeys the rules, if there
    are any. ``staged``: whether training is without the rules first; see :mod:`fstce.parsing.staged`.
    """

    criterion: str
    neighborhood: str | Neighborhood
    start: str
    structural_bias: float
    obey: float
    staged: bool


def recipe(
    criterion: str,
    neighborhood: str | Neighborhood,
    start: str | None,
    structural_bias: float | None,
    obey: float | None = None,
    ruled: bool = False,
) -> Recipe:
    """The recipe of some parameters: what is open is what the measurements recommend.

    Without a neighbourhood ``auto`` is EM from the start by headedness, with δ = −0.3; if there
    are rules (`ruled`) it goes on from there with as many edges as can be that obey them.

    >>> recipe("auto", "auto", None, None)[:4]
    ('em', 'trans1', 'headedness', -0.3)
    >>> recipe("auto", "trans1", None, None)[:4]
    ('contrastive', 'trans1', 'uniform', 0.0)
    >>> recipe("auto", "auto", None, None, ruled=True)[4:], recipe("em", "auto", None, None, ruled=True)[4:]
    ((1.0, True), (0.8, False))
    """
    unnamed = isinstance(neighborhood, str) and neighborhood.strip().lower() == AUTO
    learnt = criterion == AUTO and unnamed
    chosen = ("em" if unnamed else "contrastive") if criterion == AUTO else criterion
    staged = learnt and start is None and ruled and obey != 0
    return Recipe(
        chosen,
        "trans1" if unnamed else neighborhood,
        start or ("headedness" if learnt else "uniform"),
        structural_bias if structural_bias is not None else BIAS if learnt else 0.0,
        obey if obey is not None else 1.0 if staged else OBEY,
        staged,
    )


class Treebank(NamedTuple):
    """Tag sequences, and the head of every word where trees are observed."""

    sentences: Rows
    heads: Sequence[Sequence[int]] | None = None


def usable(treebank: Treebank, criterion: str) -> tuple[Treebank, int]:
    """What a criterion can learn from, and how many trees it cannot use."""
    if criterion not in SUPERVISED:
        return Treebank(treebank.sentences), 0
    if treebank.heads is None:
        raise ParameterError(
            f"the criterion {criterion!r} learns from trees: give the heads of every sentence"
        )
    if len(treebank.heads) != len(treebank.sentences):
        raise CorpusError(
            f"{len(treebank.sentences)} sentences but {len(treebank.heads)} trees; give each sentence its own"
        )
    kept = []
    for number, (tags, heads) in enumerate(zip(treebank.sentences, treebank.heads, strict=True), 1):
        _check_tree(tags, heads, f"sentence {number}")
        if is_projective(heads):
            kept.append((tags, heads))
    if not kept:
        raise ParameterError("no tree is projective: supervised training needs one that is")
    sentences, trees = zip(*kept, strict=True)
    return Treebank(sentences, trees), len(treebank.sentences) - len(kept)


def objective_of(criterion: Criterion, model: DependencyModel, treebank: Treebank) -> Objective | Likelihood:
    """The function of θ that training maximizes, over the model's features."""
    sentences = treebank.sentences
    _check_tags(sentences, model)
    bias = 0.0 if treebank.heads is not None else criterion.structural_bias
    whole = partial(
        SentenceCharts, model, sentences, max_link=criterion.max_link, jobs=criterion.resources.jobs
    )
    numerators: list[Term]
    if treebank.heads is not None:
        numerators = [Linear(tree_counts(model, treebank))]
    else:
        charts = whole(length_bias=bias)
        viterbi = criterion.name == "viterbi-em"
        numerators = [ViterbiSum(charts, sentences) if viterbi else ChartSum(charts, np.ones(len(sentences)))]
    if criterion.rules and treebank.heads is None:
        numerators = [
            Constrained(numerators, obeying(criterion.rules, model), attaching(model), criterion.obey)
        ]
    if criterion.name in LOCAL:
        return Likelihood(numerators, Multinomials(model.group), criterion.smoothing)
    prior = GaussianPrior(criterion.sigma2, criterion.mean(model))
    if criterion.name == "conditional":
        return Objective(numerators, prior, [ChartSum(whole(), np.full(len(sentences), -1.0))])
    kind = neighborhood(criterion.neighborhood).for_text(sentences)
    contrasted = kind.expand(sentences, Symbols(model.tags))
    weight = -len(sentences) if kind.corpus_wide else -1.0
    return Objective(
        numerators,
        prior,
        lattice_terms(contrasted, model, weight, bias, criterion.max_link, criterion.resources),
    )


def tree_counts(model: DependencyModel, treebank: Treebank) -> Floats:
    """How often each feature occurs in the trees, shape (features,)."""
    counts = np.zeros(model.size)
    for tags, heads in zip(treebank.sentences, treebank.heads or (), strict=True):
        counts += model.tree_counts(tags, heads)
    return counts


class ViterbiSum:
    """Σ of the log weight of each sentence's best tree; its "gradient" counts that tree's features."""

    def __init__(self, batch: SentenceCharts, sentences: Rows) -> None:
        self.batch, self._sentences = batch, sentences

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        """The value in nats and the counts, shape of θ."""
        trees, model = best_sentence_trees(self.batch, theta), self.batch.model
        counts = np.zeros_like(theta)
        _, first, times = np.unique(self.batch.index, return_index=True, return_counts=True)
        for row, weight in zip(first.tolist(), times.tolist(), strict=True):
            if trees.score[row] > -np.inf:
                counts += weight * model.tree_counts(self._sentences[row], trees.heads[row].tolist())
        return float(trees.score.sum()), counts


def _check_tree(tags: Sequence[str], heads: Sequence[int] | None, where: str) -> None:
    if heads is None:
        raise CorpusError(f"{where} has no heads; leave it out")
    if len(tags) != len(heads):
        raise CorpusError(f"{where} has {len(tags)} tags and {len(heads)} heads")
    for head in heads:
        if not isinstance(head, Integral):
            raise CorpusError(f"{where}: the head {head!r} is no whole number")
    check_heads(heads, where)


def _check_tags(rows: Rows, model: DependencyModel) -> None:
    known = frozenset(model.tags)
    for number, row in enumerate(rows, 1):
        strange = [tag for tag in row if tag not in known]
        if strange:
            raise CorpusError(
                f"sentence {number}: the tag {strange[0]!r} is not in the tagset of {len(known)} tags"
            )
