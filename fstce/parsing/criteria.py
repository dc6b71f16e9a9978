"""What a dependency parser is trained to maximize, by name.

======================  =======================  ====================  ============================
criterion               numerator                denominator           source
======================  =======================  ====================  ============================
contrastive             x, all trees             the neighborhood     2005b, Table 1
auto                    as em with trees weighed, if no neighborhood is named, else as contrastive
em                      x, all trees             locally normalized    Klein & Manning (2004)
joint                   x and its tree           locally normalized    relative frequencies
conditional             x and its tree           x, all trees          2005b, Table 1
supervised-contrastive  x and its tree           the neighborhood     2005b, Table 1
======================  =======================  ====================  ============================
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from fstce.chart import ChartBatch, DependencyModel, InsideOutside, compile_sentences
from fstce.chart.terms import ChartSum, lattice_terms
from fstce.corpora import Sentence
from fstce.corpora.heads import check_heads, is_projective
from fstce.corpora.words import check_aligned, checked_sentences, optional_rows
from fstce.errors import CorpusError, ParameterError
from fstce.estimation.objective import (
    GaussianPrior,
    Likelihood,
    Linear,
    Multinomials,
    Objective,
)
from fstce.estimation.resources import Resources
from fstce.grammars.dmv import LEFT, RIGHT
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.base import Neighborhood
from fstce.neighborhoods.registry import neighborhood
from fstce.numeric.types import Floats, Rows, Sentences, Term
from fstce.parsing.attachment_rules import (
    MOST,
    AttachmentRule,
    attaching,
    check_tagset,
    satisfying,
)
from fstce.parsing.headedness import NEARNESS, SMOOTHING, headed_weights
from fstce.parsing.parameters import DEPENDENCY_PARSER

AUTO = "auto"
CRITERIA = tuple(name for name in DEPENDENCY_PARSER["criterion"].choices if name != AUTO)
BIAS = -0.1  # nats a word that a link spans, where rules weigh trees
BIASES = {"": 0.0, "rules": BIAS, "headedness": NEARNESS}
BESIDE_TREES = 15.0  # sentences that raw text beside trees counts like, however many it has
PRIOR = 130.0  # words of the text in trees by headedness alone, without trees beside it
TRUST = 0.5  # of headedness, beside trees
SIDE = 1.25  # nats a dependent on the right, or left if heads are final, where EM with rules starts
LOCAL = ("em", "joint")
SUPERVISED = ("joint", "conditional", "supervised-contrastive")


class Recipe(NamedTuple):
    """The values that open parameters take.

    ``knowledge`` weighs the trees of E-steps: headedness, rules or "".
    """

    criterion: str
    neighborhood: str | Neighborhood
    start: str
    structural_bias: float
    knowledge: str


class Treebank(NamedTuple):
    """Tag sequences, and where they are known the heads and the words."""

    sentences: Rows
    heads: Sequence[Sequence[int]] | None = None
    words: Rows | None = None


NO_TREEBANK = Treebank(())


@dataclass(frozen=True)
class Criterion:
    """A function of θ to be maximized over a model's features, and where training starts.

    ``parameters``: the parser's; ``recipe``: what those come to that it leaves open. ``resources``:
    threads that add up, and what charts may take in memory. ``rules``: of attachment.
    ``labelled``: trees beside the raw text, whose likelihood is added to what is maximized of the
    text, which counts like `BESIDE_TREES` sentences.
    """

    parameters: Mapping[str, Any]
    recipe: Recipe
    model: DependencyModel
    treebank: Treebank
    resources: Resources
    rules: tuple[AttachmentRule, ...] = ()
    labelled: Treebank = NO_TREEBANK

    @cached_property
    def rewarded(self) -> Floats:
        """r: 1 for each feature of an attachment that a rule allows, where there are rules."""
        allowed = satisfying(self.rules, self.model, self.parameters["head_final"])
        check_tagset(self.rules, self.model, allowed)
        return allowed

    @cached_property
    def charts(self) -> ChartBatch:
        """The charts of the sentences."""
        return compile_sentences(self.treebank.sentences, self.model, resources=self.resources)

    @cached_property
    def headed(self) -> Floats:
        """The weights of features by the headedness of the text's tags."""
        return headed_weights(self.model, self.treebank.sentences, self.treebank.words)

    @cached_property
    def headed_counts(self) -> Floats:
        """Expected counts in trees of the text that weigh the more, the more headed and near."""
        return InsideOutside(self.charts.with_length_bias(NEARNESS))(self.headed).counts

    def objective(self) -> Objective | Likelihood:
        """The function of θ that training maximizes."""
        sentences, heads, _ = self.treebank
        _check_tags(sentences, self.model)
        n = len(sentences)
        jobs = self.resources.jobs
        observed = self.labelled

        if heads is None:
            biased = self.charts.with_length_bias(self._bias)
            shares = np.full(n, self._share)
            numerators: list[Term] = [ChartSum(biased, shares, jobs, self._knowledge())]
        else:
            numerators = [Linear(tree_counts(self.model, sentences, heads))]

        if observed.heads is not None:
            _check_tags(observed.sentences, self.model)
            numerators.append(Linear(tree_counts(self.model, observed.sentences, observed.heads)))

        if self.recipe.criterion in LOCAL:
            if self.recipe.knowledge == "headedness" and observed.heads is None:
                words = sum(map(len, sentences))
                numerators.append(Linear(PRIOR / words * self.headed_counts))
            smoothing = self.parameters["smoothing"]
            return Likelihood(numerators, Multinomials(self.model.group), smoothing)

        # The prior is a part of what counts less.
        prior = GaussianPrior(self.parameters["sigma2"], 1 / self._share)
        if self.recipe.criterion == "conditional":
            return Objective(numerators, prior, [ChartSum(self.charts, np.full(n, -1.0), jobs)])

        contrast = neighborhood(self.recipe.neighborhood).for_text(sentences)
        contrasted = contrast.expand(sentences, Symbols(self.model.tags))
        weight = self._share * (-n if contrast.corpus_wide else -1.0)
        denominators = lattice_terms(contrasted, self.model, weight, self._bias, self.resources)
        if observed.heads is not None:
            charts = compile_sentences(observed.sentences, self.model, resources=self.resources)
            denominators.append(ChartSum(charts, np.full(len(charts), -1.0), jobs))
        return Objective(numerators, prior, denominators)

    def start(self) -> Floats | None:
        """The weights at which training starts, where they are read off the corpus."""
        start = self.recipe.start
        sentences = self.treebank.sentences

        if start == "klein-manning":
            # A generative start is smoothed as its training is (2005b, Table 2, untrained).
            if self.recipe.criterion in LOCAL:
                return self.model.klein_manning(sentences, self.parameters["smoothing"])
            return self.model.klein_manning(sentences)
        if start == "headedness":
            return self.model.log_probabilities(self.headed_counts + SMOOTHING)
        if start != "rules":
            return None

        # Rules say little of order: trees whose heads come first, or last if so asked, weigh a
        # little more.
        weights = MOST * self.rewarded
        tags = np.arange(self.model.n_tags)
        side = LEFT if self.parameters["head_final"] else RIGHT
        weights[self.model.child(tags[:, None], tags, side)] += SIDE
        counts = InsideOutside(self.charts.with_length_bias(BIAS))(weights).counts
        return self.model.log_probabilities(counts + SMOOTHING)

    @property
    def _share(self) -> float:
        """How much a sentence of the text counts, of which a tree counts whole."""
        if not self.labelled.sentences:
            return 1.0
        return min(1.0, BESIDE_TREES / len(self.treebank.sentences))

    @property
    def _bias(self) -> float:
        """δ: of observed trees nothing weighs but the grammar."""
        if self.treebank.heads is not None:
            return 0.0
        return self.recipe.structural_bias

    def _knowledge(self) -> Floats | float:
        """The weights of features that trees have besides the grammar's."""
        if self.recipe.knowledge == "headedness":
            return TRUST * self.headed if self.labelled.sentences else self.headed
        if self.recipe.knowledge == "rules":
            return MOST * (self.rewarded - attaching(self.model))
        return 0.0


