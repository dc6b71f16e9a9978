"""Latent grammars and their product: what splitting learns, and what several seeds give together.

A treebank grammar knows that an NP is an NP. Split–merge–smooth training learns from the trees alone
that NPs are of many kinds: pronouns, subjects, what follows a preposition (Petrov 2010).

Run: python examples/plot_09_latent_grammar.py [CHART.svg]   (needs fstce[report])
"""

from __future__ import annotations

import sys

import matplotlib

import fstce

matplotlib.use("svg")
from matplotlib import pyplot

# %%
# **Train three seeds** of two cycles (``fstce latent train``) on nine sentences of ten.

CYCLES, SEEDS = 2, (0, 1, 2)
QUICK = {"split_iterations": 20, "merge_iterations": 8, "smooth_iterations": 4}
sentences = fstce.corpora.sample()
train = [sentence for number, sentence in enumerate(sentences) if number % 10]
test = sentences[::10]
gold = [sentence.tree for sentence in test]
members = [fstce.LatentGrammar(cycles=CYCLES, seed=seed, **QUICK) for seed in SEEDS]
product = fstce.GrammarProduct(members).fit(train)

# %%
# **What one of them learned**: the rule from an NP to a determiner and a noun is hardly the same
# from one subcategory of NP to the next.

grammar = product.grammars_[0].hierarchy_.finest
symbols = [grammar.symbols.index(name) for name in ("NP", "DT", "NN")]
table = grammar.arrays(grammar.rules)[grammar.binary.tolist().index(symbols)]
for number, probability in enumerate(table.sum(axis=(1, 2))):
    print(f"NP-{number} → DT NN {probability:.3f}")

# %%
# **Scores** on the sentences left over, by cycle and as a product (``fstce latent evaluate``).

by_cycle = [
    [100 * grammar.after(cycles).score(test, gold) for grammar in product.grammars_]
    for cycles in range(CYCLES + 1)
]
for cycles, f1 in enumerate(by_cycle):
    print(f"{f1[0]:5.1f} F1 after {cycles} cycles")
means = [sum(f1) / len(f1) for f1 in by_cycle]
together = 100 * product.score(test, gold)
print(f"{means[-1]:5.1f} F1 on average over {len(SEEDS)} seeds")
print(f"{together:5.1f} F1 by their product")

# %%
# **The picture**: means over seeds with their range, and the product.

figure, axes = pyplot.subplots(figsize=(5, 3.2), layout="constrained")
below = [mean - min(f1) for mean, f1 in zip(means, by_cycle, strict=True)]
above = [max(f1) - mean for mean, f1 in zip(means, by_cycle, strict=True)]
axes.errorbar(
    range(CYCLES + 1), means, (below, above), marker="o", capsize=3, label="mean and range"
)
axes.plot([CYCLES], [together], "D", color="#e0a030", label="product of three")
axes.set(
    xlabel="cycles", ylabel="labeled F1", xticks=range(CYCLES + 1), title="Splitting categories"
)
axes.legend(frameon=False, loc="lower right")
axes.spines[["top", "right"]].set_visible(False)
with pyplot.rc_context({"svg.fonttype": "none"}):
    figure.savefig(sys.argv[1] if sys.argv[1:] else "cycles.svg", metadata={"Date": None})

# %%
# **A parse** by the product (``fstce latent parse``).

print(
    product.predict([["the", "old", "lamp", "on", "the", "table", "is", "small", "."]])[0].pretty()
)
