"""Tagged sentences as feature counts: the numerators and the statistics of supervised training."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fstce.corpora.rows import check_aligned
from fstce.errors import CorpusError
from fstce.machines.symbols import Symbols
from fstce.numeric.kernels import total
from fstce.numeric.types import Floats, Ints, Rows
from fstce.wfsa.features import TagFeatures, locate


class Tokens(NamedTuple):
    """A tagged corpus as numbers: each word with its tag, and the code of each tag n-gram."""

    word: Ints
    tag: Ints
    ngram: Ints


def tokens(sentences: Rows, gold: Rows, symbols: Symbols, tags: Sequence[str], order: int) -> Tokens:
    """Number the words, tags and n-grams of a tagged corpus, sentence after sentence."""
    check_aligned(sentences, gold)
    number = {tag: i for i, tag in enumerate(tags)}
    for i, row in enumerate(gold, 1):
        strange = next((tag for tag in row if tag not in number), None)
        if strange is not None:
            raise CorpusError(f"sentence {i}: the tag {strange!r} is not in the dictionary's tagset")
    tag = np.array([number[t] for row in gold for t in row], dtype=np.int64)
    lengths = np.array([len(row) for row in gold])
    word = symbols.ids([w for sentence in sentences for w in sentence]).astype(np.int64)
    return Tokens(word, tag, _codes(tag, lengths, len(tags), order))


def check_allowed(tagged: Tokens, pairs: tuple[Ints, Ints], symbols: Symbols, tags: Sequence[str]) -> None:
    """Raise CorpusError unless the dictionary's pairs have every gold tag; others would have no weight."""
    _, known = locate(pairs[0] * len(tags) + pairs[1], tagged.word * len(tags) + tagged.tag)
    if not np.all(known):
        i = int(np.argmin(known))
        word, tag = symbols.word(int(tagged.word[i])), tags[int(tagged.tag[i])]
        raise CorpusError(
            f"{word}/{tag}: the dictionary does not list this tag for the word; "
            "add it, or leave the word out of the dictionary"
        )


def feature_counts(tagged: Tokens, features: TagFeatures, symbols: Symbols) -> tuple[Floats, float]:
    """How often each feature occurs in the tagged corpus, shape (features,); what its guesses add, nats."""
    width, n = len(features.tags), len(features.ngrams)
    index, known = locate(features.ngrams, tagged.ngram)
    ngrams = total(np.where(known, index, n), np.ones(len(index)), n + 1)[:-1]
    keys, times = np.unique(tagged.word * width + tagged.tag, return_counts=True)
    pairs, count = np.divmod(keys, width), times.astype(np.float64)
    matrix = features.emission_matrix(symbols, *pairs)
    guessed = float(features.emission_guesses(symbols, *pairs) @ count)
    return np.concatenate((ngrams, matrix.T @ count)), guessed


def _codes(tag: Ints, lengths: Ints, n_tags: int, order: int) -> Ints:
    """The code of the n-gram that each tag and each final boundary completes."""
    ends = np.cumsum(lengths + order) - 1
    starts = ends - lengths - order + 1
    padded = np.full(int((lengths + order).sum()), n_tags)
    inside = np.ones(len(padded), dtype=bool)
    inside[ends] = False
    for i in range(order - 1):
        inside[starts + i] = False
    padded[inside] = tag
    # code = Σ_i (T + 1)^(n − 1 − i) · t_(j + i), T standing for a boundary: one for each place, (places,)
    base = n_tags + 1
    codes = sum(base ** (order - 1 - i) * padded[i : len(padded) - order + 1 + i] for i in range(order))
    complete = np.ones(len(padded), dtype=bool)
    for i in range(order - 1):
        complete[starts + i] = False
    return np.asarray(codes, dtype=np.int64)[complete[order - 1 :]] + 1
