"""Trees of sentences and of lattices in files, many at once; where that fails, of each one alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from fstce.console.output import silenced
from fstce.corpora import Sentence
from fstce.corpora.dependencies import DependencySentence
from fstce.corpora.words import RESERVED
from fstce.errors import CorpusError, MachineError
from fstce.machines import Arrays, fst_to_arrays
from fstce.machines.contract import check_lattice
from fstce.machines.files import read_far, read_fst
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import SIGMA, SIGMA_ID, Symbols
from fstce.parsing.parser import DependencyParser
from fstce.parsing.verbs.treebanks import Preparation
from fstce.parsing.verbs.trees import Item, Tree

if TYPE_CHECKING:
    import pynini


SUFFIXES = (".fst", ".far")
Named = tuple[str, "Lattice | MachineError"]


def read_lattices(path: Path) -> Iterator[Named]:
    """The lattices of a ``.fst`` or ``.far`` with their names; an error in the place of one that is none."""
    with silenced():
        if path.suffix.lower() == ".fst":
            machines = {str(path): read_fst(path)}
        else:
            machines = {f"{path}, machine {key}": fst for key, fst in read_far(path).items()}
    for name, fst in machines.items():
        try:
            yield name, to_lattice(fst, name)
        except MachineError as error:
            yield name, error


def to_lattice(fst: pynini.Fst, name: str) -> Lattice:
    """A machine that keeps the contract as a lattice."""
    check_lattice(fst, name)
    spelt = dict(fst.input_symbols())
    symbols = Symbols(word for _, word in sorted(spelt.items()) if word not in RESERVED)
    return Lattice(_relabelled(fst_to_arrays(fst), spelt, symbols, name), symbols, name)


def _relabelled(arrays: Arrays, spelt: dict[int, str], symbols: Symbols, name: str) -> Arrays:
    """The arrays with labels that are ids of the symbols."""
    import numpy as np

    number = {SIGMA: SIGMA_ID, **dict(zip(symbols, symbols.labels, strict=True))}
    labels, inverse = np.unique(arrays.ilabel, return_inverse=True)
    words = [spelt[label] for label in labels.tolist()]
    for word in words:
        if word not in number:
            raise MachineError(f"{name}: the label {word!r} is a reserved symbol; a lattice has words only")
    column = np.array([number[word] for word in words], dtype=np.int32)[inverse]
    return arrays._replace(ilabel=column, olabel=column)


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
    parsed = iter(_each(lambda some: _trees(parser, some, k, proba), sentences))
    results: list[tuple[list[Tree] | str, tuple[str, ...]]] = []
    for sentence in ready:
        if isinstance(sentence, str):
            results.append((sentence, ()))
            continue
        trees = next(parsed)
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
    best_of_each: list[list[tuple[tuple[int, ...], float | None]]]
    if k is None:
        best_of_each = [[(heads, None)] for heads in parser.predict(rows)]
    else:
        best_of_each = [list(best) for best in parser.k_best(rows, k)]
    tables = parser.predict_proba(rows) if proba else [None] * len(rows)
    whole: list[list[Tree] | str] = []
    for sentence, best, table in zip(sentences, best_of_each, tables, strict=True):
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
    named = list(read_lattices(path))
    if len(named) == 1 and isinstance(named[0][1], MachineError):
        raise named[0][1]
    sound = [lattice for _, lattice in named if not isinstance(lattice, MachineError)]
    trees_of_each = iter(_each(parser.parse_lattices, sound))
    for name, lattice in named:
        parsed = str(lattice) if isinstance(lattice, MachineError) else next(trees_of_each)
        if not isinstance(parsed, str) and not parsed[1]:
            parsed = f"{name}: the grammar allows no tree"
        if isinstance(parsed, str):
            yield Item(None), parsed
            continue
        row, heads, weight = parsed
        comments = (f"lattice = {name}", f"log_weight = {weight:.6f}")
        yield Item(Sentence(row, tags=row, source=name), comments=comments), [Tree(heads)]


def _each(
    function: Callable[[Sequence[Given]], Sequence[Found]], items: Sequence[Given]
) -> list[Found | str]:
    """The results for all at once; where that fails, for each alone, or what is wrong with it."""
    if not items:
        return []
    try:
        return list(function(items))
    except MachineError:
        return [_alone(function, one) for one in items]


def _alone(function: Callable[[Sequence[Given]], Sequence[Found]], one: Given) -> Found | str:
    try:
        return function([one])[0]
    except MachineError as error:
        return str(error)
