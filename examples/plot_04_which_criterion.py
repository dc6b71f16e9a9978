"""Which criterion teaches tags: EM, contrastive estimation, and what tags would have taught.

Redraws a column of Figure 2 of Smith & Eisner (2005a) on the bundled sample: the same
features and the same automata, five criteria. Supervised rows learn from the tags and
are scored on the same text; they show what the features can do at most.
"""

from __future__ import annotations

import fstce
from fstce.evaluation import random_accuracy, tagging_accuracy

CRITERIA = {
    "EM": {"criterion": "em", "smoothing": 1.0},
    "EM, annealed": {"criterion": "em", "smoothing": 1.0, "annealing": (0.1, 0.3, 1.0)},
    "TRANS1": {"neighborhood": "trans1"},
    "LENGTH": {"neighborhood": "length"},
    "HMM (supervised)": {"criterion": "joint", "smoothing": 0.1},
    "CRF (supervised)": {"criterion": "conditional"},
}


def main() -> None:
    """Train and score each criterion."""
    text = fstce.corpora.sample()
    gold = [sentence.tags for sentence in text]
    dictionary = fstce.TagDictionary.from_corpus(text)
    print(f"{'random':18s} {random_accuracy(text, gold, dictionary).ambiguous:5.1f} % of ambiguous words")
    for name, parameters in CRITERIA.items():
        tagger = fstce.Tagger(**parameters).fit(text, gold, dictionary=dictionary)
        found = tagging_accuracy(text, gold, tagger.predict(text), dictionary)
        print(f"{name:18s} {found.ambiguous:5.1f}  after {tagger.training_.steps[-1].iteration} iterations")


if __name__ == "__main__":
    main()
