"""The bundled sample: a few hundred short trees, written for fstce, for trying everything."""

from __future__ import annotations

from functools import cache
from importlib import resources
from operator import attrgetter
from typing import cast

from fstce.corpora.passages import passages
from fstce.corpora.sentence import Sentence, TaggedSentence


def sample() -> list[TaggedSentence]:
    """The sentences of the sample, with tags and trees, files in order of their names.

    Returns
    -------
    list of Sentence

    Examples
    --------
    >>> from fstce.corpora.shipped import sample
    >>> all(sentence.tree is not None for sentence in sample())
    True
    """
    return [cast(TaggedSentence, sentence) for sentence in _read()]


@cache
def _read() -> tuple[Sentence, ...]:
    """Read once: sentences do not change, and half of all examples begin with them."""
    sentences: list[Sentence] = []
    folder = resources.files("fstce.corpora").joinpath("sample")
    for file in sorted(folder.iterdir(), key=attrgetter("name")):
        if file.name.endswith(".mrg"):
            lines = enumerate(file.read_text(encoding="utf-8").split("\n"), 1)
            found = (p.sentence for p in passages(lines, f"sample/{file.name}", "penn"))
            sentences += filter(None, found)
    return tuple(sentences)
