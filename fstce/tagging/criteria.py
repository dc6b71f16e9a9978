"""What a tagger is trained to maximize, by name: which evidence, which normalization.

=============  ======================  ====================  =========================
criterion      numerator               denominator           source
=============  ======================  ====================  =========================
contrastive    x, all taggings         the neighbourhood     2005a, Eq. 7
em             x, all taggings         locally normalized    Merialdo (1994)
joint          x and its tags          locally normalized    relative frequencies
conditional    x and its tags          x, all taggings       Lafferty et al. (2001)
correction     x and its tags          the neighbourhood     2005b, Table 1
=============  ======================  ====================  =========================

``contrastive`` with a few tagged sentences beside the raw ones adds their conditional
likelihood (2005a, §6); ``em`` with them adds their joint likelihood.

The neighbourhood ``auto`` is the mean of the weights of three models, TRANS1, LENGTH and an HMM by EM,
which counts half, for its weights, log-probabilities, are the larger (:mod:`fstce.estimation.train`).
All sum over the same automata. Each of them fails on some corpus, and not on the same: see
docs/results/tagging.md. LENGTH is left out where its table of tag n-grams is too large, the HMM where
features of tokens are asked for, which no HMM has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fstce.errors import ParameterError
from fstce.estimation.likelihood import Likelihood, Multinomials
from fstce.estimation.objective import GaussianPrior, Objective, Scaled
from fstce.estimation.train import AveragedObjective, Expert
from fstce.neighborhoods.base import Neighborhood
from fstce.neighborhoods.registry import AUTO, neighborhood, saved_name
from fstce.numeric.types import Floats, Rows, Term
from fstce.tagging.parameters import TAGGER
from fstce.wfsa.chain import fits
from fstce.wfsa.compile import Contrast, TrainingData
from fstce.wfsa.features import distributions

CRITERIA = TAGGER["criterion"].choices
LOCAL = ("em", "joint")
CONTRASTS = ("trans1", "length")  # of auto
HMM = 0.5  # the share of the HMM in auto, beside two of the contrasts together
OLDER = (("window3", "length"), ("window3",))  # what it was in models of before
SUPERVISED = ("joint", "conditional", "correction")


class Corpus(NamedTuple):
    """Sentences, their tags where they are observed, and how often each occurs, if not once."""

    sentences: Rows
    tags: Rows | None = None
    counts: Sequence[int] | None = None


@dataclass(frozen=True)
class Criterion:
    """What is maximized.

    ``contrasts``: the denominators, where the criterion does not say them; they share the weight. ``alpha``:
    the weight of raw sentences beside labelled ones. ``auto``: whether models by EM and by each of the
    contrasts are averaged.
    """

    name: str
    contrasts: tuple[str | Neighborhood, ...]
    sigma2: float | None
    smoothing: float
    alpha: float
    l1: float = 0.0
    auto: bool = False


def is_auto(kind: str | Neighborhood) -> bool:
    """Whether a neighbourhood is left to the tagger."""
    return isinstance(kind, str) and kind.strip().lower() == AUTO


def chosen(n_tags: int, order: int) -> tuple[str, ...]:
    """What ``auto`` contrasts with: LENGTH is left out where its dense table of n-grams is too large.

    >>> chosen(17, 3), chosen(472, 3)
    (('trans1', 'length'), ('trans1',))
    """
    return CONTRASTS if fits(n_tags, order) else CONTRASTS[:1]


def checked_choice(names: tuple[str, ...]) -> tuple[str, ...]:
    """What a saved model says that ``auto`` stood for; raises ValueError where it cannot be.

    A file named there would otherwise be run where the model is explained or measured.
    """
    if names not in (CONTRASTS, CONTRASTS[:1], *OLDER):
        raise ValueError(f"auto stands for {', '.join(names)}")
    return names


def check_tags(criterion: Criterion, corpus: Corpus, labelled: Corpus | None = None) -> None:
    """Raise ParameterError where a criterion lacks its tags, or allows no labelled sentences."""
    if criterion.name not in SUPERVISED:
        return
    if corpus.counts is not None:
        raise ParameterError(
            f"the criterion {criterion.name!r} is supervised and takes no counts: "
            "give each sentence as often as it occurs"
        )
    if corpus.tags is None:
        raise ParameterError(
            f"the criterion {criterion.name!r} learns from tags: give those of every sentence"
        )
    if labelled is not None:
        raise ParameterError(
            f"the criterion {criterion.name!r} is supervised: give all tags with the sentences"
        )


def evidence(criterion: Criterion, corpus: Corpus, labelled: Corpus | None = None) -> list[TrainingData]:
    """The evidence of a corpus, and of labelled sentences beside it, under a criterion."""
    check_tags(criterion, corpus, labelled)
    local = criterion.name in LOCAL
    kinds: list[Neighborhood | None] = [None]
    if not local:
        asked = ("identity",) if criterion.name == "conditional" else criterion.contrasts
        kinds = [neighborhood(kind).for_text(corpus.sentences) for kind in asked]
    gold = corpus.tags if criterion.name in SUPERVISED else None
    weight = (1.0 if labelled is None else criterion.alpha) / len(kinds)
    shown = [weight * len(kinds), *[0.0] * (len(kinds) - 1)]
    rows = [
        TrainingData(corpus.sentences, kind, gold, weight, once, corpus.counts)
        for kind, once in zip(kinds, shown, strict=True)
    ]
    if labelled is None:
        return rows
    own = None if local else neighborhood("identity")
    return [TrainingData(labelled.sentences, own, labelled.tags), *rows]


def objective(criterion: Criterion, contrast: Contrast, mean: Floats | None = None) -> Objective | Likelihood:
    """The function of θ that training maximizes; `mean` is that of a Gaussian prior, by default zero."""
    if criterion.name in LOCAL:
        return Likelihood(contrast.terms, Multinomials(distributions(contrast.features)), criterion.smoothing)
    whole = _contrastive(criterion, contrast, contrast.denominators, mean)
    if not criterion.auto:
        return whole
    # of labelled sentences the denominators stand before those of the contrasts, which share the weight
    kinds = criterion.contrasts
    labelled, parts = contrast.denominators[: -len(kinds)], contrast.denominators[-len(kinds) :]
    experts = [
        Expert(
            saved_name(kind),
            2 / len(kinds),
            _contrastive(criterion, contrast, [*labelled, Scaled(part, len(kinds))], mean),
        )
        for kind, part in zip(kinds, parts, strict=True)
    ]
    if contrast.features.has_words:
        hmm = Multinomials(distributions(contrast.features))
        likelihood = Likelihood(contrast.numerators, hmm, criterion.smoothing)
        experts.insert(0, Expert("hmm", HMM, likelihood))
    return AveragedObjective(whole, experts)


def _contrastive(
    criterion: Criterion, contrast: Contrast, denominators: Sequence[Term], mean: Floats | None
) -> Objective:
    """The contrast with these denominators under the criterion's prior."""
    return Objective(contrast.numerators, GaussianPrior(criterion.sigma2, mean), denominators, criterion.l1)
