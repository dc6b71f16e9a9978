"""What ``fstce parser parse`` reads, sentences with the lines they stand on, and how it writes trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from fstce.console.options import Format
from fstce.console.phrases import stacked
from fstce.console.reading import reading
from fstce.corpora import Sentence, conllu_sentence
from fstce.corpora.conll import replace_heads, with_misc
from fstce.errors import CorpusError, ParameterError
from fstce.parsing.verbs.treebanks import Preparation

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


def items(text: str, format: Format | None, preparation: Preparation) -> Iterator[Item]:
    """The sentences of a text; of CoNLL, also what stands between them.

    A text that would be plain is read as ``word/TAG``, unless its words are the tags.
    """
    plain = "plain" if preparation.tags == "word" else "tagged"
    if format is not None and format == "plain" != plain:
        raise ParameterError("plain text has no tags: give word/TAG text, or take words with --tags word")
    reading().faults.told_by_caller = True  # with what else is unparsed
    any_sentence = False
    passages = reading().passages(text, format, preparation.tag_column, plain)
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
        ends = [line[len(line.rstrip("\r\n")) :] or "\n" for line in item.lines]
        replaced = map("".join, zip(replace_heads(item.lines, [tree.heads]), ends, strict=True))
        lines = [*(f"# {remark}\n" for remark in remarks), *replaced]
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
