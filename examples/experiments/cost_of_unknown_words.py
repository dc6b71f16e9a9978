"""What the unknown-word model costs: processor time of training, and of training and saving.

To run: ``python -m examples.experiments.cost_of_unknown_words``, with the treebank sample in
``NLTK_DATA``.

Page: docs/notebook/speed.md.
"""

from __future__ import annotations

import tempfile
import time
from itertools import accumulate, takewhile
from pathlib import Path

import fstce
from fstce.corpora import read_corpus

KINDS = {"TRANS1": {"neighborhood": "trans1"}, "EM": {"criterion": "em"}}


def cost(
    tagger: fstce.Tagger, raw: list[list[str]], dictionary: fstce.TagDictionary
) -> tuple[float, float]:
    """Processor seconds of training, and of training and saving."""
    began = time.process_time()
    tagger.fit(raw, dictionary=dictionary)
    trained = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        tagger.save(Path(folder, "model"))
        return trained - began, time.process_time() - began


def main(words: int = 24_000, times: int = 2) -> None:
    """Print the least of some times."""
    corpus = list(read_corpus("nltk:treebank"))
    before = takewhile(lambda n: n < words, accumulate(map(len, corpus), initial=0))
    text = corpus[: len(list(before))]
    raw = [list(s.words) for s in text]
    # Imports
    cost(fstce.Tagger("trans1", order=1), raw[:5], fstce.TagDictionary.from_corpus(text[:5]))

    for name, listed in (("the whole corpus", corpus), ("these words", text)):
        dictionary = fstce.TagDictionary.from_corpus(listed)
        for kind, given in KINDS.items():
            predicted, plain = (
                map(
                    min,
                    *(
                        cost(fstce.Tagger(**given, unknown_word_model=predicts), raw, dictionary)
                        for _ in range(times)
                    ),
                )
                for predicts in (True, False)
            )
            cells = (
                f"{a:.2f}, {b:.2f} s: {a / b:.2f}" for a, b in zip(predicted, plain, strict=True)
            )
            print(f"| {kind}, dictionary of {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
