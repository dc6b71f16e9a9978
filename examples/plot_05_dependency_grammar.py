"""A dependency grammar from tag sequences: contrast against EM, from two starts.

Redraws a corner of Table 2 of Smith & Eisner (2005b) on the bundled sample, whose trees serve for the
scores alone, and draws the tree that a grammar finds.

Run: python examples/plot_05_dependency_grammar.py [FOLDER]   (needs fstce[report])
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

import fstce
from fstce.corpora import dependency_corpus
from fstce.corpora.links import tree_svg, tree_text
from fstce.evaluation import attach_next, bootstrap

matplotlib.use("svg")
from matplotlib import pyplot

FOLDER = Path(sys.argv[1] if sys.argv[1:] else "grammars")
FOLDER.mkdir(exist_ok=True)

# %%
# **Criteria and starts.** Klein & Manning's start prefers near heads; the uniform one prefers nothing.

GRAMMARS = {
    "DELORTRANS1, uniform start": {"neighborhood": "delortrans1", "sigma2": 0.1},
    "TRANS1, uniform start": {"neighborhood": "trans1", "sigma2": 0.1},
    "EM, uniform start": {"criterion": "em"},
    "EM, Klein & Manning's start": {"criterion": "em", "start": "klein-manning"},
    "supervised": {"criterion": "joint"},
}
treebank = dependency_corpus(fstce.corpora.sample(), max_length=10)
tags, heads = [s.tags for s in treebank], [s.heads for s in treebank]


def scored(trees):
    """% of words with the right head, with its 95 % interval over sentences."""
    counts = [
        (sum(map(int.__eq__, right, tree)), len(right))
        for right, tree in zip(heads, trees, strict=True)
    ]
    return bootstrap(counts, lambda sums: 100 * sums[..., 0] / sums[..., 1])


# %%
# **Train and score each**, and what every word attached to the next would score.

scores = {"attach to the next word": scored([attach_next(len(row)) for row in tags])}
print(
    f"{'attach to the next word':30s} {scores['attach to the next word'].estimate:5.1f} % of heads"
)
for name, parameters in GRAMMARS.items():
    parser = fstce.DependencyParser(**parameters).fit(tags, heads)
    scores[name] = scored(parser.predict(tags))
    print(f"{name:30s} {scores[name].estimate:5.1f}")

# %%
# **The picture**, with 95 % intervals.

figure, axes = pyplot.subplots(figsize=(6.4, 2.6), layout="constrained")
errors = [
    [s.estimate - s.low for s in scores.values()],
    [s.high - s.estimate for s in scores.values()],
]
heights = [score.estimate for score in scores.values()]
axes.barh(list(scores), heights, color="#3b6ea5", xerr=errors, ecolor="#444444")
axes.invert_yaxis()
axes.set(xlabel="% of words with the right head, with 95 % intervals", xlim=(0, 100))
axes.spines[["top", "right"]].set_visible(False)
figure.savefig(FOLDER / "grammars.svg", metadata={"Date": None})

# %%
# **A tree** of the last grammar, as text and as a picture.

sentence = treebank[0]
tree = parser.predict([sentence.tags])[0]
print(tree_text(sentence.words, tree, sentence.tags))
(FOLDER / "tree.svg").write_text(tree_svg(sentence.words, tree, sentence.tags), encoding="utf-8")
