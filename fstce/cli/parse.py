"""``fstce parse``: tagged sentences or lattices in, dependency trees out, in batches, in their order."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fstce.cli import lattices
from fstce.cli.options import FormatOption, Quiet
from fstce.cli.output import count, note
from fstce.cli.parse_kinds import Notation, Request, dependency_notation, parse_otherwise
from fstce.cli.parse_options import CombinationOption, ObjectiveOption
from fstce.cli.treebanks import CurrencyOfModel, Preparation, Punctuation, TagColumnOption, TagsOfModel
from fstce.cli.trees_found import of_lattices, of_sentences
from fstce.cli.trees_in import batches, items
from fstce.cli.trees_out import Tree, TreeWriter, check_wishes
from fstce.errors import ParameterError

if TYPE_CHECKING:
    from fstce.parsing.parser import DependencyParser


class TreeDecoder(str, Enum):
    """How a tree is chosen."""

    viterbi = "viterbi"
    minimum_risk = "minimum-risk"


def parse(
    model: Annotated[
        Path,
        typer.Argument(
            help="A folder that fstce train-parser, fstce train-grammar or fstce induce has written.",
            show_default=False,
        ),
    ],
    text: Annotated[
        str,
        typer.Argument(
            metavar="[INPUT]", help="word/TAG lines, CoNLL, Penn trees, .fst or .far; - is standard input."
        ),
    ] = "-",
    format: FormatOption = None,
    output_format: Annotated[
        Notation | None,
        typer.Option(
            "--output-format",
            help="CoNLL-U, trees as text, or one picture; phrases as Penn trees or as text.",
        ),
    ] = None,
    decoder: Annotated[
        TreeDecoder,
        typer.Option("--decoder", help="The most probable tree, or the tree of the most probable links."),
    ] = TreeDecoder.viterbi,
    k: Annotated[
        int | None, typer.Option("--k", min=1, help="The N best trees, each with its rank and log weight.")
    ] = None,
    proba: Annotated[
        bool,
        typer.Option("--proba", help="Add the posterior of each head, in MISC or as the link's thickness."),
    ] = False,
    tags: TagsOfModel = None,
    tag_column: TagColumnOption = None,
    currency: CurrencyOfModel = None,
    punctuation: Punctuation = None,
    objective: ObjectiveOption = None,
    combination: CombinationOption = None,
    quiet: Quiet = False,
) -> None:
    """Parse tagged sentences or lattices over tags; raw text into phrases.

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

    With a model of fstce induce or fstce train-grammar the input is text, a sentence a line, and
    phrases come out as Penn trees, one a line. A latent grammar writes the brackets of a text
    as -LRB- and -RRB-, and parses a sentence of more than 200 words in pieces.

    \b
    Examples:
      echo "the/DT old/JJ clock/NN stopped/VBD" | fstce parse model --output-format text
      fstce parse model test.conllu > parsed.conllu
      fstce parse model trees.mrg --decoder minimum-risk --proba
      fstce parse model lattice.fst
      echo "a/DT dog/NN barks/VBZ" | fstce parse model --output-format svg > tree.svg
      echo "the old clock of the tower stopped" | fstce parse induced --output-format text
      echo "The old clock stopped ." | fstce parse grammar --k 3
    """
    wishes: dict[str, object] = {
        "--k": k,
        "--proba": proba,
        "--decoder": decoder is TreeDecoder.minimum_risk,
        "--tags": tags,
        "--tag-column": tag_column,
        "--currency": currency is not None,
        "--punctuation": punctuation,
        "--objective": objective and objective.value,
        "--combination": combination and combination.value,
    }
    if parse_otherwise(Request(model, text, format, output_format, quiet), wishes):
        return
    from fstce.parsing.parser import DependencyParser

    notation = dependency_notation(output_format)
    check_wishes(notation, decoder is TreeDecoder.minimum_risk, proba, k)
    parser = DependencyParser.load(model).set_params(decoder=decoder.value)
    writer, tally = TreeWriter(notation), _Tally(parser)
    if Path(text).suffix.lower() in lattices.SUFFIXES:
        _check_lattice_wishes(decoder, proba, k)
        found = of_lattices(parser, Path(text))
    else:
        preparation = Preparation.of_model(parser.preparation_, tags, tag_column, currency, punctuation)
        given = batches(items(text, format, preparation), text == "-" and sys.stdin.isatty())
        found = of_sentences(parser, given, preparation, tally.see, k, proba)
    for item, trees in found:
        tally.add(trees)
        if isinstance(trees, str):
            sys.stdout.write(writer.unparsed(item))
            if trees:
                note(f"passed through unparsed: {trees}")
        else:
            sys.stdout.write(writer.parsed(item, trees))
    sys.stdout.write(writer.end())
    if not quiet:
        tally.tell()


def _check_lattice_wishes(decoder: TreeDecoder, proba: bool, k: int | None) -> None:
    if proba or k is not None or decoder is not TreeDecoder.viterbi:
        raise ParameterError("of a lattice the one best tree is found: leave out --k, --proba and --decoder")


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
