"""What ``fstce parser parse`` reads, the trees that it finds, together or alone, and how it writes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from fstce.console.applying import Answered, each
from fstce.console.output import silenced
from fstce.console.reading import reading
from fstce.corpora import Sentence, conllu_sentence
from fstce.corpora.conll import replace_heads, with_misc
from fstce.corpora.dependencies import DependencySentence
from fstce.corpora.passages import Passage
from fstce.corpora.words import RESERVED
from fstce.errors import CorpusError, MachineError, ParameterError
from fstce.machines import fst_to_arrays
from fstce.machines.contract import check_lattice
from fstce.machines.files import read_far, read_fst
from fstce.machines.lattice import Lattice
from fstce.machines.openfst import pynini
from fstce.machines.symbols import FIRST_WORD_ID, SIGMA_ID, Symbols
from fstce.parsing.parser import DependencyParser
from fstce.parsing.verbs.treebanks import Preparation

CONLL = ("conllu", "conllx")


def passages(text: str, preparation: Preparation) -> Iterator[Passage]:
    """The sentences of a text, and what stands between them.

    A text that would be plain is read as ``word/TAG``, unless its words are the tags.
    """
    plain = "plain" if preparation.how["tags"] == "word" else "tagged"
    if reading().format == "plain" != plain:
        raise ParameterError("plain text has no tags: give word/TAG text, or take words with --tags word")
    reading().faults.told_by_caller = True  # with what else is unparsed
    any_sentence = False
    try:
        for passage in reading().passages(text, preparation.how["tag_column"], plain):
            any_sentence = any_sentence or passage.sentence is not None
            yield passage
    except CorpusError as error:
        if any_sentence or plain == "plain" or "word/TAG" not in str(error):
            raise
        raise CorpusError(
            f"{error}; a parser needs tags: tag the text first (fstce tagger tag), or --tags word"
        ) from None


# How trees are written.
TreeNotation = Literal["conllu", "text"]


class Tree(NamedTuple):
    """The heads of all words of a sentence.

    ``heads``: from 1; 0 is the root. ``weight``: the log weight, where one is wanted. ``chances``: the
    posterior of each head; None for a word that the grammar does not see.
    """

    heads: tuple[int, ...]
    weight: float | None = None
    chances: Sequence[float | None] | None = None


def as_it_came(notation: TreeNotation, passage: Passage, reason: str = "") -> Answered:
    """A sentence without a tree, or what stands between two; it is said why, where there is a reason."""
    reason = reason or passage.fault
    lines = passage.lines if passage.format in CONLL or passage.fault else ()
    if notation == "text":
        block = f"{passage.sentence}\n\n" if passage.sentence is not None else ""
    elif lines or passage.sentence is None:
        block = "".join(lines)
    else:
        block = conllu_sentence(passage.sentence)
    return Answered(block, f"passed through unparsed: {reason}" if reason else "")


def check_wishes(notation: TreeNotation, minimum_risk: bool, proba: bool, k: int | None) -> None:
    """Raise ParameterError where options contradict each other."""
    if k is not None and minimum_risk:
        raise ParameterError("--k lists the most probable trees: use --decoder viterbi")
    if proba and notation == "text":
        raise ParameterError("--proba has no place in text: use --output-format conllu")


def _conllu(passage: Passage, sentence: Sentence, tree: Tree, remarks: Sequence[str]) -> str:
    if passage.format in CONLL and passage.columns:
        replaced = replace_heads(passage.lines, tree.heads)
        lines = [f"# {remark}\n" for remark in remarks]
        lines += (line if line.endswith(("\r", "\n")) else f"{line}\n" for line in replaced)
        if remarks and lines[-1].strip():
            lines.append("\n")
    else:
        lines = conllu_sentence(sentence, tree.heads, comments=remarks).splitlines(keepends=True)
    if tree.chances is not None:
        said = ["" if chance is None else f"HeadProbability={chance:.4f}" for chance in tree.chances]
        lines = with_misc(lines, said)
    return "".join(lines)


def _text(passage: Passage, sentence: Sentence, tree: Tree, remarks: Sequence[str]) -> str:
    from fstce.corpora.links import tree_text

    drawn = tree_text(sentence.words, tree.heads, sentence.tags)
    return "".join(f"{line}\n" for line in (*(f"# {remark}" for remark in remarks), drawn, ""))


def _block(
    notation: TreeNotation,
    passage: Passage,
    sentence: Sentence,
    trees: Sequence[Tree],
    comments: Sequence[str] = (),
) -> str:
    """A sentence with each of its trees."""
    blocks = []
    for rank, tree in enumerate(trees, 1):
        ranked = [] if tree.weight is None else [f"rank = {rank}", f"log_weight = {tree.weight:.6f}"]
        write = _text if notation == "text" else _conllu
        blocks.append(write(passage, sentence, tree, [*comments, *ranked]))
    return "".join(blocks)


SUFFIXES = (".fst", ".far")


def to_lattice(fst: pynini.Fst, name: str) -> Lattice:
    """A machine that keeps the contract as a lattice; a wildcard is any word of its table."""
    check_lattice(fst, name)
    symbols = Symbols(word for _, word in sorted(fst.input_symbols()) if word not in RESERVED)
    relabelled = fst.copy().relabel_tables(new_isymbols=symbols.table, new_osymbols=symbols.table)
    arrays = fst_to_arrays(relabelled)
    for label in set(arrays.ilabel.tolist()) - {SIGMA_ID}:
        if label < FIRST_WORD_ID:
            raise MachineError(
                f"{name}: the label {RESERVED[label]!r} is a reserved symbol; a lattice has words only"
            )
    return Lattice(arrays, symbols, name)


def of_sentences(
    parser: DependencyParser,
    batch: list[Passage],
    preparation: Preparation,
    k: int | None,
    proba: bool,
    notation: TreeNotation,
) -> list[Answered]:
    """Each sentence with its trees, or as it came where there are none; the tags that the grammar saw.

    ``k``: how many trees of each; None for the one that the parser's decoder finds. ``proba``: whether
    posteriors are wanted too.
    """

    def parsed(some: list[tuple[Passage, DependencySentence]]) -> list[Answered]:
        trees_of_each = _trees(parser, [sentence for _, sentence in some], k, proba)
        return [
            Answered(_block(notation, passage, sentence.original, trees), "", sentence.tags)
            if trees
            else unparsed((passage, sentence), "the grammar allows no tree")
            for (passage, sentence), trees in zip(some, trees_of_each, strict=True)
        ]

    def unparsed(one: tuple[Passage, DependencySentence], error: str) -> Answered:
        passage, sentence = one
        return as_it_came(notation, passage, f"{sentence.source}: {error}")._replace(known=sentence.tags)

    prepared = [(p, _prepared(p.sentence, preparation)) for p in batch if p.sentence is not None]
    ready = iter(each(parsed, unparsed, [(p, one) for p, one in prepared if not isinstance(one, str)]))
    return [as_it_came(notation, p, one) if isinstance(one, str) else next(ready) for p, one in prepared]


def _prepared(sentence: Sentence, preparation: Preparation) -> DependencySentence | str:
    """What the grammar sees of a sentence, or why it sees nothing."""
    try:
        corpus = preparation.apply([sentence], heads="ignored")
    except CorpusError as error:
        return str(error)
    return corpus[0] if len(corpus) else f"{sentence.source}: nothing but punctuation"


def _trees(
    parser: DependencyParser, sentences: Sequence[DependencySentence], k: int | None, proba: bool
) -> list[list[Tree]]:
    """The trees of each sentence, over all words of the original; none where the grammar allows none."""
    rows = [sentence.tags or () for sentence in sentences]
    best_of_each: Iterable[Sequence[tuple[tuple[int, ...], float | None]]]
    best_of_each = parser.k_best(rows, k) if k else ([(heads, None)] for heads in parser.predict(rows))
    tables = parser.predict_proba(rows) if proba else [None] * len(rows)
    whole: list[list[Tree]] = []
    for sentence, best, table in zip(sentences, best_of_each, tables, strict=True):
        trees = []
        for heads, weight in best:
            chances: list[float | None] | None = None
            if table is not None:
                chances = [None] * len(sentence.original)
                for word, (place, head) in enumerate(zip(sentence.kept, heads, strict=True)):
                    chances[place] = float(table[head, word])
            trees.append(Tree(sentence.restore(heads), weight, chances))
        whole.append(trees)
    return whole


def of_lattices(
    parser: DependencyParser, path: Path, notation: TreeNotation
) -> Iterator[tuple[str, Answered]]:
    """Each lattice of a ``.fst`` or ``.far`` by name, with its best string's tree, or why there is none."""
    with silenced():
        if path.suffix.lower() == ".fst":
            machines = {str(path): read_fst(path)}
        else:
            machines = {f"{path}, machine {key}": fst for key, fst in read_far(path).items()}

    def parsed(some: list[tuple[str, pynini.Fst]]) -> list[Answered]:
        found = parser.parse_lattices([to_lattice(fst, name) for name, fst in some])
        return [_of_lattice(notation, name, *best) for (name, _), best in zip(some, found, strict=True)]

    def unparsed(_: object, error: str) -> Answered:
        if len(machines) == 1:
            raise MachineError(error)
        return as_it_came(notation, Passage(None), error)

    return zip(machines, each(parsed, unparsed, [*machines.items()]), strict=True)


def _of_lattice(
    notation: TreeNotation, name: str, tags: Sequence[str], heads: tuple[int, ...], weight: float
) -> Answered:
    """A lattice's best string as a sentence with its tree."""
    if not heads:
        return as_it_came(notation, Passage(None), f"{name}: the grammar allows no tree")
    sentence = Sentence(tags, tags=tags, source=name)
    comments = (f"lattice = {name}", f"log_weight = {weight:.6f}")
    return Answered(_block(notation, Passage(sentence), sentence, [Tree(heads)], comments), "", ())
