"""Phrase-structure trees.

Read from treebanks, found in texts, written as brackets or drawn as text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Literal

from fstce.console.applying import Answered, Applying
from fstce.console.options import option
from fstce.console.output import count, remark
from fstce.console.reading import reading
from fstce.console.texts import read
from fstce.corpora import Sentence, Tree
from fstce.corpora.documents import checked, from_file
from fstce.corpora.passages import Passage
from fstce.corpora.penn import Parse, joined, read_parses
from fstce.errors import CorpusError

# How phrases are written.
PhraseNotation = Literal["penn", "text"]
PhraseOutput = Annotated[
    PhraseNotation,
    option("--output-format", "Penn trees, one a line, or drawn as text."),
]


def phrase_text(notation: PhraseNotation, tree: Tree) -> str:
    """A phrase-structure tree as it is written."""
    if notation == "penn":
        return f"{tree}\n"
    return f"{tree.pretty()}\n\n"


FAILED = "(())\n"  # what EVALB takes for a sentence without a parse
TOGETHER = 200  # sentences of a batch


def write_phrases(parse: Callable[[list[Sentence]], list[Answered]], applying: Applying) -> None:
    """Write the trees of the sentences of a text, and say how many there were.

    In place of a line that cannot be read the failed parse of EVALB is written.

    ``parse``: what is written of each sentence; how it fared, in words, is counted.
    """

    def work(batch: list[Passage]) -> list[Answered]:
        return parse([passage.sentence for passage in batch if passage.sentence is not None])

    def unread(passage: Passage) -> Answered:
        if not passage.fault:
            return Answered("")
        return Answered(FAILED, f"{passage.fault}: written as {FAILED.strip()}, a failed parse")

    passages = reading().passages(applying.text)
    reading().faults.reported_by_caller = True  # with what is written in their place
    parsed = 0
    counts_of_fate = Counter[str]()

    for passage, answer in applying.written(work, passages, unread, most=TOGETHER):
        parsed += passage.sentence is not None
        counts_of_fate.update(answer.known or ())

    fates = [f"{number:,} {fate}" for fate, number in counts_of_fate.items()]
    remark(", ".join([f"parsed {count(parsed, 'sentence')}", *fates]))


def read_trees(corpus: str) -> list[Sentence]:
    """The sentences of a treebank.

    Raises CorpusError, with file and line, where one has no tree.
    """
    sentences = read(corpus)
    for sentence in sentences:
        if sentence.tree is None:
            raise CorpusError(
                f"{sentence.source}: has no phrase-structure tree; grammars are learned from and "
                "compared with Penn Treebank brackets (.mrg, or --input-format penn)"
            )
    return sentences


def read_parsed(path: Path) -> list[Parse]:
    """The trees that a parser has written, sentence by sentence."""
    conventions = reading()
    encoding = conventions.encoding
    lines = checked(from_file(path).lines(encoding), str(path), encoding)
    return read_parses(lines, str(path))


def paired(
    sentences: Sequence[Sentence], parses: Sequence[Parse]
) -> tuple[list[Tree], list[Parse | None], list[Parse]]:
    """The gold trees, the parse of each or None, and the parses that are left over.

    They belong together in their order where there are as many of them, empty lines left out; else,
    as by EVALB, by the lines that they stand on, on which there may be several roots.
    """
    gold = trees_of(sentences)
    for some in (parses, [parse for parse in parses if not parse.is_blank]):
        if len(some) == len(gold):
            return gold, list(some), []

    trees_of_line: dict[str, list[Tree]] = {}
    for sentence, tree in zip(sentences, gold, strict=True):
        trees_of_line.setdefault(sentence.source, []).append(tree)

    gold = [joined(trees) or trees[0] for trees in trees_of_line.values()]
    lines = [int(source.rpartition(":")[2] or 0) for source in trees_of_line]
    parse_of_line = {parse.line: parse for parse in parses if not parse.is_blank}
    if len(set(lines)) == len(lines) and set(lines).issuperset(parse_of_line):
        return gold, [parse_of_line.get(line) for line in lines], []

    in_order = iter(parses)
    return gold, [next(in_order, None) for _ in gold], list(in_order)


def trees_of(sentences: Sequence[Sentence]) -> list[Tree]:
    """Their trees."""
    return [sentence.tree for sentence in sentences if sentence.tree is not None]
