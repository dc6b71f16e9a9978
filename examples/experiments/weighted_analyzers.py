"""Weights of analyzers: of a tagger that has seen no tag, beside relative frequencies of tagged tokens.

The analyzer of a treebank gives every word all its tags (UPOS). Weights are made of the first
12,000 words and tried on the next 12,000: % of the ambiguous words whose cheapest reading is the
right one, whatever the sentence. Without weights a word's readings are equally right. To run:
``python -m examples.experiments.weighted_analyzers TREEBANK.conllu ...``

unigram N      smoothed relative frequencies of the first N words with their tags, as
               apertium-weighting-tools has them from a tagged corpus; smoothed as the tagger's
tagger         trained on the first half without its tags, the analyzer as its dictionary
with answers   the same, twenty words answered of those with several tags

Page: docs/how_to.md.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import fstce
from examples.experiments.panel_tagging import Corpus, read
from fstce.tagging.analyser_weights import TagCosts

SIZES = (500, 2000, 12_000)
ASKED = 20


def unigram(corpus: Corpus, half: int, size: int) -> TagCosts:
    """Counts of tagged words."""
    tags = corpus.dictionary.tagset
    counts = dict[str, np.ndarray]()
    seen = 0
    for words, gold in zip(corpus.rows[:half], corpus.gold[:half], strict=True):
        for word, tag in zip(words, gold, strict=True):
            seen += 1
            if seen <= size:
                counts.setdefault(word, np.zeros(len(tags)))[tags.index(tag)] += 1
    return TagCosts(tags, counts)


def right(corpus: Corpus, half: int, costs: TagCosts) -> float:
    """% of the second half's ambiguous words whose cheapest reading is right."""
    best = dict[str, str]()
    found = list[bool]()

    for words, gold in zip(corpus.rows[half:], corpus.gold[half:], strict=True):
        for word, tag in zip(words, gold, strict=True):
            allowed = corpus.dictionary[word]
            if len(allowed) > 1:
                if word not in best:
                    places = [costs.place(one) for one in allowed]
                    price = (
                        costs.of(word, places) if word in costs.counts else costs.general[places]
                    )
                    best[word] = allowed[int(np.argmin(price))]

                found.append(best[word] == tag)

    return 100 * float(np.mean(found))


def row(corpus: Corpus) -> dict[str, float]:
    """Each way to weigh."""
    half = next(i for i in range(len(corpus.rows)) if sum(map(len, corpus.rows[:i])) >= SIZES[-1])
    raw = corpus.rows[:half]

    tagger = fstce.Tagger().fit(raw, dictionary=corpus.dictionary)
    asked = [question.word for question in tagger.questions(raw, len(corpus.count))]
    # a word of one reading needs no weight
    several = [word for word in asked if len(corpus.dictionary[word]) > 1]
    answers = corpus.answers(several[:ASKED])
    better = fstce.Tagger().fit(raw, dictionary=corpus.dictionary, answers=answers)
    gold = [len(corpus.dictionary[w]) for words in corpus.rows[half:] for w in words]

    return {
        "no weights": 100 * float(np.mean([1 / n for n in gold if n > 1])),
        **{f"unigram {size}": right(corpus, half, unigram(corpus, half, size)) for size in SIZES},
        "tagger": right(corpus, half, TagCosts.of_text(tagger, raw)),
        "with answers": right(corpus, half, TagCosts.of_text(better, raw)),
    }


def main(specs: list[str]) -> None:
    for number, spec in enumerate(specs):
        values = row(Corpus(read(spec, 2 * SIZES[-1])))
        if not number:
            print(f"| corpus | {' | '.join(values)} |\n|---|{'---|' * len(values)}")
        print(
            f"| {Path(spec).stem} | {' | '.join(f'{value:.1f}' for value in values.values())} |",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
