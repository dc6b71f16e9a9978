"""Constituents from raw text: what stands between the same frequent words, and what it attaches to.

Redraws a corner of Table 1 of Brooks (2006) on the bundled sample, whose trees serve for the scores alone.

Run: python examples/plot_08_constituents_from_raw_text.py [PICTURE.svg]
"""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

from fstce.corpora import sample
from fstce.evaluation import bootstrap, constituents, right_branching, unlabelled_scores
from fstce.induction.inducer import DirectedAlignment
from fstce.machines import to_svg

# %%
# **Systems**: brackets between function words (FWB), by distribution (DA), with classes of words, and with
# attachment (DA_STOP). Each reads words alone. An interval is a bootstrap over sentences.

text = sample()
gold = [sentence.tree for sentence in text]


def show(name, scores):
    """Print F1 with its 95 % interval, and the recall of prepositional phrases."""
    recall = scores.by_category()["PP"].recall
    sure = bootstrap(scores.matrix, scores.statistic("f1"))
    f1 = f"F1 {sure.estimate:4.1f} % ({sure.low:.1f} to {sure.high:.1f})"
    print(f"{name:16s} {f1}, recall of PP {recall:4.1f} %")


spans = [right_branching(len(constituents(tree).words)) for tree in gold]
show("right-branching", unlabelled_scores(gold, spans))
for system in ("fwb", "da", "da-cluster", "da-stop"):
    inducer = DirectedAlignment(system, iterations=100).fit(text)
    show(system, unlabelled_scores(gold, inducer.predict(text)))

# %%
# **What the last one learned**: which expressions stand in the same context.

for rule in islice(inducer.grammar_.rules(), 5):
    words = [" ".join(expression) for expression, _, _ in rule.expressions[:3]]
    print(f"{rule.name} in {rule.contexts[0]}: {' | '.join(words)}")

# %%
# **A tree**, and the first layer of the grammar as a transducer that brackets a sentence.

SENTENCE = ["The", "baker", "of", "the", "village", "opened", "the", "door", "of", "the", "mill"]
print(inducer.predict([SENTENCE])[0].pretty())
print("first layer:", " ".join(inducer.chunker()(SENTENCE)))
picture = Path(sys.argv[1] if sys.argv[1:] else "chunker.svg")
picture.write_text(to_svg(inducer.chunker(rules=1).fst), encoding="utf-8")
