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
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from fstce.errors import ParameterError
from fstce.estimation.likelihood import Likelihood
from fstce.estimation.multinomials import Multinomials
from fstce.estimation.objective import Objective
from fstce.estimation.prior import GaussianPrior
from fstce.estimation.rules import TAGGER
from fstce.neighborhoods.registry import Neighborhood, neighborhood
from fstce.numeric.types import Rows
from fstce.wfsa.compile import Contrast, Evidence
from fstce.wfsa.hmm import distributions

CRITERIA = TAGGER["criterion"].choices
LOCAL = ("em", "joint")
SUPERVISED = ("joint", "conditional", "correction")


class Corpus(NamedTuple):
    """Sentences, and their tags where they are observed."""

    sentences: Rows
    tags: Rows | None = None


@dataclass(frozen=True)
class Criterion:
    """What is maximized.

    Attributes
    ----------
    name : str
        One of CRITERIA.
    neighborhood : str or Neighborhood
        The denominator, where the criterion does not say it.
    sigma2 : float or None
        The variance of the prior.
    smoothing : float
        λ of a locally normalized model.
    alpha : float
        The weight of raw sentences beside labelled ones.
    """

    name: str
    neighborhood: str | Neighborhood
    sigma2: float | None
    smoothing: float
    alpha: float


def evidence(criterion: Criterion, corpus: Corpus, labelled: Corpus | None = None) -> list[Evidence]:
    """The evidence of a corpus, and of labelled sentences beside it, under a criterion.

    Raises
    ------
    ParameterError
        The criterion needs tags that are not there, or allows no labelled sentences.
    """
    name = criterion.name
    supervised, local = name in SUPERVISED, name in LOCAL
    if supervised and corpus.tags is None:
        raise ParameterError(f"the criterion {name!r} learns from tags: give those of every sentence")
    if supervised and labelled is not None:
        raise ParameterError(f"the criterion {name!r} is supervised: give all tags with the sentences")
    kind = None
    if not local:
        kind = neighborhood("identity" if name == "conditional" else criterion.neighborhood)
        kind = kind.for_text(corpus.sentences)
    gold = corpus.tags if supervised else None
    if labelled is None:
        return [Evidence(corpus.sentences, kind, gold)]
    own = None if local else neighborhood("identity")
    return [
        Evidence(labelled.sentences, own, labelled.tags),
        Evidence(corpus.sentences, kind, gold, criterion.alpha),
    ]


def objective(criterion: Criterion, contrast: Contrast) -> Objective | Likelihood:
    """The function of θ that training maximizes."""
    if criterion.name in LOCAL:
        return Likelihood(contrast.terms, Multinomials(distributions(contrast.features)), criterion.smoothing)
    return Objective(contrast.numerators, GaussianPrior(criterion.sigma2), contrast.denominators)
