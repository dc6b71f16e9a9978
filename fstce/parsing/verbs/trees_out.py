"""How parsed sentences are written: CoNLL-U, trees drawn as text, or one SVG picture of them all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import NamedTuple

from fstce.console.phrases import stacked
from fstce.errors import ParameterError
from fstce.parsing.verbs.trees_in import Item


class TreeNotation(str, Enum):
    """How trees are written."""

    conllu = "conllu"
    text = "text"
    svg = "svg"


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
            TreeNotation.conllu: _conllu,
            TreeNotation.text: _text,
            TreeNotation.svg: self._keep,
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
        from fstce.corpora import conllu_sentence

        if self._notation is TreeNotation.svg:
            return ""
        if self._notation is TreeNotation.text:
            return f"{item.sentence}\n\n" if item.sentence is not None else ""
        if item.lines or item.sentence is None:
            return "".join(item.lines)
        return conllu_sentence(item.sentence)

    def end(self) -> str:
        """What is written after the last sentence: the picture, if one is wanted."""
        return stacked(self._pictures) if self._pictures else ""

    def _keep(self, item: Item, tree: Tree, remarks: Sequence[str]) -> str:
        from fstce.reporting.dependency_svg import tree_svg

        if item.sentence is not None:
            weights = None if tree.chances is None else [min(max(c or 0.0, 0.0), 1.0) for c in tree.chances]
            words, tags = item.sentence.words, item.sentence.tags
            self._pictures.append(tree_svg(words, tree.heads, tags, weights=weights))
        return ""


def check_wishes(notation: TreeNotation, minimum_risk: bool, proba: bool, k: int | None) -> None:
    """Raise ParameterError where options contradict each other."""
    if k is not None and minimum_risk:
        raise ParameterError("--k lists the most probable trees: use --decoder viterbi")
    if proba and notation is TreeNotation.text:
        raise ParameterError("--proba has no place in text: use --output-format conllu or svg")


def _remarks(tree: Tree, rank: int) -> list[str]:
    """What distinguishes one of several trees."""
    return [] if tree.weight is None else [f"rank = {rank}", f"log_weight = {tree.weight:.6f}"]


def _conllu(item: Item, tree: Tree, remarks: Sequence[str]) -> str:
    from fstce.corpora import conllu_sentence
    from fstce.corpora.conll_out import replace_heads, with_misc

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
    from fstce.reporting.dependency_svg import tree_text

    if item.sentence is None:
        return ""
    drawn = tree_text(item.sentence.words, tree.heads, item.sentence.tags)
    return "".join(f"{line}\n" for line in (*(f"# {remark}" for remark in remarks), drawn, ""))
