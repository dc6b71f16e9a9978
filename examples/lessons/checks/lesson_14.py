"""Checks of lesson 14: accuracy by fstce, p(x | N(x)) by the explanation, the better by training both."""

from functools import cache

from grading import case
from lesson_14 import DICTIONARY, GOLD, PREDICTED, SENTENCES, TAGGER, train

import fstce


def _ambiguous(gold, predicted):
    rows = [
        a == b
        for sentence, one, other in zip(SENTENCES, gold, predicted, strict=True)
        for word, a, b in zip(sentence, one, other, strict=True)
        if len(DICTIONARY[word]) > 1
    ]
    return sum(rows) / len(rows)


@cache
def _better():
    taggers = {"trans1": TAGGER, "length": train("length")}
    return max(taggers, key=lambda name: _ambiguous(GOLD, taggers[name].predict(SENTENCES)))


CHECKS = {
    "accuracy": [
        case(
            *(GOLD, PREDICTED, SENTENCES),
            gives=_ambiguous(GOLD, PREDICTED),
            says="accuracy(GOLD, PREDICTED, SENTENCES)",
        )
    ],
    "probability": [
        case(sentence, gives=fstce.explain(TAGGER, sentence, k=1).probability)
        for sentence in SENTENCES[:2]
    ],
    "better": [
        case(gives=True, view=lambda name: name == _better(), says="better() is the better")
    ],
}
