"""``fstce induction parse`` and ``evaluate``: the phrases that an induced grammar finds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import islice
from typing import Any

from fstce.console.applying import Answered, Applying
from fstce.console.models import load
from fstce.console.options import AsJson, Corpus, Model, helped
from fstce.console.output import Sheet, report
from fstce.console.phrases import (
    PhraseOutput,
    phrase_text,
    read_trees,
    trees_of,
    write_phrases,
)
from fstce.corpora import Sentence, Tree
from fstce.corpora.words import with_brackets_named
from fstce.evaluation import constituents, right_branching, unlabelled_scores
from fstce.evaluation.unlabelled import left_branching
from fstce.induction.grammar import ClassRule, Grammar
from fstce.induction.inducer import DirectedAlignment


@helped("""Bracket a text with a grammar that was learned from raw text.

One sentence a line; the brackets of a text are written as -LRB- and -RRB-.

\b
Examples:
  echo "the old clock of the tower stopped" | fstce induction parse model
  fstce induction parse model text.txt --output-format text
""")
def parse(model: Model, applying: Applying, output_format: PhraseOutput = "penn") -> None:
    inducer = load(model, "induction")
    write = partial(phrase_text, output_format)

    def parsed(sentences: list[Sentence]) -> list[Answered]:
        trees = zip(inducer.predict(sentences), sentences, strict=True)
        return [Answered(write(_with_words(tree, row.words))) for tree, row in trees]

    write_phrases(parsed, applying)


def _with_words(tree: Tree, words: Sequence[str]) -> Tree:
    """The tree over other words, as many, spelt as in treebanks."""
    remaining = map(with_brackets_named, words)

    def over(node: Tree, children: list[Tree | str]) -> Tree:
        return Tree(node.label, (next(remaining),) if node.is_preterminal else tuple(children))

    return tree.fold(over)


@helped("""Score induced constituents on a treebank.

Brackets without labels; punctuation, brackets of single words and of whole sentences are left
out. Besides them trees that branch to the left and to the right.

\b
Examples:
  fstce induction evaluate model nltk:treebank
  fstce induction evaluate model test.mrg --json
""")
def evaluate(model: Model, corpus: Corpus, as_json: AsJson = False) -> None:
    inducer = load(model, "induction")
    sentences = read_trees(corpus)
    gold = trees_of(sentences)

    # None of a sentence of punctuation alone
    lengths = [len(constituents(tree).words) for tree in gold]
    systems: dict[str, list[Any]] = {
        "left-branching": [left_branching(n) if n else () for n in lengths],
        "right-branching": [right_branching(n) if n else () for n in lengths],
        inducer.system: inducer.predict(sentences),
    }
    scores = {name: unlabelled_scores(gold, trees) for name, trees in systems.items()}

    record: dict[str, Any] = {"sentences": len(gold)}
    rows = []
    for name, of_system in scores.items():
        total = of_system.total()
        figures = {figure: getattr(total, figure) for figure in FIGURES}
        record[name] = figures
        *percents, crossing = figures.values()
        rows.append((name, *percents, f"{crossing:.2f}"))

    report(as_json, record, (("unlabeled brackets", *HEADINGS), rows, (4,)))


FIGURES = ("precision", "recall", "f1", "average_crossing")
HEADINGS = ("precision", "recall", "F1", "crossing")
EXPRESSIONS = 4  # that a printed rule shows
CONTEXTS = 12  # context units that are named
RULES = 10  # that are printed


def reported(inducer: DirectedAlignment) -> list[Sheet]:
    """For ``fstce info``: the context units and the first rules."""
    return [((), [context_units(inducer.grammar_)]), rules(inducer.grammar_)]


def context_units(grammar: Grammar) -> tuple[str, str]:
    """How many context units there are, and the first of them, as a fact."""
    contexts = grammar.contexts.tolist()
    names = [grammar.units.name(unit) for unit in contexts[:CONTEXTS]]
    if len(contexts) > CONTEXTS:
        names.append("…")
    return "context units", f"{len(contexts):,}: {' '.join(names)}"


def rules(grammar: Grammar) -> Sheet:
    """The first rules, shortened."""
    rows = list(map(_rule_row, islice(grammar.rules(), RULES)))
    return ("class", "context", "places", "expressions"), rows, (2,)


def _rule_row(rule: ClassRule) -> tuple[str, str, str, str]:
    """The name of a rule, its contexts, places and expressions, shortened."""
    expressions = [" ".join(words) for words, _ in rule.expressions[:EXPRESSIONS]]
    if len(rule.expressions) > EXPRESSIONS:
        expressions.append("…")

    context, *further = rule.contexts
    if further:
        context = f"{context} and {len(further)} more"

    places = sum(count for _, count in rule.expressions)
    return rule.name, context, f"{places:,}", " | ".join(expressions)
