"""A hundred tagged sentences and raw text, against a conditional random field on the hundred.

Drawn at random from the first 24,000 words of each corpus, whose other sentences are raw; scored
on the 5,000 words that follow (Malagasy: 100 of the annotated sentences, scored on the others,
20,000 words of raw text). The dictionary is that of the hundred sentences; by option that of the
500 commonest words with it. To run: ``python -m examples.experiments.few_labeled DATA [CORPUS
...]``, with DATA as in ``held_out_tagging.py``.

Page: docs/results/annotation.md.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import fstce
from examples.experiments.held_out_tagging import FEATURES, SPECS, crfsuite, parts_of
from examples.experiments.word_classes import word_classes
from fstce.evaluation import tagging_accuracy

LABELLED = 100


def rows_of(name: str, data: Path, seed: int, listed: int) -> Iterator[tuple[str, float]]:
    """The accuracy of each tagger, in percent of all words."""
    raw, tagged, test, whole = parts_of(name, data)
    rng = random.Random(seed)
    if tagged is None:  # Malagasy
        rng.shuffle(test)
        few = test[:LABELLED]
        test = test[LABELLED:]
    else:
        few = rng.sample([s for s in tagged if len(s) < 60], LABELLED)

    dictionary = enlarged(fstce.TagDictionary.from_corpus(few), whole, raw, listed)
    words = [s.words for s in test]
    gold = [s.tags for s in test]
    given = [s.words for s in few]
    tags = [s.tags for s in few]

    def right(found: list[list[str]]) -> float:
        return tagging_accuracy(words, gold, found, dictionary).all

    settings = {"criterion": "conditional", "features": FEATURES, "order": 2}
    classes = word_classes(raw)
    known = {word: tuple(f"may be {tag}" for tag in dictionary[word]) for word in dictionary}
    named = "python-crfsuite, the dictionary's tags" if listed else "python-crfsuite"
    yield named, right(crfsuite(few, test, known if listed else None))
    both = {word: (*known.get(word, ()), *classes.get(word, ())) for word in {*known, *classes}}
    yield f"{named}, classes", right(crfsuite(few, test, both if listed else classes))
    alone = fstce.Tagger(**settings).fit(given, tags, dictionary=dictionary)
    yield "CRF", right(alone.predict(words))
    field = fstce.Tagger(**settings, gazetteer=classes).fit(given, tags, dictionary=dictionary)
    yield "CRF, classes", right(field.predict(words))
    mixture = fstce.Tagger("trans1", order=2).fit(
        raw, dictionary=dictionary, labelled=(given, tags)
    )
    yield "TRANS1 and the hundred", right(mixture.predict(words))
    yield "product of the last two", right(fstce.TaggerProduct([field, mixture]).predict(words))


def enlarged(
    own: fstce.TagDictionary, whole: fstce.TagDictionary, raw: list[list[str]], size: int
) -> fstce.TagDictionary:
    """The dictionary with the listed words that are commonest in the raw text."""
    if not size:
        return own
    counted = Counter(word for row in raw for word in row)
    common = [word for word, _ in counted.most_common() if word in whole][:size]
    more = {word: {*whole[word], *(own.get(word, ()))} for word in common}
    return fstce.TagDictionary({**own, **more})


def main(data: Path, corpora: list[str], seeds: range = range(1, 6)) -> None:
    """Print the table: means and standard deviations over seeds, and the gain over python-crfsuite."""
    print(
        "| corpus | listed | tagger | all words | gain | seeds that gain |\n|---|---|---|---|---|---|"
    )
    for listed in (0, 500):
        for corpus in corpora:
            runs = [dict(rows_of(corpus, data, seed, listed)) for seed in seeds]
            for name in runs[0]:
                values = np.array([run[name] for run in runs])
                gain = values - np.array([next(iter(run.values())) for run in runs])
                print(
                    f"| {corpus} | {listed} | {name} | {values.mean():.1f} ± {values.std(ddof=1):.1f} "
                    f"| {gain.mean():+.1f} | {sum(gain > 0)} |",
                    flush=True,
                )


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or list(SPECS))
