"""Malagasy in ten folds of the annotated sentences: types alone, and types and sentences.

Types alone: the dictionary of four hours of annotated types and 20,000 words of raw text, `auto`;
by option with the sentences to be tagged among the raw text. Types and sentences: the sentences of
nine folds as well. Beside them python-crfsuite on the same sentences, with the dictionary's tags as
features. To run: ``python -m examples.experiments.malagasy_folds DATA``, with DATA as in
``held_out_tagging.py``.

Page: docs/results/annotation.md.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

import fstce
from examples.experiments.held_out_tagging import FEATURES, crfsuite, parts_of
from examples.experiments.word_classes import word_classes
from fstce.corpora import Sentence
from fstce.evaluation import bootstrap, compare

FOLDS = 10
Rows = list[list[str]]
RIVAL = "python-crfsuite, the dictionary's tags as features"


def systems(
    raw: Rows, dictionary: fstce.TagDictionary, few: list[Sentence], test: list[Sentence]
) -> Mapping[str, Callable[[], Rows]]:
    """The taggers of the sentences of a fold, by name; each as a function, for they take a while."""
    rows = [list(s.words) for s in test]
    given = [s.words for s in few]
    tags = [s.tags for s in few]
    more = {
        w: {*dictionary.get(w, ()), *own} for w, own in fstce.TagDictionary.from_corpus(few).items()
    }
    whole = fstce.TagDictionary({**dictionary, **more})
    lists = {word: tuple(f"may be {tag}" for tag in dictionary[word]) for word in dictionary}

    def together() -> Rows:
        settings = {"criterion": "conditional", "features": FEATURES, "order": 2}
        field = fstce.Tagger(**settings, gazetteer=word_classes(raw)).fit(
            given, tags, dictionary=whole
        )
        mixture = fstce.Tagger("trans1", order=2).fit(raw, dictionary=whole, labelled=(given, tags))
        return fstce.TaggerProduct([field, mixture]).predict(rows)

    return {
        "types": lambda: fstce.Tagger().fit(raw, dictionary=dictionary).predict(rows),
        "types, tagged text among the raw": lambda: (
            fstce.Tagger().fit(raw + rows, dictionary=dictionary).predict(rows)
        ),
        "types and sentences": together,
        RIVAL: lambda: crfsuite(few, test, lists),
    }


def main(data: Path) -> None:
    """Print the table: accuracy of all words with intervals over sentences."""
    raw, _, sentences, dictionary = parts_of("Malagasy", data)
    random.Random(0).shuffle(sentences)
    right: dict[str, list[tuple[int, int]]] = {}

    for fold in range(FOLDS):
        few = [s for i, s in enumerate(sentences) if i % FOLDS != fold]
        test = sentences[fold::FOLDS]
        for name, tag in systems(raw, dictionary, few, test).items():
            counts = [
                (len(s), sum(a == b for a, b in zip(s.tags or (), row, strict=True)))
                for s, row in zip(test, tag(), strict=True)
            ]
            right.setdefault(name, []).extend(counts)
            print(fold, name, file=sys.stderr, flush=True)

    for name, counts in right.items():
        found = bootstrap(counts, _percent)
        against = compare(counts, right[RIVAL], _percent)
        interval = f"{found.estimate:.1f} [{found.low:.1f}, {found.high:.1f}]"
        gain = f"{against.difference:+.1f} [{against.low:+.1f}, {against.high:+.1f}]"
        print(f"| {name} | {interval} | {gain}, p = {against.p:.3f} |")


def _percent(sums: np.ndarray) -> np.ndarray:
    return 100 * sums[..., 1] / sums[..., 0]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
