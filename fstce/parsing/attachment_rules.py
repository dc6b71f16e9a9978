"""Which tag may govern which: a dozen rules as knowledge, where there are no trees to learn from.

A file has a rule a line: the head's tag, a tab, the kid's tag; ``ROOT`` governs the head of the
sentence. A tag may be a pattern of the shell: ``VB*``. Lines that begin with ``#`` are comments.
fstce has four such files, by tagset and by what heads a phrase with a function word:
``penn``, ``penn-content``, ``upos-functional`` and ``upos``.

Source: Naseem, Chen, Barzilay & Johnson (2010), Table 1, for the functional ones.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from fnmatch import fnmatchcase
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fstce.chart import DependencyModel
from fstce.corpora.documents import lines_of
from fstce.errors import CorpusError, ParameterError
from fstce.numeric.types import Floats

SHIPPED = ("penn", "penn-content", "upos", "upos-functional")
ROOT = "ROOT"
_COMMENT = "#"


class AttachmentRule(NamedTuple):
    """Patterns of tags: what may govern, and what it governs."""

    head: str
    kid: str


def read_rules(source: str | os.PathLike[str]) -> list[AttachmentRule]:
    """The rules of a file, or those that fstce has under a name.

    >>> read_rules("penn")[0]
    AttachmentRule(head='ROOT', kid='VB*')
    """
    if source in SHIPPED:
        lines = files("fstce.grammars").joinpath(f"rules_{source}.tsv").read_text("utf-8").split("\n")
    elif Path(source).is_file():
        lines = lines_of(source)
    else:
        raise ParameterError(
            f"attachment_rules={os.fspath(source)!r}: neither a file nor one of {', '.join(SHIPPED)}"
        )
    numbered = enumerate(lines, 1)
    found = [_rule(line, f"{source}:{number}") for number, line in numbered if _says_something(line)]
    if not found:
        raise CorpusError(f"{source}: there is no rule; write head, tab, kid, one a line")
    return found


def obeying(rules: Sequence[AttachmentRule], model: DependencyModel) -> Floats:
    """r: 1 for each feature of an attachment that a rule allows, shape (features,)."""
    rewarded = np.zeros(model.size)
    tags = np.arange(model.n_tags)
    for head, kid in rules:
        kids = tags[[_matches(tag, kid) for tag in model.tags]]
        if head == ROOT:
            rewarded[model.root(kids)] = 1.0
            continue
        heads = tags[[_matches(tag, head) for tag in model.tags]]
        for side in (0, 1):
            rewarded[model.kid(heads[:, None], kids, side)] = 1.0
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


def _says_something(line: str) -> bool:
    return bool(line.strip()) and not line.startswith(_COMMENT)


def _rule(line: str, where: str) -> AttachmentRule:
    fields = line.split()
    if len(fields) != 2:
        raise CorpusError(f"{where}: {len(fields)} fields; a rule is the head's tag, a tab, the kid's tag")
    return AttachmentRule(*fields)
