"""Penn Treebank brackets, in one pass of a regular expression over each stretch that is balanced.

Any number of trees over any number of lines. The outer bracket may be unlabeled, or be ``TOP``,
``ROOT`` or ``S1``, or be missing: the three spellings give the same tree. A number of the tree
next to it (``ID``) is dropped. Empty elements
(``-NONE-``) and the phrases that they leave empty are dropped, and a tree left without words is
left out with a warning, as are ``(())`` and ``(TOP)``. Phrase labels lose function tags and indices
(``NP-SBJ-1`` and ``NP=2`` become ``NP``) and alternatives (``PRT|ADVP`` becomes ``PRT``). Tags and
words stay as written, ``-LRB-`` too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from fstce.corpora.faults import Faults
from fstce.corpora.formats import Lines
from fstce.corpora.sentence import Sentence
from fstce.corpora.trees import Tree
from fstce.corpora.words import clean_word, is_fit
from fstce.errors import CorpusError

_ATOM = r"[^ \t\r\n()]"
_GAP = r"[ \t\r\n]"
_FAILED = rf"\({_GAP}*(?:(?:TOP|ROOT|S1){_GAP}*)?(?:\({_GAP}*\))?{_GAP}*\)"
_TOKEN = re.compile(
    rf"\({_GAP}*({_ATOM}+){_GAP}+({_ATOM}+){_GAP}*\)|({_FAILED})|\({_GAP}*({_ATOM}*)|\)|{_ATOM}+"
)
_LEAF = re.compile(rf"\({_GAP}*{_ATOM}+{_GAP}+{_ATOM}+{_GAP}*\)")
_START = re.compile(r"^\(", re.MULTILINE)
_SUFFIX = re.compile(r"(?<!\A)[-=|].*", re.DOTALL)
_OUTER = frozenset({"TOP", "ROOT", "S1"})
_EMPTY = "-NONE-"


class _Bracket(NamedTuple):
    """A bracket still open; a dropped child leaves None, so that it differs from no child."""

    label: str
    start: int
    children: list[Tree | None]


class Source(NamedTuple):
    """A part of a file, its name for messages and the number of its first line."""

    text: str
    name: str
    first: int = 1

    def error(self, position: int, message: str) -> CorpusError:
        """The error of a place of the text."""
        return CorpusError(f"{self.where(position)}: {message}")

    def where(self, position: int) -> str:
        """File and line of a place of the text."""
        return f"{self.name}:{self.first + self.text.count(chr(10), 0, position)}"


class Parse(NamedTuple):
    """A sentence of a parser's output.

    ``tree``: None where it is none, or says that there is no parse. ``line``: its number.
    ``fault``: what is wrong with it, if it cannot be read. ``is_blank``: whether nothing stands in
    the line.
    """

    tree: Tree | None
    line: int
    fault: str = ""
    is_blank: bool = False


def read_parses(lines: Lines, name: str) -> list[Parse]:
    """A parser's output: of each line, as EVALB has it, or of each tree, where trees go over lines.

    A line without a word is a sentence without a parse; several roots in a line are of one
    sentence.
    """
    rows = list(lines)
    texts = [line for _, line in rows if line.strip()]
    by_line = all(text[0] == "(" for text in texts)
    by_line = by_line or all(text.count("(") == text.count(")") for text in texts)
    if by_line:
        return [_parse_of_line(number, line, name) for number, line in rows]

    parses = []
    for where, tree, _ in sound_trees(iter(rows), name, Faults("skip")):
        number = int(where.rpartition(":")[2])
        if isinstance(tree, CorpusError):
            parses.append(Parse(None, number, str(tree)))
        else:
            parses.append(Parse(tree, number))
    return parses


def _parse_of_line(number: int, line: str, name: str) -> Parse:
    if _LEAF.search(line) is None:
        return Parse(None, number, is_blank=not line.strip())
    try:
        trees = [tree for _, _, tree in _trees(Source(line, name, number)) if tree is not None]
    except CorpusError as error:
        return Parse(None, number, str(error))
    return Parse(joined(trees), number)


def joined(trees: Sequence[Tree]) -> Tree | None:
    """Trees of one sentence as one, below a root that does not count; None of none."""
    if len(trees) < 2:
        return next(iter(trees), None)
    return Tree("TOP", tuple(trees))


def sentence_of(tree: Tree, where: str) -> Sentence:
    """The sentence of a tree, with its tags, found at a place."""
    words, tags = zip(*tree.pos(), strict=True)
    return Sentence(words, tags=tags, tree=tree, source=where)


def sources(lines: Lines, name: str) -> Iterator[Source]:
    """The lines as far as their brackets are balanced, so that no more than a tree is held."""
    rows: list[str] = []
    first = depth = 0

    for number, line in lines:
        if not rows:
            first = number
        rows.append(line.rstrip("\r\n"))
        depth += line.count("(") - line.count(")")
        if depth <= 0:
            if line.strip() or len(rows) > 1:
                yield Source("\n".join(rows), name, first)
            rows = []
            depth = 0

    if rows:
        yield Source("\n".join(rows), name, first)


def sound_trees(
    lines: Lines, name: str, faults: Faults
) -> Iterator[tuple[str, Tree | CorpusError | None, str]]:
    """File and line, tree and text of each; an error for what cannot be read."""
    for source in sources(lines, name):
        place: int | None = 0
        line = source.first
        seen = 0
        while place is not None:
            try:
                for start, end, tree in _trees(source, place, apart=faults.count > 0):
                    place = end
                    line += source.text.count("\n", seen, start)
                    seen = start
                    yield f"{source.name}:{line}", tree, source.text[start:end]
                break
            except CorpusError as error:
                failed = error

            # It begins behind the last tree; the next is looked for behind its first letter.
            text = re.compile(r"\S|\Z").search(source.text, place)
            after = _START.search(source.text, text.start() + 1) if text else None
            begin = place
            place = after and after.start()
            yield f"{source.name}:{line}", failed, source.text[begin:place].lstrip("\n")


def parse_tree(text: str) -> Tree:
    """The tree that a bracketed string spells, as the reader would have it.

    Parameters
    ----------
    text : str
        One tree.

    Returns
    -------
    Tree

    Raises
    ------
    CorpusError
        Brackets that do not fit, a word without a tag; or the text holds no tree or several.

    Examples
    --------
    >>> print(parse_tree("( (S (NP-SBJ-1 (PRP We)) (VP (VBP walk) (NP (-NONE- *)))) )"))
    (S (NP (PRP We)) (VP (VBP walk)))
    """
    trees = [tree for _, _, tree in _trees(Source(text, "tree")) if tree is not None]
    if len(trees) != 1:
        raise CorpusError(f"{text!r} holds {len(trees)} trees where one is wanted")
    return trees[0]


def _trees(
    source: Source, place: int = 0, apart: bool = False
) -> Iterator[tuple[int, int, Tree | None]]:
    """Start, end and tree of each; `apart` if a bracket that begins a line begins a tree."""
    stack: list[_Bracket] = []
    for token in _TOKEN.finditer(source.text, place):
        tag, word, failed, label = token.groups()
        start = token.start()
        if apart and stack and token[0][0] == "(" and source.text[start - 1] == "\n":
            raise _unfinished(source, stack[0].start, start - 1)
        if label is not None:
            stack.append(_Bracket(label, start, []))
            continue

        node: Tree | None = None
        if word is not None:
            if tag != _EMPTY:
                node = _leaf(tag, word) or _cleaned_leaf(source, token)
        elif failed is not None:
            if stack:
                raise _without_word(source, start, "")
        elif stack and token[0] == ")":
            bracket = stack.pop()
            node = _close(source, bracket, inner=bool(stack))
            start = bracket.start
        else:
            raise _outside(source, token, inside=bool(stack))

        if stack:
            stack[-1].children.append(node)
        else:
            yield start, token.end(), _peel(node)
    if stack:
        raise _unfinished(source, stack[0].start, len(source.text))


def _outside(source: Source, token: re.Match[str], inside: bool) -> CorpusError:
    """The error of a text that is no bracket and no word with its tag."""
    message = f"the text {token[0]!r} stands outside every tree"
    if inside:
        message = f"the word {token[0]!r} has no tag; a word goes with its tag: (NN dog)"
    elif token[0] == ")":
        message = "a ')' that closes nothing; one too many, or a '(' is missing"
    return source.error(token.start(), message)


@lru_cache(maxsize=1 << 16)
def _leaf(tag: str, word: str) -> Tree | None:
    """A tag over a word; None where one of them is to be cleaned."""
    if is_fit(tag) and is_fit(word):
        return Tree(tag, (word,))
    return None


def _cleaned_leaf(source: Source, token: re.Match[str]) -> Tree:
    tag, word = (clean_word(token[i], source.where(token.start(i))) for i in (1, 2))
    return Tree(tag, (word,))


def _close(source: Source, bracket: _Bracket, inner: bool) -> Tree | None:
    label, start, children = bracket
    if not children:
        raise _without_word(source, start, label)
    if inner and not label:
        raise source.error(start, "a bracket without a label; only the outermost may lack one")
    full = tuple(filter(None, children))
    return Tree(_category(label), full) if full else None


def _without_word(source: Source, start: int, label: str) -> CorpusError:
    return source.error(
        start, f"the bracket '({label})' holds no word; a word goes with its tag: (NN dog)"
    )


def _peel(tree: Tree | None) -> Tree | None:
    while tree is not None and tree.label in _OUTER:
        children = [child for child in tree.children if getattr(child, "label", "") != "ID"]
        if len(children) != 1 or isinstance(children[0], str):
            break
        tree = children[0]
    return tree


@lru_cache(maxsize=4096)
def _category(label: str) -> str:
    if label.startswith("-") and label.endswith("-"):
        return label
    return _SUFFIX.sub("", label) or "TOP"


def _unfinished(source: Source, start: int, end: int) -> CorpusError:
    line = source.where(start).rpartition(":")[2]
    event = "a line begins a tree"
    if end == len(source.text):
        event = "the file ends"
    return source.error(end, f"{event} inside a tree that began at line {line}; a ')' is missing")
