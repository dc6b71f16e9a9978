"""``fstce parser parse``: tagged sentences or lattices in, dependency trees out, in their order."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

from fstce.console.applying import Applying
from fstce.console.models import load
from fstce.console.options import KBest, Model, argument, helped, option
from fstce.console.output import count, note
from fstce.errors import ParameterError
from fstce.parsing.parser import DependencyParser
from fstce.parsing.verbs.treebanks import ModelPreparationOptions, ParserDecoding
from fstce.parsing.verbs.trees import (
    SUFFIXES,
    Item,
    Tree,
    TreeNotation,
    TreeWriter,
    check_wishes,
    items,
    of_lattices,
    of_sentences,
)


@helped("""Parse tagged sentences, or lattices over tags, into dependencies.

Of a CoNLL file HEAD and DEPREL are replaced (root, or the unspecified dep), and everything
else is passed through; its own heads are not looked at. Other input comes out as CoNLL-U.
Input without a known suffix is word/TAG lines, or lines of words with --tags word. The
grammar does not see punctuation: a removed word attaches to the nearest word before it
that is kept, or else to the first. --tags, --tag-column, --currency and --punctuation
are those of the training unless they are given.

A sentence that cannot be parsed (damaged lines, no tags, nothing but punctuation, too
large) is passed through with a warning. A tag that training did not see attaches anywhere,
with weight zero; such tags are counted at the end. Of a lattice the best tree and the
sequence of tags that it yields are printed.

\b
Examples:
  echo "the/DT dog/NN barks/VBZ" | fstce parser parse model
  fstce parser parse model test.conllu > parsed.conllu
  fstce parser parse model trees.mrg --decoder minimum-risk --proba
  fstce parser parse model lattice.fst
  fstce parser parse model tagged.pos --output-format svg > trees.svg
""")
def parse(
    model: Model,
    decoding: ParserDecoding,
    options: ModelPreparationOptions,
    text: Annotated[
        str, argument("INPUT", "word/TAG lines, CoNLL, Penn trees, .fst or .far; - is standard input.")
    ] = "-",
    *,
    applying: Applying,
    output_format: Annotated[
        TreeNotation, option("--output-format", "CoNLL-U, trees as text, or one picture.")
    ] = "conllu",
    k: KBest = None,
    proba: Annotated[
        bool, option("--proba", "Add the posterior of each head, in MISC or as the link's thickness.")
    ] = False,
) -> None:
    check_wishes(output_format, decoding.get("decoder") == "minimum-risk", proba, k)
    parser = load(model, "parser", **decoding)
    writer, tally = TreeWriter(output_format), _Tally(parser)
    if Path(text).suffix.lower() in SUFFIXES:
        if proba or k is not None or decoding.get("decoder", "viterbi") != "viterbi":
            raise ParameterError(
                "of a lattice the one best tree is found: leave out --k, --proba and --decoder"
            )
        for item, trees in of_lattices(parser, Path(text)):
            _write(item, trees, writer, tally)
    else:
        preparation = options.preparation(parser.preparation_)
        for batch, answers in applying.answers(
            partial(of_sentences, parser, preparation=preparation, k=k, proba=proba),
            items(text, preparation),
        ):
            for item, (trees, seen) in zip(batch, answers, strict=True):
                tally.see(seen)
                _write(item, trees, writer, tally)
    sys.stdout.write(writer.end())
    if not applying.quiet:
        tally.tell()


def _write(item: Item, trees: list[Tree] | str, writer: TreeWriter, tally: _Tally) -> None:
    """Write an item with its trees, or as it came where there are none, and say why."""
    tally.add(trees)
    sys.stdout.write(writer.unparsed(item) if isinstance(trees, str) else writer.parsed(item, trees))
    if isinstance(trees, str) and trees:
        note(f"passed through unparsed: {trees}")


class _Tally:
    """Counts sentences, and the tags that training did not see."""

    def __init__(self, parser: DependencyParser) -> None:
        self._known = frozenset(parser.model_.tags)
        self._parsed = self._passed = self._words = self._unseen = 0
        self._tags: dict[str, None] = {}

    def add(self, trees: list[Tree] | str) -> None:
        """Count a sentence."""
        self._parsed += not isinstance(trees, str)
        self._passed += isinstance(trees, str) and bool(trees)

    def see(self, tags: Sequence[str]) -> None:
        """Count the tags of a sentence."""
        unseen = [tag for tag in tags if tag not in self._known]
        self._words += len(tags)
        self._unseen += len(unseen)
        self._tags.update(dict.fromkeys(unseen))

    def tell(self) -> None:
        """Say what was counted."""
        passed = f", {self._passed:,} passed through unparsed" if self._passed else ""
        note(f"parsed {count(self._parsed, 'sentence')}{passed}")
        if not self._unseen:
            return
        listed = " ".join(list(self._tags)[:10]) + (" …" if len(self._tags) > 10 else "")
        note(
            f"{self._unseen:,} of {count(self._words, 'word')} have {count(len(self._tags), 'tag')} that "
            f"training did not see ({listed}): they attach anywhere, with weight zero"
        )
        if self._unseen == self._words:
            note("no tag is the model's: was it trained with other --tags or another --tag-column?")
