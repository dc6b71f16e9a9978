"""``fstce induction parse`` and ``evaluate``: the phrases that an induced grammar finds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from fstce.console.applying import Answered, Applying
from fstce.console.models import load
from fstce.console.options import AsJson, Corpus, Model, helped
from fstce.console.output import Sheet, note, report
from fstce.console.phrases import (
    PhraseOutput,
    phrase_text,
    read_trees,
    spelt,
    trees_of,
    write_phrases,
)
from fstce.corpora import Sentence, Tree
from fstce.evaluation import constituents, right_branching, unlabelled_scores
from fstce.evaluation.unlabelled import left_branching
from fstce.induction import ClassRule, Grammar
from fstce.induction.inducer import DirectedAlignment


@helped("""Bracket a text with a grammar that was learned from raw text.

One sentence a line; the brackets of a text are written as -LRB- and -RRB-.

\b
Examples:
  echo "the old clock of the tower stopped" | fstce induction parse model
  fstce induction parse model text.txt --output-format text
""")
def parse(
    model: Model,
    applying: Applying,
    output_format: PhraseOutput = "penn",
) -> None:
    inducer, write = load(model, "induction"), partial(phrase_text, output_format)

    def parsed(sentences: list[Sentence]) -> list[Answered]:
        trees = zip(inducer.predict(sentences), sentences, strict=True)
        return [Answered(write(_with_words(tree, spelt(row.words)))) for tree, row in trees]

    write_phrases(parsed, applying)


def _with_words(tree: Tree, words: Sequence[str]) -> Tree:
    """The tree over other words, as many."""
    remaining = iter(words)

    def over(node: Tree, children: list[Tree | str]) -> Tree:
        return Tree(node.label, (next(remaining),) if node.is_preterminal else tuple(children))

    return tree.fold(over)


@helped("""Score induced constituents on a treebank.

Brackets without labels; punctuation, brackets of single words and of whole sentences are left
out. Besides them trees that branch to the left and to the right. The recall of a category
is the share of its phrases that are found.

\b
Examples:
  fstce induction evaluate model nltk:treebank
  fstce induction evaluate model test.mrg --json
""")
def evaluate(model: Model, corpus: Corpus, as_json: AsJson = False) -> None:
    inducer, sentences = load(model, "induction"), read_trees(corpus)
    gold = trees_of(sentences)
    lengths = [len(constituents(tree).words) for tree in gold]
    systems: dict[str, list[Any]] = {
        name: [spans(n) if n else () for n in lengths]
        for name, spans in (
            ("left-branching", left_branching),
            ("right-branching", right_branching),
        )
    }
    systems[inducer.system] = inducer.predict(sentences)
    counted = {name: unlabelled_scores(gold, found) for name, found in systems.items()}
    categories = counted[inducer.system].by_category()
    recall = {name: categories[name].recall for name in CATEGORIES if name in categories}
    totals = {name: found.total() for name, found in counted.items()}
    names = ("precision", "recall", "f1", "average_crossing")
    record = {name: {score: getattr(c, score) for score in names} for name, c in totals.items()}
    rows = [
        (name, c.precision, c.recall, c.f1, f"{c.average_crossing:.2f}")
        for name, c in totals.items()
    ]
    header = ("unlabeled brackets", "precision", "recall", "F1", "crossing")
    report(as_json, {"sentences": len(gold), **record, "by_category": recall}, (header, rows, (4,)))
    if recall and not as_json:
        note(f"recall of {', '.join(f'{name} {value:.1f}' for name, value in recall.items())}")


EXPRESSIONS = 4  # that a printed rule shows
CONTEXTS = 12  # context units that are named
RULES = 10  # that ``fstce info`` shows
CATEGORIES = ("NP", "VP", "PP")


def reported(inducer: DirectedAlignment) -> list[Sheet]:
    """For ``fstce info``: the context units and the first rules."""
    return [((), [context_units(inducer.grammar_)]), rules(inducer.grammar_, RULES)]


def context_units(grammar: Grammar) -> tuple[str, str]:
    """How many context units there are, and the first of them, as a fact."""
    contexts = grammar.contexts.tolist()
    named = " ".join(grammar.units.name(unit) for unit in contexts[:CONTEXTS])
    return "context units", f"{len(contexts):,}: {named}{' …' if len(contexts) > CONTEXTS else ''}"


def rules(grammar: Grammar, show: int) -> Sheet:
    """The first rules, shortened."""
    rows = [_rule_row(rule) for rule, _ in zip(grammar.rules(), range(show), strict=False)]
    return ("class", "context", "places", "expressions"), rows, (2,)


def _rule_row(rule: ClassRule) -> tuple[str, str, str, str]:
    places = sum(times for _, times, _ in rule.expressions)
    first = " | ".join(" ".join(words) for words, _, _ in rule.expressions[:EXPRESSIONS])
    more = " | …" if len(rule.expressions) > EXPRESSIONS else ""
    others = f" and {len(rule.contexts) - 1} more" if len(rule.contexts) > 1 else ""
    return rule.name, rule.contexts[0] + others, f"{places:,}", first + more
