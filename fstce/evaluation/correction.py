"""How good a correction is: what was found, what was put right, what was spoilt.

All is counted in changes of words. What should change is the alignment of the observed and
the true sentence, what was changed that of the observed sentence and the correction
(Dahlmeier & Ng 2012 measure so). A change is *detected* if the right place was changed,
*corrected* if it was changed to the right words. F½ weighs precision twice (Ng et al. 2014).

The alignment is one of the fewest changes, in which a word is never aligned with a punctuation
mark: a comma that went and a word that came are two changes. Of equally short ones it is one that
rather moves marks than words, and always the same one, so that equal corrections are seen to be
equal. Lines of more than a thousand words or so are first cut at what is equal in both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from typing import NamedTuple

from fstce.corpora.words import ESCAPED, common_ends, listed
from fstce.errors import CorpusError
from fstce.numeric.types import Sentences


class Ratio(NamedTuple):
    """Precision and recall of what was found among what there is."""

    hits: int = 0
    proposed: int = 0
    wanted: int = 0

    @property
    def precision(self) -> float:
        """The share of what was proposed that is right; 1 where nothing was."""
        return _share(self.hits, self.proposed, 1.0)

    @property
    def recall(self) -> float:
        """The share of what was wanted that was found; 1 where nothing was."""
        return _share(self.hits, self.wanted, 1.0)

    def f(self, beta: float) -> float:
        """F_β = (1 + β²)PR / (β²P + R)."""
        weighted = beta**2 * self.precision + self.recall
        return _share((1 + beta**2) * self.precision * self.recall, weighted)


class CorrectionScores(NamedTuple):
    """Counts over sentences.

    ``wanted``, ``proposed``: changes that lead from what was observed to the truth, and to the
    correction. ``detected``, ``corrected``: changes in the right place, and those of them that are
    right. ``damaged``: observed words that were right and that were changed or deleted. ``before``,
    ``after``: word errors of what was observed and of the correction.
    """

    words: int = 0
    clean: int = 0
    wanted: int = 0
    proposed: int = 0
    detected: int = 0
    corrected: int = 0
    damaged: int = 0
    before: int = 0
    after: int = 0

    @property
    def detection(self) -> Ratio:
        """Of places that were changed."""
        return Ratio(self.detected, self.proposed, self.wanted)

    @property
    def correction(self) -> Ratio:
        """Of changes."""
        return Ratio(self.corrected, self.proposed, self.wanted)

    @property
    def error_rate_before(self) -> float:
        """Word error rate of what was observed, in percent of the true words."""
        return 100 * _share(self.before, self.words)

    @property
    def error_rate(self) -> float:
        """Word error rate of the correction, in percent of the true words."""
        return 100 * _share(self.after, self.words)

    @property
    def damage_rate(self) -> float:
        """Clean words damaged, in percent of the clean words."""
        return 100 * _share(self.damaged, self.clean)


def _share(part: float, of: float, nothing: float = 0.0) -> float:
    """The share of a part; of nothing another value."""
    return part / of if of else nothing


def correction_scores(
    observed: Sentences,
    true: Sentences,
    corrected: Sentences,
    concerns: Callable[[str], bool] | None = None,
) -> CorrectionScores:
    """Compare corrections with the truth.

    ``concerns``: only changes that put in or take away a word of which this holds count, such as
    :func:`is_mark`.
    """
    sides = {"observed": observed, "true": true, "corrected": corrected}
    texts = {name: listed(side, name, rows=True) for name, side in sides.items()}
    if len({len(text) for text in texts.values()}) > 1:
        counts = ", ".join(f"{len(text)} {name}" for name, text in texts.items())
        raise CorpusError(f"{counts} sentences; give as many of each")

    rows = (_scores(concerns, *row) for row in zip(*texts.values(), strict=True))
    return CorrectionScores(*map(sum, zip(*rows, strict=True)))


def _scores(
    concerns: Callable[[str], bool] | None,
    observed: Sequence[str],
    true: Sequence[str],
    corrected: Sequence[str],
) -> CorrectionScores:
    def counts(edit: Edit) -> bool:
        """Whether a change is of a word that concerns."""
        words = (*observed[edit.start : edit.end], *edit.words)
        return concerns is None or any(map(concerns, words))

    wanted = list(filter(counts, edits(observed, true)))
    proposed = list(filter(counts, edits(observed, corrected)))
    places = [edit[:2] for edit in wanted]
    wrong = {edit.start for edit in wanted if edit.end > edit.start}

    return CorrectionScores(
        words=len(true),
        clean=len(observed) - len(wrong),
        wanted=len(wanted),
        proposed=len(proposed),
        detected=_common([edit[:2] for edit in proposed], places),
        corrected=_common(proposed, wanted),
        damaged=sum(edit.end > edit.start and edit[:2] not in places for edit in proposed),
        before=word_errors(observed, true),
        after=word_errors(corrected, true),
    )


def _common(proposed: Sequence[object], wanted: Sequence[object]) -> int:
    """How many of the proposed are wanted, each wanted one counted once."""
    return (Counter(proposed) & Counter(wanted)).total()


Pair = tuple[int | None, int | None]
LARGEST = 1_000_000  # cells of a table of distances


class Edit(NamedTuple):
    """One change: the words ``[start, end)`` of the first sentence become `words`.

    ``start``, ``end``: equal where a word is inserted before word `start`.
    """

    start: int
    end: int
    words: tuple[str, ...]


def align(old: Sequence[str], new: Sequence[str]) -> list[Pair]:
    """Pairs of positions, None where a word has no counterpart.

    >>> align("well then go".split(), "well , then stop".split())
    [(0, 0), (None, 1), (1, 2), (2, 3)]
    """
    first, end = common_ends(old, new)
    moves = _moves(old[first : len(old) - end], new[first : len(new) - end])

    pairs: list[Pair] = []
    i = j = 0
    for by_old, by_new in [_BOTH] * first + moves + [_BOTH] * end:
        pairs.append((i if by_old else None, j if by_new else None))
        i += by_old
        j += by_new
    return pairs


def edits(old: Sequence[str], new: Sequence[str]) -> list[Edit]:
    """The changes that make the new sentence of the old one, in order."""
    changes: list[Edit] = []
    after = 0  # the position behind the last old word
    for i, j in align(old, new):
        words = () if j is None else (new[j],)
        if i is None:
            changes.append(Edit(after, after, words))
            continue
        if j is None or old[i] != new[j]:
            changes.append(Edit(i, i + 1, words))
        after = i + 1
    return changes


def word_errors(old: Sequence[str], new: Sequence[str]) -> int:
    """The Levenshtein distance in words: substitutions, insertions and deletions."""
    row = list(range(len(new) + 1))
    for i, word in enumerate(old, 1):
        above = row
        row = [i]
        for j, new_word in enumerate(new, 1):
            row.append(min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (word != new_word)))
    return row[-1]


def is_mark(word: str) -> bool:
    """Whether a token is punctuation: no letter and no digit, or a Penn Treebank bracket.

    >>> is_mark("--"), is_mark("-LRB-"), is_mark("n't")
    (True, True, False)
    """
    return not any(map(str.isalnum, word)) or word in ESCAPED


# Words of the old and of the new sentence that a step of an alignment takes.
_BOTH, _OLD, _NEW = (1, 1), (1, 0), (0, 1)


def _moves(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """The way through the table of distances; of long sentences through those between blocks."""
    moves: list[tuple[int, int]] = []
    if len(old) * len(new) > LARGEST:
        for operation, i, i_end, j, j_end in SequenceMatcher(None, old, new).get_opcodes():
            if operation == "equal":
                moves += [_BOTH] * (i_end - i)
            elif (i_end - i) * (j_end - j) <= LARGEST:
                moves += _moves(old[i:i_end], new[j:j_end])
            else:
                moves += [_OLD] * (i_end - i) + [_NEW] * (j_end - j)
        return moves

    cost = _distances(old, new)
    i = j = 0
    while i < len(old) and j < len(new):
        move = _NEW
        if cost[i][j] == cost[i + 1][j + 1] + _change(old[i], new[j]):
            move = _BOTH
        elif cost[i][j] == cost[i + 1][j] + _single(old[i]):
            move = _OLD
        moves.append(move)
        i += move[0]
        j += move[1]
    return moves + [_OLD] * (len(old) - i) + [_NEW] * (len(new) - j)


def _distances(old: Sequence[str], new: Sequence[str]) -> list[list[int]]:
    """The distance between ``old[i:]`` and ``new[j:]``, from the end on."""
    insertion = list(map(_single, new))
    table = [list(accumulate(reversed(insertion), initial=0))[::-1]]

    for i in range(len(old) - 1, -1, -1):
        below = table[-1]
        deletion = _single(old[i])
        row = [0] * len(new) + [below[-1] + deletion]
        for j in range(len(new) - 1, -1, -1):
            changed = below[j + 1] + _change(old[i], new[j])
            row[j] = min(below[j] + deletion, row[j + 1] + insertion[j], changed)
        table.append(row)
    return table[::-1]


# A change weighs so much that no number of words moved in a line of that length outweighs one.
_CHANGE = 1_000_000


def _single(word: str) -> int:
    return _CHANGE if is_mark(word) else _CHANGE + 1


def _change(old: str, new: str) -> int:
    if old == new:
        return 0
    return _CHANGE if is_mark(old) == is_mark(new) else 3 * _CHANGE
