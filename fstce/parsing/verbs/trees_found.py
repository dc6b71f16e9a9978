"""Trees of sentences and of lattices, many at once; where that fails, of each one alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from fstce.errors import CorpusError, MachineError
from fstce.parsing.verbs import lattices
from fstce.parsing.verbs.treebanks import Preparation
from fstce.parsing.verbs.trees_in import Item
from fstce.parsing.verbs.trees_out import Tree

if TYPE_CHECKING:
    from fstce.corpora.dependencies import DependencySentence
    from fstce.parsing.parser import DependencyParser

Given = TypeVar("Given")
Found = TypeVar("Found")
Result = tuple[Item, "list[Tree] | str"]  # the trees, or why there is none
Seen = tuple["list[Tree] | str", tuple[str, ...]]  # the same, and the tags that the grammar saw


def of_sentences(
    parser: DependencyParser, batch: Sequence[Item], preparation: Preparation, k: int | None, proba: bool
) -> list[Seen]:
    """The trees of each item, or why there are none (empty where there is no sentence), and the tags seen.

    ``k``: how many trees of each; None for the one that the parser's decoder finds. ``proba``: whether
    posteriors are wanted too.
    """
    ready = [_prepared(item, preparation) for item in batch]
    sentences = [sentence for sentence in ready if not isinstance(sentence, str)]
    found = iter(_each(lambda some: _trees(parser, some, k, proba), sentences))
    results: list[tuple[list[Tree] | str, tuple[str, ...]]] = []
    for sentence in ready:
        if isinstance(sentence, str):
            results.append((sentence, ()))
            continue
        trees = next(found)
        outcome = trees if not isinstance(trees, str) else f"{sentence.source}: {trees}"
        results.append((outcome, tuple(sentence.tags or ())))
    return results


def _prepared(item: Item, preparation: Preparation) -> DependencySentence | str:
    """What the grammar sees of a sentence, or why it sees nothing."""
    if item.sentence is None:
        return item.fault
    try:
        corpus = preparation.apply([item.sentence], heads="ignored")
    except CorpusError as error:
        return str(error)
    return corpus[0] if len(corpus) else f"{item.sentence.source}: nothing but punctuation"


def _trees(
    parser: DependencyParser, sentences: Sequence[DependencySentence], k: int | None, proba: bool
) -> list[list[Tree] | str]:
    """The trees of each sentence, over all words of the original."""
    rows = [sentence.tags or () for sentence in sentences]
    found: list[list[tuple[tuple[int, ...], float | None]]]
    if k is None:
        found = [[(heads, None)] for heads in parser.predict(rows)]
    else:
        found = [list(best) for best in parser.k_best(rows, k)]
    tables = parser.predict_proba(rows) if proba else [None] * len(rows)
    whole: list[list[Tree] | str] = []
    for sentence, best, table in zip(sentences, found, tables, strict=True):
        trees = []
        for heads, weight in best:
            chances: list[float | None] | None = None
            if table is not None:
                chances = [None] * len(sentence.original)
                for word, (place, head) in enumerate(zip(sentence.kept, heads, strict=True)):
                    chances[place] = float(table[head, word])
            trees.append(Tree(sentence.restore(heads), weight, chances))
        whole.append(trees or "the grammar allows no tree")
    return whole


def of_lattices(parser: DependencyParser, path: Path) -> Iterator[Result]:
    """Each lattice's best string as an item, with its tree."""
    from fstce.corpora import Sentence

    named = list(lattices.read_lattices(path))
    if len(named) == 1 and isinstance(named[0][1], MachineError):
        raise named[0][1]
    sound = [lattice for _, lattice in named if not isinstance(lattice, MachineError)]
    found = iter(_each(parser.parse_lattices, sound))
    for name, lattice in named:
        parsed = str(lattice) if isinstance(lattice, MachineError) else next(found)
        if not isinstance(parsed, str) and not parsed[1]:
            parsed = f"{name}: the grammar allows no tree"
        if isinstance(parsed, str):
            yield Item(None), parsed
            continue
        row, heads, weight = parsed
        comments = (f"lattice = {name}", f"log_weight = {weight:.6f}")
        yield Item(Sentence(row, tags=row, source=name), comments=comments), [Tree(heads)]


def _each(
    function: Callable[[Sequence[Given]], Sequence[Found]], given: Sequence[Given]
) -> list[Found | str]:
    """The results for all at once; where that fails, for each alone, or what is wrong with it."""
    if not given:
        return []
    try:
        return list(function(given))
    except MachineError:
        return [_alone(function, one) for one in given]


def _alone(function: Callable[[Sequence[Given]], Sequence[Found]], one: Given) -> Found | str:
    try:
        return function([one])[0]
    except MachineError as error:
        return str(error)
