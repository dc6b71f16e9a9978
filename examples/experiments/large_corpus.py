"""A corpus of any size from a small tagged one, to measure on: not to learn from.

Sentences are drawn with replacement; in each, a tenth of the words are exchanged for others of the
same ambiguity class (words to which the dictionary gives the same tags), drawn by their frequency.
So the automata are as large, and as varied, as those of the text itself, and hardly two sentences
are equal.

    python -m examples.experiments.large_corpus nltk:treebank 1000000 > large.txt
    python -m examples.experiments.large_corpus nltk:treebank large.tsv
    fstce tagger train large.txt --input-format plain --tokenized -d large.tsv -n trans1 -o model

Page: docs/results/growth.md, through memory.py.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from fstce import TagDictionary
from fstce.corpora import read_corpus

EXCHANGED = 0.1
TOGETHER = 10_000  # sentences that are drawn at a time


def large_corpus(
    sentences: Sequence[Sequence[str]], dictionary: TagDictionary, words: int, seed: int = 0
) -> Iterator[list[str]]:
    """Sentences until they hold so many words."""
    rng = np.random.default_rng(seed)
    counted = Counter(word for sentence in sentences for word in sentence)
    classes: dict[tuple[str, ...], list[str]] = defaultdict(list)

    for word in counted:
        classes[dictionary.lookup(word)].append(word)

    shares = {
        tags: np.array([counted[w] for w in own], dtype=float) for tags, own in classes.items()
    }
    cumulative = {tags: np.cumsum(share) / share.sum() for tags, share in shares.items()}
    while True:
        for number in rng.integers(len(sentences), size=TOGETHER).tolist():
            sentence = list(sentences[number])
            for place in np.flatnonzero(rng.random(len(sentence)) < EXCHANGED).tolist():
                tags = dictionary.lookup(sentence[place])
                drawn = np.searchsorted(cumulative[tags], rng.random())
                sentence[place] = classes[tags][min(int(drawn), len(classes[tags]) - 1)]

            yield sentence
            words -= len(sentence)
            if words <= 0:
                return


def main(spec: str, what: str) -> None:
    """Print sentences until they hold so many words, or write the dictionary into a file."""
    corpus = read_corpus(spec)
    dictionary = TagDictionary.from_corpus(corpus)
    if not what.isdecimal():
        dictionary.to_tsv(what)
        return
    for sentence in large_corpus([sentence.words for sentence in corpus], dictionary, int(what)):
        print(" ".join(sentence))


if __name__ == "__main__":
    main(*sys.argv[1:])
