"""Which neighbourhood teaches tags? The tagging paper's question, on the bundled sample.

Trains one tagger a neighbourhood on the sample's raw text with its own dictionary and
draws the share of ambiguous words tagged right, beside chance and no training.

Run: python examples/plot_02_which_neighborhood.py [FILE.svg]   (needs fstce[plot])
"""

from __future__ import annotations

import sys

from fstce import TagDictionary, Tagger
from fstce.corpora import sample
from fstce.evaluation import random_accuracy, tagging_accuracy

NEIGHBORHOODS = ("del1subseq", "del1word", "delortrans1", "trans1", "length")


def main(path: str) -> None:
    text = sample()
    gold = [sentence.tags for sentence in text]
    dictionary = TagDictionary.from_corpus(text)
    bars = {"random": random_accuracy(text, gold, dictionary).ambiguous}
    for name in NEIGHBORHOODS:
        tagger = Tagger(neighborhood=name, jobs=-1).fit(text, dictionary=dictionary)
        bars[name] = tagging_accuracy(text, gold, tagger.predict(text), dictionary).ambiguous
        print(f"{name:12s} {bars[name]:.1f} % of ambiguous words")
    draw(bars, path)


def draw(bars: dict[str, float], path: str) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 2.6), layout="constrained")
    shown = axes.barh(list(bars), list(bars.values()), color=["#bbbbbb"] + ["#3b6ea5"] * len(NEIGHBORHOODS))
    axes.bar_label(shown, fmt="%.1f", padding=3)
    axes.set(xlabel="% of ambiguous words tagged right", xlim=(0, 100))
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path)
    print(f"drawn: {path}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "which_neighborhood.svg")
