"""Lesson 14: contrastive estimation on a corpus.

The same sums over the lattices of all sentences, the same gradient, and L-BFGS climbs. A dictionary
says which tags a word may take; nobody says which it has.
"""

from grading import grade

import fstce

TEXT = fstce.corpora.sample()[:150]
SENTENCES = [list(sentence.words) for sentence in TEXT]
GOLD = [list(sentence.tags) for sentence in TEXT]
DICTIONARY = fstce.TagDictionary.from_corpus(TEXT)


# %%
# Training, and what it says of the first words.
def train(neighborhood, **options):
    """A tagger of tag bigrams, trained without tags."""
    tagger = fstce.Tagger(
        neighborhood, order=2, unknown_word_model=False, max_iterations=15, **options
    )
    return tagger.fit(SENTENCES, dictionary=DICTIONARY)


TAGGER = train("trans1")
PREDICTED = [list(tags) for tags in TAGGER.predict(SENTENCES)]
print(
    "TRANS1:", " ".join(f"{w}/{t}" for w, t in zip(SENTENCES[0][:8], PREDICTED[0][:8], strict=True))
)


# %%
# Yours:
def accuracy(gold, predicted, sentences):
    """The share of right tags among the words for which DICTIONARY lists more than one."""
    return ...


def probability(sentence):
    """p(x | N(x)) under TAGGER. Hint: fstce.explain."""
    return ...


def better():
    """Which neighborhood tags the ambiguous words better here, "trans1" or "length"?"""
    return ...


# %%
if __name__ == "__main__":
    grade("lesson_14", globals())
