"""Constituents from raw text: what stands between the same frequent words, and what it attaches to.

Redraws a corner of Table 1 of Brooks (2006) on the bundled sample, whose trees serve for
the scores alone; shows the first rules that were learnt, a tree, and the grammar's first
layer as a transducer.

Run: python examples/plot_08_constituents_from_raw_text.py [PICTURE.svg]
"""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

from fstce.corpora import sample
from fstce.evaluation import constituents, right_branching, unlabelled_scores
from fstce.induction.inducer import DirectedAlignment
from fstce.machines import to_svg

SENTENCE = ["The", "baker", "of", "the", "village", "opened", "the", "door", "of", "the", "mill"]


def main(picture: Path) -> None:
    """Learn with each system, score, and show what the last one learnt."""
    text = sample()
    gold = [sentence.tree for sentence in text]
    spans = [right_branching(len(constituents(tree).words)) for tree in gold]
    show("right-branching", unlabelled_scores(gold, spans))
    for system in ("fwb", "da", "da-cluster", "da-stop"):
        inducer = DirectedAlignment(system, iterations=100).fit(text)
        show(system, unlabelled_scores(gold, inducer.predict(text)))
    for rule in islice(inducer.grammar_.rules(), 5):
        words = [" ".join(expression) for expression, _, _ in rule.expressions[:3]]
        print(f"{rule.name} in {rule.contexts[0]}: {' | '.join(words)}")
    print(inducer.predict([SENTENCE])[0].pretty())
    print("first layer:", " ".join(inducer.chunker()(SENTENCE)))
    picture.write_text(to_svg(inducer.chunker(rules=1).fst), encoding="utf-8")


def show(name, scores):
    """Print F1 and the recall of prepositional phrases."""
    recall = scores.by_category()["PP"].recall
    print(f"{name:16s} F1 {scores.total().f1:4.1f} %, recall of PP {recall:4.1f} %")


if __name__ == "__main__":
    main(Path(*sys.argv[1:]) if sys.argv[1:] else Path("chunker.svg"))
