"""EVALB: labeled and unlabeled brackets, crossing, tags, as Sekine & Collins's program counts them.

1. Words whose tags the parameters delete are taken out on each side, and spans close over
   them; phrases left without words, and brackets with a deleted label, do not count.
2. Of n gold and m predicted brackets of one category over the same words min(n, m) match.
3. A predicted bracket crosses if it overlaps some gold bracket and neither holds the other.
4. The length of a sentence counts its punctuation, but no empty elements.
5. A sentence without a parse is skipped: it lowers neither precision nor recall, so look
   at `skipped`. So is one whose parse has nothing left but deleted words.
6. A sentence whose parse has other words is among the errors and left out, if that is asked for.
   A predicted tag may delete a word that the gold tag keeps, or keep one that it deletes:
   EVALB counts such a sentence among its errors, too; so does the default here.

All of this was compared with the procedure of EVALB's source (2006) on random trees and parameters:
the labels that are deleted, with and without function tags, lengths, labels and words that count as
the same, skipped sentences and errors are the same. Three things differ. EVALB takes pairs of equal
labels one by one: of A = B and B = C it does not follow that A = C, here it does. Its QUOTE_LABEL,
which puts a mark back that one side has deleted, is not obeyed: such a sentence is an error.
Readers drop TOP, ROOT, S1 and empty elements, whatever the parameters delete.

What is left out and what counts as the same, which EVALB reads from a parameter file, is said by
:class:`EvalbParameters`, by default as in ``COLLINS.prm``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from operator import itemgetter

from fstce.corpora.documents import lines_of
from fstce.corpora.trees import Tree
from fstce.errors import CorpusError, ParameterError
from fstce.evaluation.bracket_scores import (
    BracketCounts,
    BracketScores,
    Constituents,
    SentenceScore,
    Span,
    constituents,
    matches,
    numbered,
    span_counts,
)
from fstce.numeric.types import PathName
from fstce.parameters.rules import choice


def evalb_scores(
    gold: Sequence[Tree],
    predicted: Sequence[Tree | CorpusError | None],
    parameters: EvalbParameters | None = None,
    *,
    disagreement: str = "error",
    other_words: str = "raise",
) -> BracketScores[BracketCounts]:
    """The scores of parses by EVALB's definition.

    Parameters
    ----------
    gold : sequence of Tree
    predicted : sequence of Tree, CorpusError or None
        None where there is no parse, an error where it cannot be read, which counts as one.
    parameters : EvalbParameters, optional
        By default those of ``COLLINS.prm``.
    disagreement : {"error", "gold"}
        What becomes of a sentence whose words are the same, but whose predicted tags delete
        other words than the gold tags: counted among the errors and left out, or scored
        with the words that the gold tags leave.
    other_words : {"raise", "error"}
        What becomes of a sentence whose words differ: an exception, or one of the errors.

    Returns
    -------
    BracketScores of BracketCounts
        By sentence; ``.total()`` sums, ``.up_to(40)`` limits, ``.by_category()`` divides;
        ``.sentences`` says what is wrong with those among the errors.

    Raises
    ------
    CorpusError
        The numbers of sentences differ, or the words of a sentence.

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
    choice("raise", "error").check(other_words=other_words)
    scorer = _Scorer(parameters or COLLINS, disagreement == "gold")
    rows = []
    for number, tree, parse in numbered(gold, predicted):
        row = scorer.score(tree, parse)
        if row.fault not in ("", _OTHER_DELETED) and other_words == "raise":
            raise CorpusError(f"sentence {number}: {row.fault}")
        rows.append(row)
    return BracketScores(BracketCounts, rows)


_OTHER_DELETED = "its tags delete other words than those of the gold tree"


_LABEL = itemgetter(0)  # of a bracket
_SPAN = itemgetter(1, 2)


