"""Does it pay to ask for the right words? A dictionary that grows by suggestion, simulated.

Raw text of 6,000 words; the dictionary begins with the words of twenty of its sentences. In each
of five rounds an annotator, who is the dictionary of the whole training part, tells all tags of
fifty words: those that ``fstce tagger ask`` names, the commonest OOV ones, or tokens at
random. Accuracy is that of the text that follows. To run:
``python -m examples.experiments.growing_dictionary DATA [CORPUS ...]``, with DATA as in
``held_out_tagging.py``.

With ``--sentences`` before DATA the same for sentences to be tagged by hand: the supervised CRF
learns from sentences of 300 words, and in each round from more of 300 words, those that ``fstce
tagger suggest`` names or random ones.

Page: docs/results/annotation.md.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path

import numpy as np

import fstce
from examples.experiments.held_out_tagging import SPECS, parts_of
from fstce.corpora import Sentence
from fstce.evaluation import tagging_accuracy
from fstce.tagging.questions import suggest_sentences

ROUNDS = 5
WORDS = 50
FIRST = 20
RAW = 6_000
BUDGET = 300
RULES = ("suggested", "commonest", "random")


def asked(
    rule: str, tagger: fstce.Tagger, raw: list[list[str]], known: set[str], rng: random.Random
) -> list[str]:
    """The words that the annotator is asked for; `known` are those that the dictionary has."""
    oov = [w for row in raw for w in row if w in known and w not in tagger.dictionary_]
    if rule == "suggested":
        return [q.word for q in tagger.questions(raw, 10**6) if q.word in oov][:WORDS]
    if rule == "commonest":
        return [word for word, _ in Counter(oov).most_common(WORDS)]
    rng.shuffle(oov)
    return list(dict.fromkeys(oov))[:WORDS]


def course(name: str, rule: str, data: Path, seed: int) -> list[float]:
    """Accuracy after each round."""
    raw, _, test, full = parts_of(name, data, words=RAW)
    last = int(np.searchsorted(np.cumsum([len(row) for row in raw]), RAW))
    raw = raw[: last + 1]
    rng = random.Random(seed)
    rows = [s.words for s in test]
    gold = [s.tags for s in test]
    first = {w for row in rng.sample(raw, FIRST) for w in row if w in full}
    listed = {w: full[w] for w in sorted(first)}
    found: list[float] = []

    for _ in range(ROUNDS + 1):
        dictionary = fstce.TagDictionary(listed, full.tagset, unseen="all")
        tagger = fstce.Tagger("trans1", order=2).fit(raw, dictionary=dictionary)
        found.append(tagging_accuracy(rows, gold, tagger.predict(rows), dictionary).all)
        listed |= {w: full[w] for w in asked(rule, tagger, raw, set(full), rng)}

    return found


def sentence_course(name: str, rule: str, data: Path, seed: int) -> list[float]:
    """Accuracy after each round of tagging sentences by hand."""
    _, tagged, test, full = parts_of(name, data, words=RAW)
    left = list(tagged or ())
    random.Random(seed).shuffle(left)
    rows = [s.words for s in test]
    gold = [s.tags for s in test]
    labelled: list[Sentence] = []
    found: list[float] = []
    crf: fstce.Tagger | None = None

    for number in range(ROUNDS + 1):
        if crf is not None and rule == "suggested":
            order = suggest_sentences(crf, [s.words for s in left], len(left))
            left = [left[one.sentence] for one in order]

        last = int(np.searchsorted(np.cumsum([len(s) for s in left]), BUDGET)) + 1
        labelled = labelled + left[:last]
        left = left[last:]
        seen = fstce.TagDictionary.from_corpus(labelled)
        dictionary = fstce.TagDictionary(seen, full.tagset, unseen="all")
        crf = fstce.Tagger(criterion="conditional", features=("form", "context"), order=2)
        crf.fit([s.words for s in labelled], [s.tags for s in labelled], dictionary=dictionary)
        found.append(tagging_accuracy(rows, gold, crf.predict(rows), dictionary).all)
        random.Random(seed + number).shuffle(left)

    return found


def sentences_main(data: Path, corpora: list[str], seeds: range = range(3)) -> None:
    """Print the table of sentences: means over seeds."""
    print(
        f"| corpus | rule | {' | '.join(f'{BUDGET * (n + 1)} words' for n in range(ROUNDS + 1))} |"
    )
    print(f"|---|---|{'---|' * (ROUNDS + 1)}")
    for corpus in corpora:
        for rule in ("suggested", "random"):
            runs = [sentence_course(corpus, rule, data, seed) for seed in seeds]
            means = " | ".join(
                f"{sum(column) / len(column):.1f}" for column in zip(*runs, strict=True)
            )
            print(f"| {corpus} | {rule} | {means} |", flush=True)


def main(data: Path, corpora: list[str], seeds: range = range(3)) -> None:
    """Print the table: means over seeds."""
    print(f"| corpus | rule | {' | '.join(f'{WORDS * n} words' for n in range(ROUNDS + 1))} |")
    print(f"|---|---|{'---|' * (ROUNDS + 1)}")
    for corpus in corpora:
        for rule in RULES:
            runs = [course(corpus, rule, data, seed) for seed in seeds]
            means = " | ".join(
                f"{sum(column) / len(column):.1f}" for column in zip(*runs, strict=True)
            )
            print(f"| {corpus} | {rule} | {means} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--sentences":  # Malagasy has no tagged text but that of the test
        sentences_main(
            Path(sys.argv[2]), sys.argv[3:] or [name for name in SPECS if name != "Malagasy"]
        )
    else:
        main(Path(sys.argv[1]), sys.argv[2:] or list(SPECS))
