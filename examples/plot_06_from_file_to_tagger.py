"""From an empty file to a trained comparison: a neighborhood written, checked, drawn, trained, explained.

The machine deletes one function word. It is a file of its own, as an author would write it, and every
step here is also a command.

Run: python examples/plot_06_from_file_to_tagger.py [FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path

import fstce
from fstce.evaluation import tagging_accuracy
from fstce.explanation.explain import explain
from fstce.machines import write_drawing
from fstce.neighborhoods.check import check

# %%
# **Write it**: a file with one function, as ``fstce neighborhood new`` begins one.

MINE = '''"""MINE: one function word deleted."""

import pynini

from fstce.neighborhoods.word_machines import word_class

FUNCTION = word_class("function-words")


def build(symbols):
    copy = pynini.closure(symbols.any())
    words = [label for label in symbols.labels if symbols.word(label) in FUNCTION]
    deletion = pynini.cross(symbols.union(words), "")
    return copy + pynini.closure(deletion, 0, 1) + copy
'''
SENTENCE = ["the", "baker", "will", "light", "the", "lamp"]
folder = Path(sys.argv[1] if sys.argv[1:] else "mine")
folder.mkdir(parents=True, exist_ok=True)
path = folder / "mine.py"
path.write_text(MINE, encoding="utf-8")

# %%
# **Check it** (``fstce neighborhood check ./mine.py``): in a process of its own with limits, is the
# sentence always a neighbor, the empty string never?

report = check(str(path), sentence=SENTENCE)
print(f"checked: {'all holds' if report.holds else report.errors}")

# %%
# **Draw it** (``fstce neighborhood draw ./mine.py "the baker will light the lamp"``).

mine = fstce.neighborhood(str(path))
write_drawing(mine(SENTENCE).to_fst(), folder / "mine.svg")
print(f"drawn: {folder / 'mine.svg'}, {mine(SENTENCE).count()} sentences")

# %%
# **Train with it** (``fstce tagger train --neighborhood ./mine.py``), alone and joined with TRANS1.

text = fstce.corpora.sample()
gold = [sentence.tags for sentence in text]
dictionary = fstce.TagDictionary.from_corpus(text)
for name in ("trans1", f"trans1 | '{path}'", str(path)):
    tagger = fstce.Tagger(neighborhood=name).fit(text, dictionary=dictionary)
    right = tagging_accuracy(text, gold, tagger.predict(text), dictionary)
    print(f"{right.ambiguous:5.1f} % of ambiguous words: {name.replace(str(path), 'mine')}")

# %%
# **Ask why** (``fstce explain``): which neighbors take probability from the sentence, and by which
# feature.

why = explain(tagger, SENTENCE)
page = why.page().write(folder / "why.html")
print(f"explained: {page}, {100 * why.probability:.0f} % for the sentence; against it:")
for rival in why.neighbors:
    reasons = "".join(f", {' '.join(one.name)} {one.nats:+.2f}" for one in rival.comparison.top(1))
    print(f"{100 * rival.probability:5.1f} % {' '.join(rival.words)}{reasons}")
