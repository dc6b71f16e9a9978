"""Lesson 9: contrastive estimation on a corpus.

The same sums over the lattices of all sentences, the same gradient, and L-BFGS climbs. A dictionary
says which tags a word may take; nobody says which it has.
"""

from grading import exercise, grade

import fstce

TEXT = fstce.corpora.sample()[:150]
SENTENCES = [list(sentence.words) for sentence in TEXT]
GOLD = [list(sentence.tags) for sentence in TEXT]
DICTIONARY = fstce.TagDictionary.from_corpus(TEXT)


def train(neighborhood, **options):
    """A tagger of tag bigrams, trained without tags."""
    tagger = fstce.Tagger(neighborhood, order=2, unknown_word_model=False, max_iterations=15, **options)
    return tagger.fit(SENTENCES, dictionary=DICTIONARY)


TAGGER = train("trans1")
FOUND = [list(tags) for tags in TAGGER.predict(SENTENCES)]
print("TRANS1:", " ".join(f"{w}/{t}" for w, t in zip(SENTENCES[0][:8], FOUND[0][:8], strict=True)))


def _ambiguous(gold, found, words):
    rows = [
        a == b
        for sentence, one, other in zip(words, gold, found, strict=True)
        for word, a, b in zip(sentence, one, other, strict=True)
        if len(DICTIONARY[word]) > 1
    ]
    return sum(rows) / len(rows)


@exercise(lambda f: abs(f(GOLD, FOUND, SENTENCES) - _ambiguous(GOLD, FOUND, SENTENCES)) < 1e-12)
def accuracy(gold, found, sentences):
    """The share of right tags among the words for which DICTIONARY lists more than one."""
    return ...


def _share(sentence):
    return fstce.explain(TAGGER, sentence, k=1).probability


@exercise(lambda f: abs(f(SENTENCES[0]) - _share(SENTENCES[0])) < 1e-9)
def probability(sentence):
    """p(x | N(x)) under TAGGER. Hint: fstce.explain."""
    return ...


@exercise(lambda f: f() in ("trans1", "length") and f() == max(("trans1", "length"), key=_by_neighborhood))
def better():
    """Which neighbourhood tags the ambiguous words better here, "trans1" or "length"?"""
    return ...


def _by_neighborhood(name):
    tagger = TAGGER if name == "trans1" else train(name)
    return _ambiguous(GOLD, [list(tags) for tags in tagger.predict(SENTENCES)], SENTENCES)


if __name__ == "__main__":
    grade("__main__")
