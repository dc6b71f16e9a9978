"""Constituents from raw text: what stands between the same frequent words, and what it attaches to.

Redraws a corner of Table 1 of Brooks (2006) on the bundled sample, whose trees serve for the scores alone.

Run: python examples/plot_08_constituents_from_raw_text.py [FILE.svg]   (needs fstce[report])
"""

from __future__ import annotations

import sys
from itertools import islice

import matplotlib

from fstce.corpora import sample
from fstce.evaluation import bootstrap, constituents, right_branching, unlabelled_scores
from fstce.induction.inducer import DirectedAlignment

matplotlib.use("svg")
from matplotlib import pyplot

# %%
# **Systems**: brackets between function words (FWB), by distribution (DA), with classes of words, and with
# attachment (DA_STOP). Each reads words alone. An interval is a bootstrap over sentences.

text = sample()
gold = [sentence.tree for sentence in text]
spans = [right_branching(len(constituents(tree).words)) for tree in gold]
trees = {"right-branching": unlabelled_scores(gold, spans)}
for system in ("fwb", "da", "da-cluster", "da-stop"):
    inducer = DirectedAlignment(system, iterations=100).fit(text)
    trees[system] = unlabelled_scores(gold, inducer.predict(text))

scores = {name: bootstrap(one.matrix, one.statistic("f1")) for name, one in trees.items()}
for name, score in scores.items():
    recall = trees[name].by_category()["PP"].recall
    print(f"{name:16s} F1 {score.estimate:4.1f} %, recall of PP {recall:4.1f} %")

# %%
# **The picture**, with 95 % intervals.

figure, axes = pyplot.subplots(figsize=(6, 2.3), layout="constrained")
errors = [
    [s.estimate - s.low for s in scores.values()],
    [s.high - s.estimate for s in scores.values()],
]
heights = [score.estimate for score in scores.values()]
axes.barh(list(scores), heights, color="#3b6ea5", xerr=errors, ecolor="#444444")
axes.invert_yaxis()
axes.set(xlabel="F1 of brackets, %, with 95 % intervals")
axes.spines[["top", "right"]].set_visible(False)
figure.savefig(sys.argv[1] if sys.argv[1:] else "brackets.svg", metadata={"Date": None})

# %%
# **What the last one learned**: which expressions stand in the same context.

for rule in islice(inducer.grammar_.rules(), 5):
    words = [" ".join(expression) for expression, _ in rule.expressions[:3]]
    print(f"{rule.name} in {rule.contexts[0]}: {' | '.join(words)}")

# %%
# **A tree**.

SENTENCE = ["The", "baker", "of", "the", "village", "opened", "the", "door", "of", "the", "mill"]
print(inducer.predict([SENTENCE])[0].pretty())
