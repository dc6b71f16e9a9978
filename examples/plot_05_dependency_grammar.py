"""A dependency grammar from tag sequences: contrast against Klein & Manning's start and EM.

Redraws a corner of Table 2 of Smith & Eisner (2005b) on the bundled sample, whose trees
serve for the scores alone, and draws the tree that the grammar finds for a sentence.
"""

from __future__ import annotations

import fstce
from fstce.corpora import dependency_corpus
from fstce.evaluation import attach_next, attachment
from fstce.reporting.dependency_svg import tree_text

GRAMMARS = {
    "DELORTRANS1, uniform start": {"neighborhood": "delortrans1", "sigma2": 0.1},
    "TRANS1, uniform start": {"neighborhood": "trans1", "sigma2": 0.1},
    "EM, uniform start": {"criterion": "em"},
    "EM, Klein & Manning's start": {"criterion": "em", "start": "klein-manning"},
    "supervised": {"criterion": "joint"},
}


def main() -> None:
    """Train and score each grammar."""
    treebank = dependency_corpus(fstce.corpora.sample(), max_length=10)
    tags, heads = [s.tags for s in treebank], [s.heads for s in treebank]
    baseline = attachment(heads, [attach_next(len(row)) for row in tags])
    print(f"{'attach to the next word':30s} {baseline.directed:5.1f} % of heads")
    for name, parameters in GRAMMARS.items():
        parser = fstce.DependencyParser(**parameters).fit(tags, heads)
        print(f"{name:30s} {attachment(heads, parser.predict(tags)).directed:5.1f}")
    sentence = treebank[0]
    print(tree_text(sentence.words, parser.predict([sentence.tags])[0], sentence.tags))


if __name__ == "__main__":
    main()