class _Scorer:
    """Scores sentences one by one; categories are found once."""

    def __init__(self, parameters: EvalbParameters, follow_gold: bool) -> None:
        self.parameters = parameters
        self.follow_gold = follow_gold
        self.category = cache(parameters.category)
        same = parameters.same_label
        self.uncounted = {same.get(label, label) for label in parameters.deleted}

    def score(self, gold: Tree, predicted: Tree | CorpusError | None) -> SentenceScore:
        """The counts of a sentence."""
        parameters = self.parameters
        right = constituents(gold, parameters.deleted)
        tags = right.tags + right.deleted
        length = len(tags) - sum(map(tags.count, parameters.deleted_for_length))
        if isinstance(predicted, CorpusError):
            return SentenceScore(length, {"errors": 1}, fault=str(predicted))
        if predicted is None:
            return SentenceScore(length, {"skipped": 1})

        parse = constituents(predicted, parameters.deleted)
        if not parse.words:
            return SentenceScore(length, {"skipped": 1})
        if not self._are_same(right.words, parse.words):
            counting = self._kept_by_gold(gold, predicted)
            if isinstance(counting, str):
                return SentenceScore(length, {"errors": 1}, fault=counting)
            if not self.follow_gold:
                return SentenceScore(length, {"errors": 1}, fault=_OTHER_DELETED)
            parse = constituents(predicted, parameters.deleted, counting)
        return self._counted(right, parse, length)

    def _counted(self, right: Constituents, parse: Constituents, length: int) -> SentenceScore:
        """The counts of a sentence of which both sides have the same words."""
        same = self.parameters.same_label
        in_gold = self._brackets(right)
        in_parse = self._brackets(parse)
        matched = matches(in_gold, in_parse)
        bare_gold = list(map(_SPAN, in_gold))
        bare_parse = list(map(_SPAN, in_parse))
        bare = len(matched)
        if bare < len(in_parse):  # else all match without their categories, too
            bare = len(matches(bare_gold, bare_parse))

        tags = zip(right.tags, parse.tags, strict=True)
        wrong = [a for a, b in tags if a != b and same.get(a, a) != same.get(b, b)]
        counts = span_counts(bare_gold, bare_parse, len(matched))
        counts["unlabelled_matched"] = bare
        counts["words"] = len(right.words)
        counts["right_tags"] = len(right.words) - len(wrong)
        labels = [list(map(_LABEL, brackets)) for brackets in (in_gold, in_parse, matched)]
        return SentenceScore(length, counts, labels)

    def _brackets(self, side: Constituents) -> list[Span]:
        """The brackets that count, with their categories."""
        named = [(self.category(label), start, end) for label, start, end in side.spans]
        return [bracket for bracket in named if bracket[0] not in self.uncounted]

    def _kept_by_gold(self, gold: Tree, predicted: Tree) -> list[bool] | str:
        """Which words of the predicted tree count by the gold tree's tags; how the words differ."""
        deleted = self.parameters.deleted
        empty = deleted & self.parameters.deleted_for_length
        right = constituents(gold, empty)
        parse = constituents(predicted, empty)
        if not self._are_same(right.words, parse.words):
            return _difference(right.words, parse.words)

        counting = (tag not in deleted for tag in right.tags)
        return [tag not in empty and next(counting) for _, tag in predicted.pos()]

    def _are_same(self, right: Sequence[str], parse: Sequence[str]) -> bool:
        """Whether the words are the same, or count as the same."""
        same = self.parameters.same_word
        if not same or len(right) != len(parse):
            return right == parse
        return all(same.get(a, a) == same.get(b, b) for a, b in zip(right, parse, strict=True))


def _difference(right: Sequence[str], parse: Sequence[str]) -> str:
    """In which word two sentences differ."""
    if len(right) != len(parse):
        return f"{len(right)} words in the gold tree but {len(parse)} in the predicted tree"
    place = next(i for i, (a, b) in enumerate(zip(right, parse, strict=True)) if a != b)
    return (
        f"word {place + 1} is {right[place]!r} in the gold tree but {parse[place]!r} in the "
        "predicted tree"
    )


@dataclass(frozen=True)
class EvalbParameters:
    """The parameters that EVALB reads from a file.

    ``deleted``: tags whose words are taken out, and labels of brackets that do not count.
    ``deleted_for_length``: tags whose words do not count for the length of a sentence.
    ``same_label``, ``same_word``: for a label or word that counts as another, that other.
    """

    deleted: frozenset[str] = frozenset()
    deleted_for_length: frozenset[str] = frozenset()
    same_label: Mapping[str, str] = field(default_factory=dict)
    same_word: Mapping[str, str] = field(default_factory=dict)

    def category(self, label: str) -> str:
        """The label as it is compared: without function tags and indices, its equals as one."""
        plain = label.split("-", 1)[0].split("=", 1)[0]
        return self.same_label.get(plain, plain)

    @classmethod
    def read(cls, path: PathName) -> EvalbParameters:
        """The parameters of a file in EVALB's syntax: a keyword and its values a line.

        Raises ParameterError, with file and line, where a line is no parameter of EVALB. What says
        how EVALB prints, and when it gives up, is not looked at.
        """
        sets: dict[str, set[str]] = {"DELETE_LABEL": set(), "DELETE_LABEL_FOR_LENGTH": set()}
        pairs: dict[str, dict[str, str]] = {"EQ_LABEL": {}, "EQ_WORD": {}}
        for number, line in enumerate(lines_of(path, ParameterError), 1):
            if not line.strip() or line.startswith("#"):
                continue
            keyword, *values = line.split()
            if keyword in sets and len(values) == 1:
                sets[keyword].add(values[0])
            elif keyword in pairs and len(values) == 2:
                _join(pairs[keyword], *values)
            elif keyword not in _IDLE:
                raise ParameterError(f"{path}:{number}: {line.strip()!r} is no parameter of EVALB")

        deleted, deleted_for_length = map(frozenset, sets.values())
        return cls(deleted, deleted_for_length, *pairs.values())


_IDLE = frozenset({"DEBUG", "MAX_ERROR", "CUTOFF_LEN", "LABELED", "DISC_ONLY", "QUOTE_LABEL"})


def _join(same: dict[str, str], first: str, second: str) -> None:
    """Make the classes of two labels one, called by the name of the first's."""
    name = same.get(first, first)
    lost = same.get(second, second)
    for label in [label for label, image in same.items() if image == lost]:
        same[label] = name
    same.update({first: name, second: name, lost: name})


# COLLINS.prm: no punctuation, no empty elements, ADVP = PRT. It deletes TOP; ROOT and S1 are the
# same bracket as other treebanks and parsers spell it.
COLLINS = EvalbParameters(
    deleted=frozenset({"TOP", "ROOT", "S1", "-NONE-", ",", ":", "``", "''", "."}),
    deleted_for_length=frozenset({"-NONE-"}),
    same_label={"PRT": "ADVP"},
)
