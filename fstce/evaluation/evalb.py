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

What is left out and what counts as the same, which EVALB reads from a parameter file, is said by
:class:`EvalbParameters`, by default as in ``COLLINS.prm``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from fstce.corpora.trees import Tree
from fstce.errors import CorpusError
from fstce.evaluation.bracket_scores import (
    BracketCounts,
    BracketScores,
    SentenceScore,
    constituents,
    matches,
    numbered,
    span_counts,
)
from fstce.parameters.rules import choice


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
        By default those of ``COLLINS.prm``.
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
    choice("error", "gold").check(disagreement=disagreement)
    chosen = parameters or COLLINS
    category = cache(chosen.category)
    rows = [
        _score(right, found, chosen, disagreement, category, number)
        for number, right, found in numbered(gold, predicted)
    ]
    return BracketScores.of(BracketCounts, rows)


def _score(
    gold: Tree,
    predicted: Tree | None,
    parameters: EvalbParameters,
    disagreement: str,
    category: Callable[[str], str],
    number: int,
) -> SentenceScore:
    deleted = parameters.deleted
    right = constituents(gold, deleted)
    length = sum(tag not in parameters.deleted_for_length for tag in right.tags + right.deleted)
    if predicted is None or not (found := constituents(predicted, deleted)).words:
        return SentenceScore(length, {"skipped": 1})
    if not _same_words(right.words, found.words, parameters):
        kept = _kept_by_gold(gold, predicted, parameters, number)
        if disagreement == "error":
            return SentenceScore(length, {"errors": 1})
        found = constituents(predicted, deleted, kept)
    same = parameters.same_label
    uncounted = {same.get(label, label) for label in deleted}
    here, there = (
        [(name, a, b) for label, a, b in side.spans if (name := category(label)) not in uncounted]
        for side in (right, found)
    )
    matched = matches(here, there)
    bare = matches(*([(a, b) for _, a, b in side] for side in (here, there))).total()
    counts = span_counts(here, there, matched.total()) | {
        "unlabelled_matched": bare,
        "unlabelled_complete": len(here) == len(there) == bare,
        "words": len(right.words),
        "right_tags": sum(
            same.get(a, a) == same.get(b, b) for a, b in zip(right.tags, found.tags, strict=True)
        ),
    }
    sides = here, there, matched.elements()
    return SentenceScore(length, counts, [[label for label, *_ in side] for side in sides])


def _kept_by_gold(
    gold: Tree, predicted: Tree, parameters: EvalbParameters, number: int
) -> list[bool]:
    """Which words of the predicted tree count by the tags of the gold tree."""
    empty = parameters.deleted & parameters.deleted_for_length
    sides = [[pair for pair in tree.pos() if pair[1] not in empty] for tree in (gold, predicted)]
    right, found = (tuple(word for word, _ in side) for side in sides)
    if not _same_words(right, found, parameters):
        raise CorpusError(f"sentence {number}: {_difference(right, found)}")
    kept = (tag not in parameters.deleted for _, tag in sides[0])
    return [tag not in empty and next(kept) for _, tag in predicted.pos()]


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


@dataclass(frozen=True)
class EvalbParameters:
    """What EVALB reads from a parameter file.

    ``deleted``: tags whose words are taken out, and labels of brackets that do not count.
    ``deleted_for_length``: tags whose words do not count for the length of a sentence. ``same_label``,
    ``same_word``: for a label or word that counts as another, that other.
    """

    deleted: frozenset[str] = frozenset()
    deleted_for_length: frozenset[str] = frozenset()
    same_label: Mapping[str, str] = field(default_factory=dict)
    same_word: Mapping[str, str] = field(default_factory=dict)

    def category(self, label: str) -> str:
        """The label as it is compared: without function tags and indices, its equals as one."""
        plain = label.split("-", 1)[0].split("=", 1)[0]
        return self.same_label.get(plain, plain)


# COLLINS.prm: no punctuation, no empty elements, ADVP = PRT. It deletes TOP; ROOT and S1 are the same bracket
# as other treebanks and parsers spell it.
COLLINS = EvalbParameters(
    deleted=frozenset({"TOP", "ROOT", "S1", "-NONE-", ",", ":", "``", "''", "."}),
    deleted_for_length=frozenset({"-NONE-"}),
    same_label={"PRT": "ADVP"},
)
