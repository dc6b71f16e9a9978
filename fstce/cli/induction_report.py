"""What ``fstce induce`` tells: sizes, the first rules, how the brackets compare with trees."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fstce.cli.output import count, facts, note, percent, seconds, table

if TYPE_CHECKING:
    from fstce.corpora import Sentence
    from fstce.distribution import ClassRule, Grammar
    from fstce.distribution.inducer import DirectedAlignment

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
            ("saved in", str(output) if output else "nowhere; give --output FOLDER"),
        ]
    )


def learned(inducer: DirectedAlignment) -> list[tuple[str, str]]:
    """What was learnt, by name."""
    from fstce.distribution.units import FIRST_WORD

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


def show_model(folder: Path) -> None:
    """Print the parameters of a model folder, what was learnt and the first rules: for ``fstce info``."""
    from fstce.distribution.inducer import DirectedAlignment

    inducer = DirectedAlignment.load(folder)
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
    found = [rule for rule, _ in zip(grammar.rules(), range(show), strict=False)]
    if found:
        print()
        table(("class", "context", "places", "expressions"), [*map(_rule_row, found)], numbers=(2,))


def _rule_row(rule: ClassRule) -> tuple[str, str, str, str]:
    places = sum(times for _, times, _ in rule.expressions)
    first = " | ".join(" ".join(words) for words, _, _ in rule.expressions[:EXPRESSIONS])
    more = " | …" if len(rule.expressions) > EXPRESSIONS else ""
    others = f" and {len(rule.contexts) - 1} more" if len(rule.contexts) > 1 else ""
    return rule.name, rule.contexts[0] + others, f"{places:,}", first + more


def show_scores(inducer: DirectedAlignment, sentences: Sequence[Sentence]) -> None:
    """For information: how the brackets found compare with the trees that the corpus carries."""
    from fstce.evaluation import constituents, left_branching, right_branching, unlabelled_scores

    carrying = [(sentence, sentence.tree) for sentence in sentences if sentence.tree is not None]
    if not carrying:
        return
    gold = [tree for _, tree in carrying]
    lengths = [len(constituents(tree).words) for tree in gold]
    systems: list[tuple[str, list[Any]]] = [
        (name, [spans(n) if n else () for n in lengths])
        for name, spans in (("left-branching", left_branching), ("right-branching", right_branching))
    ]
    systems.append((inducer.system, inducer.predict([sentence for sentence, _ in carrying])))
    rows = []
    for name, found in systems:
        total = unlabelled_scores(gold, found).total()
        scores = (percent(total.precision), percent(total.recall), percent(total.f1))
        rows.append((name, *scores, f"{total.average_crossing:.2f}"))
    print()
    table(("unlabelled brackets", "precision", "recall", "F1", "crossing"), rows, numbers=(1, 2, 3, 4))
    recall = unlabelled_scores(gold, systems[-1][1]).by_category()
    told = [f"{name} {recall[name].recall:.1f}" for name in CATEGORIES if name in recall]
    if told:
        note(f"recall of {', '.join(told)}")
    note("the trees of the corpus were used for these scores and nothing else")
