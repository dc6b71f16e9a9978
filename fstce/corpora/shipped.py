"""The bundled sample: a few hundred short trees, written for fstce, for trying everything."""

from __future__ import annotations

from functools import cache
from importlib import resources
from itertools import chain
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
    folder = resources.files("fstce.corpora").joinpath("sample")
    files = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".mrg")),
        key=lambda file: file.name,
    )
    texts = (
        (f"sample/{file.name}", file.read_text(encoding="utf-8").split("\n")) for file in files
    )
    read = chain.from_iterable(passages(enumerate(lines, 1), name, "penn") for name, lines in texts)
    return tuple(passage.sentence for passage in read if passage.sentence is not None)
