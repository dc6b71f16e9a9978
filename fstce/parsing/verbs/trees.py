"""What ``fstce parser parse`` reads, the trees that it finds, together or alone, and how it writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from fstce.console.output import silenced
from fstce.console.phrases import stacked
from fstce.console.reading import reading
from fstce.corpora import Sentence, conllu_sentence
from fstce.corpora.conll import replace_heads, with_misc
from fstce.corpora.dependencies import DependencySentence
from fstce.corpora.words import RESERVED
from fstce.errors import CorpusError, MachineError, ParameterError
from fstce.machines import Arrays, fst_to_arrays
from fstce.machines.contract import check_lattice
from fstce.machines.files import read_far, read_fst
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import SIGMA, SIGMA_ID, Symbols
from fstce.parsing.parser import DependencyParser
from fstce.parsing.verbs.treebanks import Preparation

if TYPE_CHECKING:
    import pynini


CONLL = ("conllu", "conllx")


class Item(NamedTuple):
    """A sentence to be parsed.

    ``sentence``: none where the lines hold none that can be read. ``lines``: of a CoNLL file: what is passed
    through, with the ends of lines. ``replaced``: whether heads are put into the lines; else the sentence is
    written anew. ``comments``: what is written before a sentence that is written anew.
    """

    sentence: Sentence | None
    lines: tuple[str, ...] = ()
    replaced: bool = False
    fault: str = ""
    comments: tuple[str, ...] = ()


def items(text: str, preparation: Preparation) -> Iterator[Item]:
    """The sentences of a text; of CoNLL, also what stands between them.

    A text that would be plain is read as ``word/TAG``, unless its words are the tags.
    """
    plain = "plain" if preparation.tags == "word" else "tagged"
    if reading().format == "plain" != plain:
        raise ParameterError("plain text has no tags: give word/TAG text, or take words with --tags word")
    reading().faults.told_by_caller = True  # with what else is unparsed
    any_sentence = False
    passages = reading().passages(text, preparation.tag_column, plain)
    while True:
        try:
            passage = next(passages, None)
        except CorpusError as error:
            if any_sentence or plain == "plain" or "word/TAG" not in str(error):
                raise
            raise CorpusError(
                f"{error}; a parser needs tags: tag the text first (fstce tagger tag), or --tags word"
            ) from None
        if passage is None:
            return
        any_sentence = any_sentence or passage.sentence is not None
        in_columns = passage.format in CONLL
        lines = passage.lines if in_columns or passage.fault else ()
        yield Item(passage.sentence, lines, in_columns and passage.columns, passage.fault)


# How trees are written.
TreeNotation = Literal["conllu", "text", "svg"]


class Tree(NamedTuple):
    """The heads of all words of a sentence.

    ``heads``: from 1; 0 is the root. ``weight``: the log weight, where one is wanted. ``chances``: the
    posterior of each head; None for a word that the grammar does not see.
    """

    heads: tuple[int, ...]
    weight: float | None = None
    chances: Sequence[float | None] | None = None


class TreeWriter:
    """Blocks of text for sentences, as they come, and what is left for the end."""

    def __init__(self, notation: TreeNotation) -> None:
        blocks: dict[TreeNotation, Callable[[Item, Tree, Sequence[str]], str]] = {
            "conllu": _conllu,
            "text": _text,
            "svg": self._keep,
        }
        self._notation = notation
        self._block = blocks[notation]
        self._pictures: list[str] = []

    def parsed(self, item: Item, trees: Sequence[Tree]) -> str:
        """A sentence with each of its trees."""
        return "".join(
            self._block(item, tree, (*item.comments, *_remarks(tree, rank)))
            for rank, tree in enumerate(trees, 1)
        )

    def unparsed(self, item: Item) -> str:
        """A sentence, or the lines between two, as they came."""
        if self._notation == "svg":
            return ""
        if self._notation == "text":
            return f"{item.sentence}\n\n" if item.sentence is not None else ""
        if item.lines or item.sentence is None:
            return "".join(item.lines)
        return conllu_sentence(item.sentence)

    def end(self) -> str:
        """What is written after the last sentence: the picture, if one is wanted."""
        return stacked(self._pictures) if self._pictures else ""

    def _keep(self, item: Item, tree: Tree, remarks: Sequence[str]) -> str:
        from fstce.corpora.links import tree_svg

        if item.sentence is not None:
            weights = None if tree.chances is None else [min(max(c or 0.0, 0.0), 1.0) for c in tree.chances]
            words, tags = item.sentence.words, item.sentence.tags
            self._pictures.append(tree_svg(words, tree.heads, tags, weights=weights))
        return ""


def check_wishes(notation: TreeNotation, minimum_risk: bool, proba: bool, k: int | None) -> None:
    """Raise ParameterError where options contradict each other."""
    if k is not None and minimum_risk:
        raise ParameterError("--k lists the most probable trees: use --decoder viterbi")
    if proba and notation == "text":
        raise ParameterError("--proba has no place in text: use --output-format conllu or svg")


def _remarks(tree: Tree, rank: int) -> list[str]:
    """What distinguishes one of several trees."""
    return [] if tree.weight is None else [f"rank = {rank}", f"log_weight = {tree.weight:.6f}"]


def _conllu(item: Item, tree: Tree, remarks: Sequence[str]) -> str:
    if item.sentence is None:
        return ""
    if item.replaced:
        replaced = replace_heads(item.lines, tree.heads)
        lines = [f"# {remark}\n" for remark in remarks]
        lines += (line if line.endswith(("\r", "\n")) else f"{line}\n" for line in replaced)
        if remarks and lines[-1].strip():
            lines.append("\n")
    else:
        lines = conllu_sentence(item.sentence, tree.heads, comments=remarks).splitlines(keepends=True)
    if tree.chances is not None:
        said = ["" if chance is None else f"HeadProbability={chance:.4f}" for chance in tree.chances]
        lines = with_misc(lines, said)
    return "".join(lines)


def _text(item: Item, tree: Tree, remarks: Sequence[str]) -> str:
    from fstce.corpora.links import tree_text

    if item.sentence is None:
        return ""
    drawn = tree_text(item.sentence.words, tree.heads, item.sentence.tags)
    return "".join(f"{line}\n" for line in (*(f"# {remark}" for remark in remarks), drawn, ""))


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
