"""``fstce induction parse``: text in, the phrases of an induced grammar out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fstce.console.models import load
from fstce.console.options import Cluster, FormatOption, Jobs, Model, Quiet, Text, helped
from fstce.console.output import count, note
from fstce.console.phrases import PhraseNotation, PhraseOutput, phrase_writer, phrases, spelt

if TYPE_CHECKING:
    from fstce.corpora import Sentence, Tree


@helped("""Bracket a text with a grammar that was learnt from raw text.

One sentence a line; the brackets of a text are written as -LRB- and -RRB-.

\b
Examples:
  echo "the old clock of the tower stopped" | fstce induction parse model
  fstce induction parse model text.txt --output-format text
""")
def parse(
    model: Model,
    text: Text = "-",
    format: FormatOption = None,
    output_format: PhraseOutput = PhraseNotation.penn,
    jobs: Jobs = 1,
    dask: Cluster = None,
    quiet: Quiet = False,
) -> None:
    inducer, write, n_parsed = load(model, "induction"), phrase_writer(output_format), 0

    def written(sentences: list[Sentence]) -> tuple[list[str], int]:
        trees = zip(inducer.predict(sentences), sentences, strict=True)
        return [write(_with_words(tree, spelt(row.words))) for tree, row in trees], len(sentences)

    for _, n in phrases(written, text, format, jobs, dask, quiet, output_format):
        n_parsed += n
    if not quiet:
        note(f"parsed {count(n_parsed, 'sentence')}")


def _with_words(tree: Tree, words: Sequence[str]) -> Tree:
    """The tree over other words, as many."""
    from fstce.corpora import Tree

    remaining = iter(words)
    done: list[Tree | str] = []
    opened: list[tuple[str, int]] = []
    for item in tree.walk():
        if isinstance(item, Tree):
            opened.append((item.label, len(done)))
        elif isinstance(item, str):
            done.append(next(remaining))
        else:
            label, start = opened.pop()
            done[start:] = [Tree(label, tuple(done[start:]))]
    return done[0] if isinstance(done[0], Tree) else tree
