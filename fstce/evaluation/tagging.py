"""Tagging accuracy: over all words, and over the ambiguous ones as in the tagging paper.

A word is ambiguous if its dictionary entry lists more than one tag. The random row is
what choosing among a word's tags by chance would score on average.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from fstce.corpora.dictionary import TagDictionary
from fstce.corpora.words import check_aligned
from fstce.errors import CorpusError
from fstce.evaluation.bootstrap import ScoreDifference, bootstrap, compare
from fstce.evaluation.bracket_scores import percent
from fstce.numeric.kernels import total
from fstce.numeric.types import Floats, Rows

_AMBIGUOUS = slice(1, None, 2)  # of the four groups of words


class Accuracy(NamedTuple):
    """Percentages right, of ambiguous and of all words, and how many words of each there are."""

    ambiguous: float
    all: float
    n_ambiguous: int
    n_all: int


class GroupAccuracy(NamedTuple):
    """Words: how many, percentages right by chance and of the model, its 95 % interval."""

    n: int
    random: float
    model: float
    low: float
    high: float


def accuracy(gold: Rows, predicted: Rows) -> float:
    """The share of words with the gold tag.

    Examples
    --------
    >>> accuracy([["D", "N"]], [["D", "V"]])
    0.5
    """
    pairs = _tokens(gold, predicted)
    return sum(right == answer for right, answer in pairs) / len(pairs)


def tagging_accuracy(
    sentences: Rows, gold: Rows, predicted: Rows, dictionary: TagDictionary
) -> Accuracy:
    """Accuracy in percent over ambiguous and over all words.

    Examples
    --------
    >>> from fstce.corpora import TagDictionary
    >>> dictionary = TagDictionary({"the": "D", "saw": ["N", "V"]})
    >>> tagging_accuracy([["the", "saw"]], [["D", "N"]], [["D", "V"]], dictionary)
    Accuracy(ambiguous=0.0, all=50.0, n_ambiguous=1, n_all=2)
    """
    return _accuracy(sentences, _right(sentences, gold, predicted), dictionary)


def random_accuracy(sentences: Rows, gold: Rows, dictionary: TagDictionary) -> Accuracy:
    """The expected accuracy of choosing each word's tag by chance among its dictionary's.

    Examples
    --------
    >>> from fstce.corpora import TagDictionary
    >>> random_accuracy([["saw"]], [["N"]], TagDictionary({"saw": ["N", "V"]})).all
    50.0
    """
    return _accuracy(sentences, _chances(sentences, gold, dictionary), dictionary)


def accuracy_by_listing(
    sentences: Rows, gold: Rows, predicted: Rows, dictionary: TagDictionary
) -> dict[str, GroupAccuracy]:
    """Accuracy of listed and of OOV words, of each also of the ambiguous ones.

    Parameters
    ----------
    sentences, gold, predicted : sequences of sequences of str
    dictionary : TagDictionary
        A word is ambiguous if it may take several tags, listed or not.

    Returns
    -------
    dict of str to GroupAccuracy
        ``listed``, ``listed, ambiguous``, ``OOV``, ``OOV, ambiguous``; intervals by
        bootstrap over sentences, NaN of no words.

    Examples
    --------
    >>> from fstce.corpora import TagDictionary
    >>> dictionary = TagDictionary({"the": "D", "saw": ["N", "V"]})
    >>> found = accuracy_by_listing([["the", "cat"]], [["D", "N"]], [["D", "V"]], dictionary)
    >>> found["listed"].model, found["OOV"].model, found["listed, ambiguous"].n
    (100.0, 0.0, 0)
    """
    values = _right(sentences, gold, predicted), _chances(sentences, gold, dictionary)
    counts = _counts(sentences, dictionary, *values)
    groups = {"listed": [0, 1], "listed, ambiguous": [1], "OOV": [2, 3], "OOV, ambiguous": [3]}
    return {name: _group(counts[:, group].sum(axis=1)) for name, group in groups.items()}


def compare_taggings(
    sentences: Rows, gold: Rows, first: Rows, second: Rows, dictionary: TagDictionary
) -> dict[str, ScoreDifference]:
    """How much better the first tagging is than the second, in points, with a paired test.

    Parameters
    ----------
    sentences, gold, first, second : sequences of sequences of str
        The words, their tags, and those of two taggers.
    dictionary : TagDictionary
        Says which words are ambiguous.

    Returns
    -------
    dict of str to ScoreDifference
        Of ``all`` and ``ambiguous`` words; resampled and exchanged by sentences
        (:func:`fstce.evaluation.compare`).

    Examples
    --------
    >>> from fstce.corpora import TagDictionary
    >>> words, gold = [["we", "fish"]] * 9, [["P", "V"]] * 9
    >>> listed = TagDictionary({"we": "P", "fish": ["N", "V"]})
    >>> compare_taggings(words, gold, gold, [["P", "N"]] * 9, listed)["all"].difference
    50.0
    """
    first_counts = _counts(sentences, dictionary, _right(sentences, gold, first))
    second_counts = _counts(sentences, dictionary, _right(sentences, gold, second))
    differences: dict[str, ScoreDifference] = {}
    with np.errstate(invalid="ignore"):
        for name, group in (("all", slice(None)), ("ambiguous", _AMBIGUOUS)):
            ours = first_counts[:, group].sum(axis=1)
            theirs = second_counts[:, group].sum(axis=1)
            differences[name] = compare(ours, theirs, _share)
    return differences


def disagreements(
    gold: Rows, first: Rows, second: Rows, n: int = 10
) -> tuple[dict[str, int], list[tuple[str, str, str, int]]]:
    """Where two taggings differ: how often which is right, and the n most frequent differences.

    Returns the words on which they differ: ``first`` or ``second`` is right, or ``neither``.
    """
    pairs = zip(_tokens(gold, first), _tokens(gold, second), strict=True)
    apart = Counter((right, a, b) for (right, a), (_, b) in pairs if a != b)

    times = dict.fromkeys(("first", "second", "neither"), 0)
    for (right, a, b), count in apart.items():
        times[{a: "first", b: "second"}.get(right, "neither")] += count
    return times, [(*tags, count) for tags, count in apart.most_common(n)]


def confusions(gold: Rows, predicted: Rows, n: int = 10) -> list[tuple[str, str, int]]:
    """The n most frequent errors as (gold tag, predicted tag, count)."""
    wrong = Counter(pair for pair in _tokens(gold, predicted) if pair[0] != pair[1])
    return [(*pair, count) for pair, count in wrong.most_common(n)]


def _tokens(gold: Rows, predicted: Rows) -> list[tuple[str, str]]:
    """The gold tag and the predicted one of each word."""
    check_aligned(gold, predicted, "predicted tags", "gold tags")
    tokens = [pair for row in zip(gold, predicted, strict=True) for pair in zip(*row, strict=True)]
    if not tokens:
        raise CorpusError("there are no tags to compare")
    return tokens


def _right(sentences: Rows, gold: Rows, predicted: Rows) -> list[bool]:
    """Whether each word of all sentences has its gold tag."""
    check_aligned(sentences, gold, "gold tags")
    return [right == answer for right, answer in _tokens(gold, predicted)]


def _chances(sentences: Rows, gold: Rows, dictionary: TagDictionary) -> list[float]:
    """How probable the gold tag of each word is by chance."""
    check_aligned(sentences, gold, "gold tags")
    allowed = _allowed(sentences, dictionary)
    pairs = zip(chain.from_iterable(sentences), chain.from_iterable(gold), strict=True)
    return [(tag in allowed[word]) / len(allowed[word]) for word, tag in pairs]


def _allowed(sentences: Rows, dictionary: TagDictionary) -> dict[str, tuple[str, ...]]:
    """The tags that each word may take."""
    words = list(set(chain.from_iterable(sentences)))
    return dict(zip(words, dictionary.lookup_all(words), strict=True))


def _counts(sentences: Rows, dictionary: TagDictionary, *values: Sequence[float]) -> Floats:
    """The words of each sentence and the sums of their values; (sentences, 4, 1 + values).

    The four groups: listed words of one tag, and of several; OOV words of one tag, and of several.
    ``values``: of each word of all sentences.
    """
    words = list(chain.from_iterable(sentences))
    allowed = _allowed(sentences, dictionary)
    group = {w: 2 * (w not in dictionary) + (len(tags) > 1) for w, tags in allowed.items()}
    number = np.repeat(np.arange(len(sentences)), [*map(len, sentences)])
    cells = 4 * number + np.array([group[word] for word in words])
    columns = np.array([np.ones(len(words)), *values])
    sums = [total(cells, column, 4 * len(sentences)) for column in columns]
    return np.stack(sums, axis=1).reshape(len(sentences), 4, 1 + len(values))


def _accuracy(sentences: Rows, values: Sequence[float], dictionary: TagDictionary) -> Accuracy:
    """The percentages of words that count, over ambiguous and over all words."""
    groups = _counts(sentences, dictionary, values).sum(axis=0)
    n_hard, hard = groups[_AMBIGUOUS].sum(axis=0).tolist()
    n_words, right = groups.sum(axis=0).tolist()
    return Accuracy(percent(hard, n_hard), percent(right, n_words), int(n_hard), int(n_words))


def _group(counts: Floats) -> GroupAccuracy:
    """The accuracy of words, those right and right by chance, by sentence: (sentences, 3)."""
    n, _, chance = counts.sum(axis=0)
    with np.errstate(invalid="ignore"):
        model = bootstrap(counts, _share)
        return GroupAccuracy(int(n), float(100 * chance / n), model.estimate, model.low, model.high)


def _share(sums: Floats) -> Floats:
    """Of words those that are right, in percent."""
    return 100 * sums[..., 1] / sums[..., 0]