def agreement(sentences: int) -> float:
    """Nats in parsing of an attachment that the rules' own best tree has, too: more of little text.

    >>> agreement(100), agreement(400)
    (2.0, 1.8)
    """
    return float(1.6 + 4.0 / sentences**0.5)


def read_treebank(sentences: Sentences, heads: Any = None, words: Any = None) -> Treebank:
    """Tag sequences, or sentences of a corpus, which know their words, as a treebank."""
    rows = checked_sentences(sentences)
    if words is None and all(isinstance(row, Sentence) and row.tags is not None for row in rows):
        words = [tuple(row) for row in rows]
    return Treebank(_tags_of(rows), optional_rows(heads, "heads"), optional_rows(words, "words"))


def tag_rows(sentences: Sentences, least: int = 1) -> list[Sequence[str]]:
    """The tag sequences of some sentences.

    Their tags, where they are a corpus' own and have some.
    """
    return _tags_of(checked_sentences(sentences, least=least))


def _tags_of(rows: list[Sequence[str]]) -> list[Sequence[str]]:
    """The tags of checked sentences of a corpus, which are checked likewise; else the rows."""
    tagged = [
        row.tags if isinstance(row, Sentence) and row.tags is not None else row for row in rows
    ]
    if tagged == rows:
        return rows
    return checked_sentences(tagged, least=0)


