"""Which tag may govern which: a dozen rules as knowledge, where there are no trees to learn from.

A file has a rule a line: the head's tag, a tab, the dependent's tag; ``ROOT`` governs the head of
the sentence. A tag may be a pattern of the shell: ``VB*``. After another tab ``left`` or ``right``
says on which side of the head the dependent stands; else either. Lines that begin with ``#`` are
comments. fstce has four such files, by tagset and by what heads a phrase with a function word:
``penn``, ``penn-content``, ``upos-functional`` and ``upos``.

Knowledge that is no label, such as "four of five edges satisfy these rules", is a bound on an
expectation: posterior regularization with one inequality. Of all distributions q over the hidden
structures that keep it, the one nearest to the model's, in KL divergence, is the model's own with
its weights moved along the rules.

Source: Naseem, Chen, Barzilay & Johnson (2010), Table 1, for the functional ones; Ganchev, Graça,
Gillenwater & Taskar (2010), Eq. 7.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fstce.chart import DependencyModel
from fstce.corpora.documents import lines_of
from fstce.errors import CorpusError, ParameterError
from fstce.grammars.dmv import LEFT, RIGHT
from fstce.numeric.types import Floats, PathName, Term

SHIPPED = ("penn", "penn-content", "upos", "upos-functional")
ROOT = "ROOT"
SIDES = ("left", "right")
_COMMENT = "#"
MOST = 30.0  # λ in nats beyond which q does not change: e³⁰ to one
EXACT = 1e-6  # nats of λ


class AttachmentRule(NamedTuple):
    """Patterns of tags.

    What may govern, what it governs, and on which side of it: left, right or either.
    """

    head: str
    dependent: str
    side: str | None = None


def read_rules(source: PathName) -> list[AttachmentRule]:
    """The rules of a file, or those that fstce has under a name.

    >>> read_rules("penn")[0]
    AttachmentRule(head='ROOT', dependent='VB*', side=None)
    """
    if source in SHIPPED:
        lines = (
            files("fstce.grammars").joinpath(f"rules_{source}.tsv").read_text("utf-8").split("\n")
        )
    elif Path(source).is_file():
        lines = lines_of(source)
    else:
        raise ParameterError(
            f"attachment_rules={os.fspath(source)!r}: neither a file nor one of "
            f"{', '.join(SHIPPED)}"
        )

    rules = [
        _rule(line, f"{source}:{n}")
        for n, line in enumerate(lines, 1)
        if line.strip() and not line.startswith(_COMMENT)
    ]
    if not rules:
        raise CorpusError(f"{source}: there is no rule; write head, tab, dependent, one a line")
    return rules


def satisfying(
    rules: Sequence[AttachmentRule], model: DependencyModel, head_final: bool = False
) -> Floats:
    """r: 1 for each feature of an attachment that a rule allows, shape (features,).

    ``head_final``: whether a rule without a side is about dependents on the left alone.
    """
    rewarded = np.zeros(model.size)
    tags = np.arange(model.n_tags)
    unsaid = (LEFT,) if head_final else (LEFT, RIGHT)

    for head, dependent, side in rules:
        dependents = tags[[_matches(tag, dependent) for tag in model.tags]]
        if head == ROOT:
            rewarded[model.root(dependents)] = 1.0
            continue
        heads = tags[[_matches(tag, head) for tag in model.tags]]
        sides = (SIDES.index(side),) if side else unsaid
        for number in sides:
            rewarded[model.child(heads[:, None], dependents, number)] = 1.0

    if not rewarded.any():
        raise ParameterError(
            f"attachment_rules: no rule is about the tags {', '.join(model.tags[:8])}; "
            "choose rules of this tagset, or another column of tags"
        )
    return rewarded


def attaching(model: DependencyModel) -> Floats:
    """n: 1 for each feature of an attachment, one of which every word has, shape (features,)."""
    counted = np.zeros(model.size)
    counted[: model.n_tags * (2 * model.n_tags + 1)] = 1.0
    return counted


def _matches(tag: str, pattern: str) -> bool:
    # A tag such as "[A]" is also a pattern, which does not match itself.
    return tag == pattern or fnmatchcase(tag, pattern)


def _rule(line: str, where: str) -> AttachmentRule:
    fields = line.split()
    if len(fields) not in (2, 3):
        raise CorpusError(
            f"{where}: {len(fields)} fields; a rule is the head's tag, a tab, the dependent's tag, "
            "and perhaps a tab and left or right"
        )
    if fields[2:] and fields[2] not in SIDES:
        raise CorpusError(f"{where}: {fields[2]!r} is no side of a head: left or right")
    return AttachmentRule(*fields)


def weighted(term: Term, weights: Floats) -> Term:
    """Σ log Σ_t p_θ(x, t) exp(w·f(t)).

    A sum over trees that have weights w besides the grammar's.
    """
    return lambda theta: term(theta + weights)


def constrained(term: Term, rewarded: Floats, counted: Floats, share: float) -> Term:
    """Σ log Z(θ) − min KL(q ‖ p_θ) over the q that keep E_q[r·f] ≥ b E_q[n·f].

    The minimum is q ∝ p_θ exp(λ (r − b n)·f) with the least λ ≥ 0 that keeps the bound, so that the
    value is min over λ of Σ log Z(θ + λ (r − b n)), a convex function of one scalar, and its
    gradient the expected counts under q. Where no λ keeps the bound, which no q may then, the
    largest serves.

    ``term``: θ → (Σ log Z, expected counts). ``rewarded`` (features,): r. ``counted``: n.
    ``share``: b. Three structures with a feature each; the last two are to have four fifths of the
    probability:

    >>> def term(theta):
    ...     z = np.exp(theta).sum()
    ...     return float(np.log(z)), np.exp(theta) / z
    >>> constrained(term, np.array([0.0, 1, 1]), np.ones(3), 0.8)(np.zeros(3))[1].round(3).tolist()
    [0.2, 0.4, 0.4]
    """
    direction = rewarded - share * counted

    def nearest(theta: Floats) -> tuple[float, Floats]:
        # Each λ costs a pass over all charts: what the search has summed is not summed again.
        at = lru_cache(maxsize=None)(lambda multiplier: term(theta + multiplier * direction))
        return at(_least(lambda multiplier: float(direction @ at(multiplier)[1])))

    return nearest


def _least(slack: Callable[[float], float]) -> float:
    """λ: d/dλ Σ log Z(θ + λ d) = E_q[d·f], the slack, rises from below 0,
    or is not below 0 at once.
    """
    if slack(0.0) >= 0.0:
        return 0.0

    low = 0.0
    high = 1.0
    while slack(high) < 0.0:
        low = high
        high *= 2.0
        if high > MOST:
            return MOST

    from scipy.optimize import brentq  # takes half a second; applying a model need not wait

    return float(brentq(slack, low, high, xtol=EXACT))
