"""EVALB: labeled and unlabeled brackets, crossing, tags, as Sekine & Collins's program counts them.

1. Words whose tags the parameters delete are taken out on each side, and spans close over
   them; phrases left without words, and brackets with a deleted label, do not count.
2. Of n gold and m predicted brackets of one category over the same words min(n, m) match.
3. A predicted bracket crosses if it overlaps some gold bracket and neither holds the other.
4. The length of a sentence counts its punctuation, but no empty elements.
5. A sentence without a parse is skipped: it lowers neither precision nor recall, so look
   at `skipped`. So is one whose parse has nothing left but deleted words.
6. A predicted tag may delete a word that the gold tag keeps, or keep one that it deletes.
   EVALB counts such a sentence among its errors and leaves it out; so does the default here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fstce.corpora.formats import check_choice
from fstce.corpora.trees import Tree
from fstce.errors import CorpusError
from fstce.evaluation.bracket_scores import (
    GOLD,
    MATCHED,
    PREDICTED,
    BracketCounts,
    BracketScores,
    category_rows,
    join,
    score_sentences,
)
from fstce.evaluation.brackets import (
    Brackets,
    Numbers,
    matches,
    pack,
    per_sentence,
    select,
    without_labels,
)
from fstce.evaluation.constituents import Constituents, constituents
from fstce.evaluation.evalb_parameters import EvalbParameters, collins
from fstce.numeric.types import Ints

_BLOCK = 4096
_QUOTES = frozenset({"'", '"', "/"})
_NOTHING = Constituents((), (), (), ())


class _Side(NamedTuple):
    """One side of many sentences."""

    brackets: Brackets
    tags: Ints


class _Pair(NamedTuple):
    """A sentence's two sides; neither has constituents if the sentence is not scored."""

    gold: Constituents
    predicted: Constituents
    length: int
    skipped: bool = False
    error: bool = False


def evalb_scores(
    gold: Sequence[Tree],
    predicted: Sequence[Tree | None],
    parameters: EvalbParameters | None = None,
    *,
    disagreement: str = "error",
) -> BracketScores[BracketCounts]:
    """The scores of parses by EVALB's definition.

    Parameters
    ----------
    gold : sequence of Tree
    predicted : sequence of Tree or None
        None where there is no parse.
    parameters : EvalbParameters, optional
        By default :func:`collins`.
    disagreement : {"error", "gold"}
        What becomes of a sentence whose words are the same, but whose predicted tags delete
        other words than the gold tags: counted among the errors and left out, or scored
        with the words that the gold tags leave.

    Returns
    -------
    BracketScores of BracketCounts
        By sentence; ``.total()`` sums, ``.up_to(40)`` limits, ``.by_category()`` divides.

    Raises
    ------
    CorpusError
        The numbers of sentences, or the words of a sentence, differ.

    Examples
    --------
    >>> from fstce.corpora import parse_tree
    >>> gold = parse_tree("(S (NP (PRP We)) (VP (VBP eat) (NP (NN fish))) (. .))")
    >>> found = parse_tree("(S (NP (PRP We)) (VP (VBP eat) (ADVP (RB fish))) (. .))")
    >>> total = evalb_scores([gold], [found]).total()
    >>> total.f1, total.unlabelled.f1, round(total.tagging_accuracy, 2)
    (75.0, 100.0, 66.67)
    """
    check_choice("disagreement", disagreement, ("error", "gold"))
    if len(gold) != len(predicted):
        raise CorpusError(f"{len(gold)} gold trees but {len(predicted)} predicted")
    if not gold:
        raise CorpusError("there are no trees to compare")
    chosen = parameters or collins()
    numbers = Numbers(chosen.category), Numbers(lambda tag: chosen.same_label.get(tag, tag))
    shards = []
    for first in range(0, len(gold), _BLOCK):
        rows = zip(gold[first : first + _BLOCK], predicted[first : first + _BLOCK], strict=True)
        pairs = [
            _pair(right, found, chosen, disagreement, number)
            for number, (right, found) in enumerate(rows, first + 1)
        ]
        shards.append(_score(pairs, chosen, *numbers))
    return join(shards, numbers[0].names)


