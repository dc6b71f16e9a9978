"""``fstce parser parse``: tagged sentences or lattices in, dependency trees out, in their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from fstce.console.applying import Answered, Applying, write
from fstce.console.models import load
from fstce.console.options import KBest, Model, argument, helped, option
from fstce.console.output import count, remark
from fstce.errors import ParameterError
from fstce.parsing.verbs.treebanks import ParserDecoding, PreparationOptions
from fstce.parsing.verbs.trees import (
    SUFFIXES,
    TreeNotation,
    as_it_came,
    check_wishes,
    of_lattices,
    of_sentences,
    passages,
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
  fstce parser parse model tagged.pos --output-format text
""")
def parse(
    model: Model,
    decoding: ParserDecoding,
    options: PreparationOptions,
    text: Annotated[
        str, argument("INPUT", "word/TAG lines, CoNLL, Penn trees, .fst or .far; - is standard input.")
    ] = "-",
    *,
    applying: Applying,
    output_format: Annotated[
        TreeNotation, option("--output-format", "CoNLL-U, or trees as text.")
    ] = "conllu",
    k: KBest = None,
    proba: Annotated[bool, option("--proba", "Add the posterior of each head, in MISC.")] = False,
) -> None:
    check_wishes(output_format, decoding.get("decoder") == "minimum-risk", proba, k)
    parser = load(model, "parser", **decoding)
    answered: Iterator[tuple[Any, Answered]]
    if Path(text).suffix.lower() in SUFFIXES:
        if proba or k is not None or decoding.get("decoder", "viterbi") != "viterbi":
            raise ParameterError(
                "of a lattice the one best tree is found: leave out --k, --proba and --decoder"
            )
        answered = write(of_lattices(parser, Path(text), output_format))
    else:
        preparation = options.preparation(parser.preparation_)
        answered = applying.written(
            partial(of_sentences, parser, preparation=preparation, k=k, proba=proba, notation=output_format),
            passages(text, preparation),
            partial(as_it_came, output_format),
        )
    parsed, passed, words, unseen = 0, 0, 0, Counter[str]()
    for _, answer in answered:
        parsed += answer.known is not None and not answer.warning
        passed += bool(answer.warning)
        words += len(answer.known or ())
        unseen.update(tag for tag in answer.known or () if tag not in parser.model_.tags)
    remark(f"parsed {count(parsed, 'sentence')}" + f", {passed:,} passed through unparsed" * bool(passed))
    _tell_unseen(unseen, words)


def _tell_unseen(unseen: Counter[str], words: int) -> None:
    """Say which tags training did not see."""
    if not unseen:
        return
    listed = " ".join(list(unseen)[:10]) + (" …" if len(unseen) > 10 else "")
    remark(
        f"{unseen.total():,} of {count(words, 'word')} have {count(len(unseen), 'tag')} that "
        f"training did not see ({listed}): they attach anywhere, with weight zero"
    )
    if unseen.total() == words:
        remark("no tag is the model's: was it trained with other --tags or another --tag-column?")
