"""Which criterion teaches tags: EM, contrastive estimation, and what tags would have taught.

Redraws a column of Figure 2 of Smith & Eisner (2005a) on the bundled sample: the same features and the
same automata, six criteria.

Run: python examples/plot_04_which_criterion.py [FILE.svg]   (needs fstce[report])
"""

from __future__ import annotations

import sys

import matplotlib

import fstce
from fstce.evaluation import bootstrap, random_accuracy

matplotlib.use("svg")
from matplotlib import pyplot

# %%
# **Criteria differ in their lattices alone.** EM explains the sentence, TRANS1 and LENGTH contrast it with
# neighbors. Supervised rows learn from the tags and are scored on the same text; they show what the
# features can do at most.

CRITERIA = {
    "EM": {"criterion": "em", "smoothing": 1.0},
    "EM, annealed": {"criterion": "em", "smoothing": 1.0, "annealing": (0.1, 0.3, 1.0)},
    "TRANS1": {"neighborhood": "trans1"},
    "LENGTH": {"neighborhood": "length"},
    "HMM (supervised)": {"criterion": "joint", "smoothing": 0.1},
    "CRF (supervised)": {"criterion": "conditional"},
}
text = fstce.corpora.sample()
gold = [sentence.tags for sentence in text]
dictionary = fstce.TagDictionary.from_corpus(text)


def scored(tags):
    """% of ambiguous words with the right tag, with its 95 % interval over sentences."""
    counts = []
    for sentence, right, tagged in zip(text, gold, tags, strict=True):
        ambiguous = [i for i, word in enumerate(sentence) if len(dictionary[word]) > 1]
        counts.append((sum(right[i] == tagged[i] for i in ambiguous), len(ambiguous)))
    return bootstrap(counts, lambda sums: 100 * sums[..., 0] / sums[..., 1])


# %%
# **Train and score each.**

scores = {}
chance = random_accuracy(text, gold, dictionary).ambiguous
print(f"{'random':18s} {chance:5.1f} % of ambiguous words")
for name, parameters in CRITERIA.items():
    tagger = fstce.Tagger(**parameters).fit(text, gold, dictionary=dictionary)
    scores[name] = scored(tagger.predict(text))
    steps = tagger.training_.steps[-1].iteration
    print(f"{name:18s} {scores[name].estimate:5.1f}  after {steps} iterations")

# %%
# **The picture**, with 95 % intervals. Gray bars have seen tags; the line is chance.

figure, axes = pyplot.subplots(figsize=(6, 2.8), layout="constrained")
errors = [
    [s.estimate - s.low for s in scores.values()],
    [s.high - s.estimate for s in scores.values()],
]
colors = ["#999999" if "supervised" in name else "#3b6ea5" for name in scores]
heights = [score.estimate for score in scores.values()]
axes.barh(list(scores), heights, color=colors, xerr=errors, ecolor="#444444")
axes.axvline(chance, color="#888888", linestyle="--")
axes.invert_yaxis()
axes.set(xlabel="% of ambiguous words tagged right, with 95 % intervals", xlim=(0, 100))
axes.spines[["top", "right"]].set_visible(False)
figure.savefig(sys.argv[1] if sys.argv[1:] else "criteria.svg", metadata={"Date": None})
