"""Whose words of a tag are those of the tag: Smith & Eisner (2005a), §5.2.

The weights of a tagger, trained on raw text, make a distribution of words for each tag,
p(w | t) ∝ exp θ(w, t) over the words that may have the tag. How far is it from the words that have
the tag in the text? KL divergence in nats, of the tags that most tokens have, for TRANS1 and
LENGTH; the paper found LENGTH nearer, for the ten tags of 95.6 % of its text.

To run: ``python -m examples.experiments.lexical_divergence [CORPUS] [DICTIONARY]``, with
DICTIONARY as of ``fstce reproduce tagging --dictionaries``.

Page: docs/notebook/tagging.md.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence

import numpy as np
from scipy.special import log_softmax

import fstce
from fstce.reproduction.material import FULL, material
from fstce.wfsa.features import EmissionTable, tag_pairs

N_TAGS = 10
Tagged = Sequence[tuple[str, str]]


def divergences(tagger: fstce.Tagger, tagged: Tagged) -> dict[str, float]:
    """KL from a tag's words in a tagged text to those of the weights, of the commonest tags, nats."""
    features = tagger.features_
    tags = tagger.tags_
    word, tag = tag_pairs(features.symbols, features.symbols, tagger.dictionary_, tags)
    table = EmissionTable(features, features.symbols, word, tag)
    score = table.scores(tagger.theta_)[: len(word)]
    times = Counter(tagged)

    found = {}
    for name, total in Counter(t for _, t in tagged).most_common(N_TAGS):
        of_tag = tag == tags.index(name)
        log_p = log_softmax(score[of_tag])
        words = features.symbols.words_of(word[of_tag].tolist())
        q = np.array([times[w, name] for w in words]) / total
        seen = q > 0
        found[name] = float(q[seen] @ (np.log(q[seen]) - log_p[seen]))
    return found


def main(corpus: str = "nltk:treebank", dictionary: str = FULL) -> None:
    """Print the divergences of both taggers, σ² = 1, 24,000 words, 17 tags."""
    text = material(corpus, True, 24_000, 5_000, dictionary)
    tagged = [pair for s in text.train for pair in zip(s.words, s.tags or (), strict=True)]
    columns = {}
    for name in ("trans1", "length"):
        tagger = fstce.Tagger(name, unknown_word_model=False)
        columns[name] = divergences(tagger.fit(text.train, dictionary=text.dictionary), tagged)

    shares = Counter(tag for _, tag in tagged)
    print("tag", "% of tokens", *columns, sep="\t")
    for tag in columns["trans1"]:
        numbers = (f"{column[tag]:.2f}" for column in columns.values())
        print(tag, f"{100 * shares[tag] / len(tagged):.1f}", *numbers, sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
