"""Latent grammars and their product: what splitting learns, and what several seeds give together.

A treebank grammar knows that an NP is an NP. Split–merge–smooth training learns from the
trees alone that NPs are of many kinds: pronouns, subjects, what follows a preposition.
Another seed learns other kinds, and the product of several grammars parses better than
they do on average. Everything here is also a command: ``fstce latent train``,
``fstce latent show``, ``fstce latent parse``, ``fstce latent evaluate``, and on a whole treebank
``fstce reproduce products``.

Run: python examples/plot_09_latent_grammar.py [CHART.svg]
"""

from __future__ import annotations

import sys
from pathlib import Path

import fstce
from fstce.latent.subcategories import subcategories
from fstce.reporting import line_chart

SEEDS = (0, 1, 2)
CYCLES = 2
SENTENCE = ["the", "old", "lamp", "on", "the", "table", "is", "small", "."]
QUICK = {"split_iterations": 20, "merge_iterations": 8, "smooth_iterations": 4}


def main(chart: Path | None) -> None:
    """Train three seeds, list what one of them learnt, and score cycles and the product."""
    sentences = fstce.corpora.sample()
    train = [sentence for number, sentence in enumerate(sentences) if number % 10]
    test = sentences[::10]
    gold = [sentence.tree for sentence in test]

    seeds = [fstce.LatentGrammar(cycles=CYCLES, seed=seed, **QUICK) for seed in SEEDS]
    product = fstce.GrammarProduct(seeds).fit(train)
    first = product.grammars_[0]

    for symbol in ("NP", "NN"):
        for one in subcategories(first.hierarchy_.finest, symbol, 3):
            likely = ", ".join(name for name, _ in one.likely)
            print(f"{one.name:5} {100 * one.share:4.0f} % of {symbol}: {likely}")

    by_cycle = [100 * first.after(cycles).score(test, gold) for cycles in range(CYCLES + 1)]
    for cycles, f1 in enumerate(by_cycle):
        print(f"{f1:5.1f} F1 after {cycles} cycles")
    single = [100 * grammar.score(test, gold) for grammar in product.grammars_]
    print(f"{sum(single) / len(single):5.1f} F1 on average over {len(SEEDS)} seeds")
    print(f"{100 * product.score(test, gold):5.1f} F1 by their product")
    print(product.predict([SENTENCE])[0].pretty())

    if chart is not None:
        picture = line_chart(
            {"F1 on held-out sentences": (list(range(CYCLES + 1)), by_cycle)},
            title="Splitting categories",
            x_label="cycles",
            y_label="labelled F1",
            x_ticks=list(range(CYCLES + 1)),
        )
        chart.write_text(picture.svg, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
