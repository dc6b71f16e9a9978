"""Which tag may govern which: a dozen rules as knowledge, where there are no trees to learn from.

A file has a rule a line: the head's tag, a tab, the dependent's tag; ``ROOT`` governs the head of
the sentence. A tag may be a pattern of the shell: ``VB*``. After another tab ``left`` or ``right``
says on which side of the head the dependent stands; else either. Lines that begin with ``#`` are
comments, but for the tag ``#`` before a tab. fstce has four such files, by tagset and by what heads
a phrase with a function word: ``penn``, ``penn-content``, ``upos-functional`` and ``upos``.

EM weighs the trees of each sentence by how many of their edges satisfy a rule.

Source: Naseem, Chen, Barzilay & Johnson (2010), Table 1, for the functional ones.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from fstce.chart import DependencyModel
from fstce.corpora.documents import is_file, lines_of
from fstce.errors import CorpusError, ParameterError
from fstce.grammars.dmv import LEFT, RIGHT
from fstce.numeric.types import Floats, PathName

SHIPPED = ("penn", "penn-content", "upos", "upos-functional")
ROOT = "ROOT"
SIDES = ("left", "right")
_NO_RULE = re.compile(r"\s*$|#(?!\t)")  # a hash before a tab is the Penn Treebank's tag
MOST_UNNAMED = 1 / 3  # of the tags, where they are those of another tagset in part
MOST = 30.0  # nats of an edge that satisfies a rule: e³⁰ to one


class AttachmentRule(NamedTuple):
    """Patterns of tags.

    What may govern, what it governs, and on which side of it: left, right or either.
    """

    head: str
    dependent: str
    side: str | None = None

    @property
    def line(self) -> str:
        """The rule as a line of a file."""
        return "\t".join(filter(None, self))


def read_rules(source: PathName) -> tuple[AttachmentRule, ...]:
    """The rules of a file, or those that fstce has under a name.

    >>> read_rules("penn")[0]
    AttachmentRule(head='ROOT', dependent='VB*', side=None)
    """
    path = source
    if source in SHIPPED:
        path = str(files("fstce.grammars").joinpath(f"rules_{source}.tsv"))
    elif not is_file(source):
        raise ParameterError(
            f"attachment_rules={os.fspath(source)!r}: neither a file nor one of "
            f"{', '.join(SHIPPED)}"
        )

    rules = tuple(
        rule_of(line, f"{source}:{n}")
        for n, line in enumerate(lines_of(path), 1)
        if not _NO_RULE.match(line)
    )
    if not rules:
        raise CorpusError(f"{source}: there is no rule; write head, tab, dependent, one a line")
    return rules


@lru_cache(maxsize=2)  # a parser asks for each batch of sentences
def satisfying(
    rules: tuple[AttachmentRule, ...], model: DependencyModel, head_final: bool = False
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
        sides = unsaid
        if side:
            sides = (SIDES.index(side),)

        for number in sides:
            rewarded[model.child(heads[:, None], dependents, number)] = 1.0

    rewarded.flags.writeable = False
    return rewarded


def check_tagset(rules: Sequence[AttachmentRule], model: DependencyModel, allowed: Floats) -> None:
    """Raise ParameterError unless a rule is about these tags; warn where many have none.

    ``allowed``: the attachments of the model that satisfy one.
    """
    if not allowed.any():
        raise ParameterError(
            f"attachment_rules: no rule is about the tags {', '.join(model.tags[:8])}; "
            "choose rules of this tagset, or another column of tags"
        )
    named = {pattern for rule in rules for pattern in rule[:2]}
    unnamed = [tag for tag in model.tags if not any(_matches(tag, name) for name in named)]
    if len(unnamed) > MOST_UNNAMED * model.n_tags:
        warnings.warn(
            f"attachment_rules: of {model.n_tags} tags no rule is about {' '.join(unnamed[:8])}; "
            "choose rules of this tagset, or another column of tags",
            stacklevel=2,
        )


def attaching(model: DependencyModel) -> Floats:
    """n: 1 for each feature of an attachment, one of which every word has, shape (features,)."""
    counted = np.zeros(model.size)
    counted[: model.n_tags * (2 * model.n_tags + 1)] = 1.0
    return counted


def _matches(tag: str, pattern: str) -> bool:
    # A tag such as "[A]" is also a pattern, which does not match itself.
    return tag == pattern or fnmatchcase(tag, pattern)


def rule_of(line: str, where: str) -> AttachmentRule:
    """The rule of a line; raises CorpusError, which says where it stands."""
    fields = line.split()
    if len(fields) not in (2, 3):
        raise CorpusError(
            f"{where}: {len(fields)} fields; a rule is the head's tag, a tab, the dependent's tag, "
            "and perhaps a tab and left or right"
        )
    if fields[2:] and fields[2] not in SIDES:
        raise CorpusError(f"{where}: {fields[2]!r} is no side of a head: left or right")
    return AttachmentRule(*fields)