def _pair(
    gold: Tree, predicted: Tree | None, parameters: EvalbParameters, disagreement: str, number: int
) -> _Pair:
    deleted = parameters.deleted
    right = constituents(gold, deleted)
    length = sum(tag not in parameters.deleted_for_length for tag in right.tags + right.deleted)
    if predicted is None or not (found := constituents(predicted, deleted)).words:
        return _Pair(_NOTHING, _NOTHING, length, skipped=True)
    if not _same_words(right.words, found.words, parameters):
        kept = _kept(gold, predicted, parameters, disagreement, number)
        right, found = (
            constituents(tree, deleted, keep) for tree, keep in zip((gold, predicted), kept, strict=True)
        )
    if not _same_words(right.words, found.words, parameters):
        return _Pair(_NOTHING, _NOTHING, length, error=True)
    return _Pair(right, found, length)


def _kept(
    gold: Tree, predicted: Tree, parameters: EvalbParameters, disagreement: str, number: int
) -> tuple[list[bool], list[bool]]:
    """Which words count on each side, where their tags do not say the same."""
    empty = parameters.deleted & parameters.deleted_for_length
    sides = [[pair for pair in tree.pos() if pair[1] not in empty] for tree in (gold, predicted)]
    right, found = (tuple(word for word, _ in side) for side in sides)
    if not _same_words(right, found, parameters):
        raise CorpusError(f"sentence {number}: {_difference(right, found)}")
    kept: tuple[list[bool], list[bool]] = ([], [])
    for (word, tag), (_, other) in zip(*sides, strict=True):
        keep, other_keep = tag not in parameters.deleted, other not in parameters.deleted
        if word in _QUOTES and {tag, other} <= parameters.quotes:
            keep = other_keep = keep or other_keep
        kept[0].append(keep)
        kept[1].append(keep if disagreement == "gold" else other_keep)
    return _with_empty(gold, kept[0], empty), _with_empty(predicted, kept[1], empty)


def _with_empty(tree: Tree, kept: list[bool], empty: frozenset[str]) -> list[bool]:
    """The same with the empty elements of the tree, which do not count."""
    rest = iter(kept)
    return [tag not in empty and next(rest) for _, tag in tree.pos()]


def _same_words(right: Sequence[str], found: Sequence[str], parameters: EvalbParameters) -> bool:
    same = parameters.same_word
    return right == found or (
        len(right) == len(found)
        and all(same.get(a, a) == same.get(b, b) for a, b in zip(right, found, strict=True))
    )


def _difference(right: Sequence[str], found: Sequence[str]) -> str:
    if len(right) != len(found):
        return f"{len(right)} words in the gold tree but {len(found)} in the predicted tree"
    place = next(i for i, (a, b) in enumerate(zip(right, found, strict=True)) if a != b)
    return f"word {place + 1} is {right[place]!r} in the gold tree but {found[place]!r} in the predicted tree"


def _score(
    pairs: Sequence[_Pair], parameters: EvalbParameters, labels: Numbers, tags: Numbers
) -> BracketScores[BracketCounts]:
    n_words = np.array([len(pair.gold.words) for pair in pairs])
    gold, predicted = (
        _side(rows, n_words, parameters, labels, tags)
        for rows in ([pair.gold for pair in pairs], [pair.predicted for pair in pairs])
    )
    here, there = gold.brackets, predicted.brackets
    found, bare = matches(here, there), matches(without_labels(here), without_labels(there))
    n_gold, n_predicted = (per_sentence(side.sentence, len(pairs)) for side in (here, there))
    unlabelled = per_sentence(bare.sentence, len(pairs), bare.times)
    skipped, errors = np.array([(pair.skipped, pair.error) for pair in pairs]).T
    scored = ~(skipped | errors)
    owner = np.repeat(np.arange(len(pairs)), n_words)
    return score_sentences(
        BracketCounts,
        here,
        there,
        found,
        np.array([pair.length for pair in pairs]),
        scored,
        category_rows((here, GOLD), (there, PREDICTED), (found, MATCHED)),
        unlabelled_matched=unlabelled,
        unlabelled_complete=scored & (n_gold == n_predicted) & (n_gold == unlabelled),
        words=n_words,
        right_tags=per_sentence(owner, len(pairs), gold.tags == predicted.tags),
        skipped=skipped,
        errors=errors,
    )


def _side(
    rows: Sequence[Constituents],
    n_words: Ints,
    parameters: EvalbParameters,
    labels: Numbers,
    tags: Numbers,
) -> _Side:
    numbered = [[(labels[label], start, end) for label, start, end in row.spans] for row in rows]
    brackets = pack(numbered, n_words)
    deleted = {parameters.same_label.get(label, label) for label in parameters.deleted}
    counts = np.array([name not in deleted for name in labels.names], dtype=bool)
    every_tag = np.array([tags[tag] for row in rows for tag in row.tags], dtype=np.int64)
    return _Side(select(brackets, counts[brackets.label]), every_tag)
