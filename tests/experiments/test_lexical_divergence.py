"""KL of a tag's words against sums over the arcs of the exported machine."""

from __future__ import annotations

from collections import Counter
from math import exp, log

import pytest

from examples.experiments.lexical_divergence import divergences
from fstce import TagDictionary, Tagger
from fstce.corpora import sample
from fstce.tagging.export import emission_fst

TEXT = [sentence for sentence in sample() if len(sentence) <= 10][:30]
TAGGED = [pair for s in TEXT for pair in zip(s.words, s.tags or (), strict=True)]


@pytest.mark.parametrize("spelling", [False, True])
def test_it_is_the_sum_over_a_tags_words(spelling: bool) -> None:
    tagger = Tagger("trans1", order=2, spelling=spelling, max_iterations=8)
    tagger.fit(TEXT, dictionary=TagDictionary.from_corpus(sample()))
    found = divergences(tagger, TAGGED)
    assert len(found) == 10

    fst = emission_fst(tagger.weighted_)
    words, tags = dict(fst.input_symbols()), dict(fst.output_symbols())
    weights = {
        (words[arc.ilabel], tags[arc.olabel]): exp(-float(arc.weight)) for arc in fst.arcs(0)
    }
    for tag, value in found.items():
        total = sum(w for (word, name), w in weights.items() if name == tag and word[0] != "<")
        own = Counter(word for word, name in TAGGED if name == tag)
        n = own.total()
        wanted = sum(k / n * log(k / n / (weights[w, tag] / total)) for w, k in own.items())
        assert value == pytest.approx(wanted, abs=1e-5)


def test_words_that_a_tagger_knows_by_their_shares_are_at_no_distance() -> None:
    tagger = Tagger(criterion="joint", smoothing=0.0, order=1)
    tagger.fit(TEXT, [s.tags for s in TEXT], dictionary=TagDictionary.from_corpus(TEXT))
    assert max(divergences(tagger, TAGGED).values()) == pytest.approx(0.0, abs=1e-9)
