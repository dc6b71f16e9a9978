"""Which means of the models of ``auto`` stand below EM: each of them, and every way to average them.

Train on the first 24,000 words of raw text, tag all that follow, at most 20,000. To run:
``python -m examples.experiments.averaged_tagging DATA [CORPUS ...]``, with DATA as in
``held_out_tagging.py``.

Page: docs/notebook/tagging.md.
"""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import numpy as np

import fstce
from examples.experiments.held_out_tagging import SPECS, parts_of, smaller
from fstce.evaluation import compare_taggings, tagging_accuracy
from fstce.tagging import criteria
from fstce.wfsa.decoder import Decoder

SHARES = (criteria.HMM, 1.0, 1.0)


def experts(
    raw: list[list[str]], dictionary: fstce.TagDictionary
) -> tuple[fstce.Tagger, list[np.ndarray]]:
    """A compiled tagger of ``auto`` and the weights of its models: the HMM's, those of the
    contrasts.
    """
    tagger = fstce.Tagger()
    objective = tagger.compile(raw, dictionary=dictionary)
    zero = tagger.initial_weights()
    starts = [
        one.objective.multinomials.uniform() if one.name == "hmm" else zero
        for one in objective.experts
    ]
    found = [
        one.objective.train(start, tolerance=1e-4, max_iterations=200).theta
        for one, start in zip(objective.experts, starts, strict=True)
    ]
    return tagger, found


def main(data: Path, corpora: list[str]) -> None:
    """Print a row for each corpus, dictionary and mean: points above the HMM, with 95 % intervals."""
    print("| corpus | dictionary | words | EM | mean of | first 5,000 | all |")
    print("|---|---|---|---|---|---|---|")

    for corpus, size in itertools.product(corpora, ("whole", "500 words")):
        raw, _, text, whole = parts_of(corpus, data, held_out=20_000)
        dictionary = whole if size == "whole" else smaller(whole, raw)
        tagger, found = experts(raw, dictionary)
        words = [s.words for s in text]
        gold = [s.tags for s in text]
        first = int(np.searchsorted(np.cumsum([len(row) for row in words]), 5_000)) + 1
        kinds = range(len(found))
        chosen = [
            pick for n in range(1, len(found) + 1) for pick in itertools.combinations(kinds, n)
        ]
        rows = {
            pick: [
                [tagger.tags_[t] for t in row]
                for row in Decoder(
                    tagger.features_,
                    np.average([found[k] for k in pick], axis=0, weights=[SHARES[k] for k in pick]),
                    tagger.dictionary_,
                ).viterbi(words)
            ]
            for pick in chosen
        }
        right = tagging_accuracy(words, gold, rows[0,], dictionary).all

        for pick in chosen[1:]:
            cells = []
            for part in (slice(first), slice(None)):
                one = compare_taggings(
                    words[part], gold[part], rows[pick][part], rows[0,][part], dictionary
                )["all"]
                cells.append(f"{one.difference:+.2f} [{one.low:+.2f}, {one.high:+.2f}]")

            name = " × ".join(("EM", "TRANS1", "TRANS1 and LENGTH")[k] for k in pick)
            number = f"{sum(map(len, words)):,}"
            print(
                f"| {corpus} | {size} | {number} | {right:.2f} | {name} | {' | '.join(cells)} |",
                flush=True,
            )


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or [name for name in SPECS if name != "Brown"])
