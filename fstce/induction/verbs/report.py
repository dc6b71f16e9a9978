"""What is told of an induced grammar: sizes, the first rules, how its brackets compare with trees."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fstce.console.output import count, facts, note, percent, plain, saved_in, seconds, table

if TYPE_CHECKING:
    from fstce.corpora import Sentence
    from fstce.evaluation.bracket_scores import SpanCounts
    from fstce.induction import ClassRule, Grammar
    from fstce.induction.inducer import DirectedAlignment

EXPRESSIONS = 4  # that a printed rule shows
CONTEXTS = 12  # context units that are named
RULES = 10  # that ``fstce info`` shows
CATEGORIES = ("NP", "VP", "PP")


def describe(
    inducer: DirectedAlignment, sentences: Sequence[Sentence], spent: float, output: Path | None
) -> None:
    """Print the sizes of the text and of what was learnt."""
    words = sum(map(len, sentences))
    facts(
        [
            ("corpus", f"{count(len(sentences), 'sentence')}, {count(words, 'word')}"),
            *learned(inducer),
            ("time", seconds(spent)),
            saved_in(output),
        ]
    )


def learned(inducer: DirectedAlignment) -> list[tuple[str, str]]:
    """What was learnt, by name."""
    from fstce.induction.text import FIRST_WORD

    grammar = inducer.grammar_
    kept = int((inducer.text_ >= FIRST_WORD).sum())
    types, contexts = len(grammar.units.words), grammar.contexts.tolist()
    named = " ".join(grammar.units.name(unit) for unit in contexts[:CONTEXTS])
    more = " …" if len(contexts) > CONTEXTS else ""
    stopped = "" if inducer.stopped_ == "iterations" else f", stopped: {_reason(inducer)}"
    return [
        ("learnt from", f"{count(kept, 'word')} without punctuation, {count(types, 'type')}"),
        ("context units", f"{len(contexts):,}: {named}{more}"),
        ("iterations", f"{len(grammar.steps):,}{stopped}"),
        ("classes", f"{len(grammar.classes):,}"),
    ]


def show_model(inducer: DirectedAlignment) -> None:
    """Print the parameters of a model, what was learnt and the first rules: for ``fstce info``."""
    parameters = [(name, str(value)) for name, value in inducer.get_params().items() if name != "iterations"]
    facts([*parameters, *learned(inducer)])
    show_rules(inducer.grammar_, RULES)


def _reason(inducer: DirectedAlignment) -> str:
    if inducer.stopped_ in ("interrupted", "monitor"):
        return inducer.stopped_
    if not inducer.grammar_.options.alignment:
        return "fwb learns nothing"
    return f"no pattern has {count(inducer.min_count, 'place')} left"


def show_rules(grammar: Grammar, show: int) -> None:
    """Print the first rules, shortened."""
    rules = [rule for rule, _ in zip(grammar.rules(), range(show), strict=False)]
    if rules:
        print()
        table(("class", "context", "places", "expressions"), [*map(_rule_row, rules)], numbers=(2,))


def _rule_row(rule: ClassRule) -> tuple[str, str, str, str]:
    places = sum(times for _, times, _ in rule.expressions)
    first = " | ".join(" ".join(words) for words, _, _ in rule.expressions[:EXPRESSIONS])
    more = " | …" if len(rule.expressions) > EXPRESSIONS else ""
    others = f" and {len(rule.contexts) - 1} more" if len(rule.contexts) > 1 else ""
    return rule.name, rule.contexts[0] + others, f"{places:,}", first + more


class Scores(NamedTuple):
    """How the brackets found compare with those of trees, beside trees that need no grammar.

    ``totals``: the counts of each way to bracket, the grammar's last. ``recall``: in percent, of each
    category that :data:`CATEGORIES` names.
    """

    totals: dict[str, SpanCounts]
    recall: dict[str, float]

    def record(self) -> dict[str, Any]:
        """All scores as JSON has them."""
        names = ("precision", "recall", "f1", "average_crossing")
        sentences = next(iter(self.totals.values())).sentences
        rows = {
            name: {score: plain(getattr(total, score)) for score in names}
            for name, total in self.totals.items()
        }
        return {"sentences": sentences, **rows, "by_category": self.recall}


def scores(inducer: DirectedAlignment, sentences: Sequence[Sentence]) -> Scores | None:
    """The scores on those sentences that have a tree; None where none has one."""
    from fstce.evaluation import constituents, right_branching, unlabelled_scores
    from fstce.evaluation.baselines import left_branching

    carrying = [(sentence, sentence.tree) for sentence in sentences if sentence.tree is not None]
    if not carrying:
        return None
    gold = [tree for _, tree in carrying]
    lengths = [len(constituents(tree).words) for tree in gold]
    systems: dict[str, list[Any]] = {
        name: [spans(n) if n else () for n in lengths]
        for name, spans in (("left-branching", left_branching), ("right-branching", right_branching))
    }
    systems[inducer.system] = inducer.predict([sentence for sentence, _ in carrying])
    counted = {name: unlabelled_scores(gold, found) for name, found in systems.items()}
    recall = counted[inducer.system].by_category()
    return Scores(
        {name: found.total() for name, found in counted.items()},
        {name: recall[name].recall for name in CATEGORIES if name in recall},
    )


def show_scores(scored: Scores) -> None:
    """Print percentages, a row a way to bracket, and the recall of some categories."""
    rows = [
        (name, *map(percent, (c.precision, c.recall, c.f1)), f"{c.average_crossing:.2f}")
        for name, c in scored.totals.items()
    ]
    table(("unlabelled brackets", "precision", "recall", "F1", "crossing"), rows, numbers=(1, 2, 3, 4))
    recalls = [f"{name} {value:.1f}" for name, value in scored.recall.items()]
    if recalls:
        note(f"recall of {', '.join(recalls)}")
