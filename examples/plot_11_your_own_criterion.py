"""Write a criterion in ten lines, check its gradient, and train with it.

What training maximizes is a value and its gradient at the weights θ. Here the contrast counts for α:
log Z(x) − α log Z(N(x)) for each sentence x, which is contrastive estimation where α = 1.

Run: python examples/plot_11_your_own_criterion.py [FILE.svg]   (needs fstce[report])
"""

from __future__ import annotations

import sys

import matplotlib
import numpy as np
from scipy.optimize import check_grad

from fstce import TagDictionary, Tagger
from fstce.corpora import sample
from fstce.evaluation import random_accuracy, tagging_accuracy

matplotlib.use("svg")
from matplotlib import pyplot

PATH = sys.argv[1] if sys.argv[1:] else "criterion.svg"

# %%
# **The criterion** has a name, the features of θ, and ``value_and_gradient``. What ``compile`` returns is
# one, too: its terms, each a function from θ to a value in nats and a gradient, are there to be used. A
# numerator sums over what was said, a denominator, which is negative, over what might have been.


class WeightedContrast:
    """log Z(x) − α log Z(N(x)), with the prior of the objective that it is made of."""

    def __init__(self, compiled, alpha):
        self.name = f"contrast times {alpha}"
        self.features = compiled.features
        self.compiled, self.alpha = compiled, alpha

    def value_and_gradient(self, theta):
        value, gradient = self.compiled.prior(theta)
        for share, terms in (
            (1.0, self.compiled.numerators),
            (self.alpha, self.compiled.denominators),
        ):
            for term in terms:
                more, slope = term(theta)
                value, gradient = value + share * more, gradient + share * slope
        return value, gradient


# %%
# **Its gradient**, against differences of its value in some directions.

text = sample()
gold = [sentence.tags for sentence in text]
dictionary = TagDictionary.from_corpus(text)
tagger = Tagger("trans1", order=2)
compiled = tagger.compile(text, dictionary=dictionary)
criterion = WeightedContrast(compiled, 0.9)
rng = np.random.default_rng(0)
theta, direction = rng.normal(size=(2, compiled.features.size))
error = check_grad(
    lambda step: criterion.value_and_gradient(theta + step[0] * direction)[0],
    lambda step: [criterion.value_and_gradient(theta + step[0] * direction)[1] @ direction],
    np.zeros(1),
)
print(f"the gradient is off by {error:.1g} nats")

# %%
# **Training** takes it in the place of what ``compile`` returned. The model is saved and tags as any other.

print(f"random  {random_accuracy(text, gold, dictionary).ambiguous:.1f} % of ambiguous words")
right = {}
for alpha in (1.0, 0.9, 0.7):
    tagger.train(WeightedContrast(compiled, alpha))
    right[alpha] = tagging_accuracy(text, gold, tagger.predict(text), dictionary).ambiguous
    print(f"{alpha:.1f}     {right[alpha]:.1f} %")
print(tagger.facts()["objective"])

# %%
# **The picture.** Only where the two weigh alike do they balance: else the scores of all words grow, held
# by the prior alone, and what tells tags apart is lost in them.

figure, axes = pyplot.subplots(figsize=(6, 2.6), layout="constrained")
axes.plot(list(right), list(right.values()), "o-", color="#3b6ea5")
axes.set(xlabel="α, the weight of the neighbors", ylabel="% of ambiguous words", ylim=(0, 100))
axes.spines[["top", "right"]].set_visible(False)
figure.savefig(PATH, metadata={"Date": None})
