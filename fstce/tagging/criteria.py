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

The neighbourhood ``auto`` depends on the dictionary. Where it lists the words of the text,
``auto`` is a sum of two contrasts, ``window3`` and ``length`` at half weight each: one teaches
where words stand, the other which words there are. Where many words are not listed, and so may
take many tags, LENGTH follows what is believed of them, and ``auto`` is ``trans1``: see
docs/results/tagging.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fstce.corpora.dictionary import TagDictionary
from fstce.errors import ParameterError
from fstce.estimation.likelihood import Likelihood
from fstce.estimation.multinomials import Multinomials
from fstce.estimation.objective import Objective
from fstce.estimation.prior import GaussianPrior
from fstce.estimation.rules import TAGGER
from fstce.neighborhoods.registry import AUTO, Neighborhood, neighborhood
from fstce.numeric.types import Floats, Rows
from fstce.wfsa.chain import fits
from fstce.wfsa.compile import Contrast, Evidence
from fstce.wfsa.hmm import distributions

CRITERIA = TAGGER["criterion"].choices
LOCAL = ("em", "joint")
# What auto stands for, and the share of the text's words that the dictionary must list for the first.
CONTRASTS, SMALL_DICTIONARY, LISTED = ("window3", "length"), ("trans1",), 0.95
SUPERVISED = ("joint", "conditional", "correction")


class Corpus(NamedTuple):
    """Sentences, their tags where they are observed, and how often each occurs, if not once."""

    sentences: Rows
    tags: Rows | None = None
    counts: Sequence[int] | None = None


@dataclass(frozen=True)
class Criterion:
    """What is maximized.

    Attributes
    ----------
    name : str
        One of CRITERIA.
    contrasts : tuple of str or Neighborhood
        The denominators, where the criterion does not say them; they share the weight.
    sigma2 : float or None
        The variance of the prior.
    smoothing : float
        λ of a locally normalized model.
    alpha : float
        The weight of raw sentences beside labelled ones.
    l1 : float
        c of −c Σ|θ|.
    """

    name: str
    contrasts: tuple[str | Neighborhood, ...]
    sigma2: float | None
    smoothing: float
    alpha: float
    l1: float = 0.0


def is_auto(kind: str | Neighborhood) -> bool:
    """Whether a neighbourhood is left to the tagger."""
    return isinstance(kind, str) and kind.strip().lower() == AUTO


def chosen(dictionary: TagDictionary, sentences: Rows, order: int) -> tuple[str, ...]:
    """What ``auto`` stands for with a dictionary and raw text.

    LENGTH, which keeps a dense table of tag n-grams, is left out where the table is too large.

    Examples
    --------
    >>> text = [["the", "cat", "saw"], ["the", "saw", "saw"]]
    >>> chosen(TagDictionary({"the": "D", "cat": "N", "saw": ["N", "V"]}), text, 3)
    ('window3', 'length')
    >>> chosen(TagDictionary({"the": "D", "saw": ["N", "V"]}), text, 3)
    ('trans1',)
    """
    words = Counter(word for sentence in sentences for word in sentence)
    if sum(count for word, count in words.items() if word in dictionary) < LISTED * words.total():
        return SMALL_DICTIONARY
    return CONTRASTS if fits(len(dictionary.tagset), order) else CONTRASTS[:1]


def checked_choice(names: tuple[str, ...]) -> tuple[str, ...]:
    """What a saved model says that ``auto`` stood for; raises ValueError where it cannot be.

    A file named there would otherwise be run where the model is explained or measured.
    """
    if names not in (CONTRASTS, CONTRASTS[:1], SMALL_DICTIONARY):
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


def evidence(criterion: Criterion, corpus: Corpus, labelled: Corpus | None = None) -> list[Evidence]:
    """The evidence of a corpus, and of labelled sentences beside it, under a criterion.

    Raises
    ------
    ParameterError
        The criterion needs tags that are not there, or allows no labelled sentences.
    """
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
        Evidence(corpus.sentences, kind, gold, weight, once, corpus.counts)
        for kind, once in zip(kinds, shown, strict=True)
    ]
    if labelled is None:
        return rows
    own = None if local else neighborhood("identity")
    return [Evidence(labelled.sentences, own, labelled.tags), *rows]


def objective(criterion: Criterion, contrast: Contrast, mean: Floats | None = None) -> Objective | Likelihood:
    """The function of θ that training maximizes; `mean` is that of a Gaussian prior, by default zero."""
    if criterion.name in LOCAL:
        return Likelihood(contrast.terms, Multinomials(distributions(contrast.features)), criterion.smoothing)
    prior = GaussianPrior(criterion.sigma2, mean)
    return Objective(contrast.numerators, prior, contrast.denominators, criterion.l1)