def usable(treebank: Treebank, criterion: str, where: str = "") -> tuple[Treebank, int]:
    """The part that a criterion can learn from, and how many trees it cannot use.

    ``where``: what messages begin with.
    """
    if criterion not in SUPERVISED:
        return treebank._replace(heads=None), 0
    if treebank.heads is None:
        raise ParameterError(
            f"the criterion {criterion!r} learns from trees: give the heads of every sentence"
        )

    check_aligned(treebank.sentences, treebank.heads, "heads", "tags")
    pairs = []
    for number, (tags, heads) in enumerate(zip(treebank.sentences, treebank.heads, strict=True), 1):
        for head in heads:
            if not isinstance(head, Integral):
                raise CorpusError(f"{where}sentence {number}: the head {head!r} is no whole number")
        check_heads(heads, f"{where}sentence {number}")
        if is_projective(heads):
            pairs.append((tags, heads))

    if not pairs:
        raise ParameterError(f"{where}no tree is projective: training on trees needs one that is")
    sentences, trees = zip(*pairs, strict=True)
    return Treebank(sentences, trees), len(treebank.sentences) - len(pairs)


def labelled_trees(labelled: Any, criterion: str, text: Rows) -> tuple[Treebank, int]:
    """The trees beside raw text, and how many of them are not projective."""
    if labelled is None:
        return NO_TREEBANK, 0
    if criterion in SUPERVISED:
        raise ParameterError(
            f"labelled= is for trees beside raw text; the criterion {criterion!r} learns from "
            "heads="
        )
    if not isinstance(labelled, tuple) or len(labelled) != 2:
        raise CorpusError("labelled: give a pair, sentences and the heads of their words")

    treebank, n_not_projective = usable(read_treebank(*labelled), "joint", "labelled: ")
    tags = list(chain(*treebank.sentences))
    tags_of_text = set(chain(*text))
    strange = [tag for tag in tags if tag not in tags_of_text]
    if 2 * len(strange) > len(tags):
        warnings.warn(
            f"labelled: of {len(tags)} words {len(strange)} have tags that the text lacks, as "
            f"{' '.join(sorted(set(strange))[:8])}; choose trees of its tagset, or another column "
            "of tags",
            stacklevel=4,
        )
    return treebank, n_not_projective


def tree_counts(model: DependencyModel, sentences: Rows, trees: Sequence[Sequence[int]]) -> Floats:
    """How often each feature occurs in the trees, shape (features,)."""
    pairs = zip(sentences, trees, strict=True)
    return sum((model.tree_counts(tags, heads) for tags, heads in pairs), np.zeros(model.size))


def _check_tags(rows: Rows, model: DependencyModel) -> None:
    tagset = frozenset(model.tags)
    for number, row in enumerate(rows, 1):
        strange = [tag for tag in row if tag not in tagset]
        if strange:
            raise CorpusError(
                f"sentence {number}: the tag {strange[0]!r} is not in the tagset of {len(tagset)} "
                "tags"
            )
