"""Redraw the pictures of the README and of the docs: lattices, posteriors, a tree.

Run: python docs/draw_figures.py
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import fstce
from fstce.corpora import dependency_corpus, sample
from fstce.corpora.links import tree_svg
from fstce.explanation.explain import arc_posteriors
from fstce.machines import write_drawing

HERE = Path(__file__).parent
SENTENCE = ["natural", "language", "is", "a", "delicate", "thing"]
SHORT = ["the", "baker", "will", "light", "the", "lamp"]


def main() -> None:
    for name in ("del1word", "trans1", "del1subseq"):
        write_drawing(fstce.neighborhood(name)(SENTENCE).to_fst(), HERE / f"figure1_{name}.svg")
    _draw_posteriors()
    _draw_tree()
    example = HERE.parent / "examples" / "plot_02_which_neighborhood.py"
    subprocess.run([sys.executable, str(example), str(HERE / "which_neighborhood.svg")], check=True)


def _draw_posteriors() -> None:
    """TRANS1 of a sentence, each arc as thick as it is probable to a trained tagger."""
    text = sample()
    tagger = fstce.Tagger("trans1", sigma2=1.0).fit(
        text, dictionary=fstce.TagDictionary.from_corpus(text)
    )
    lattice = fstce.neighborhood("trans1")(SHORT)
    posteriors = arc_posteriors(tagger, lattice).tolist()
    write_drawing(lattice.to_fst(), HERE / "posteriors.svg", posteriors=posteriors)


def _draw_tree() -> None:
    """The tree that a grammar, trained on tags alone, finds for a sentence of the sample."""
    treebank = dependency_corpus(sample(), max_length=10)
    tags = [sentence.tags for sentence in treebank]
    parser = fstce.DependencyParser(neighborhood="delortrans1", sigma2=0.1).fit(tags)
    sentence = max(treebank[:40], key=len)
    heads = parser.predict([sentence.tags])[0]
    (HERE / "tree.svg").write_text(tree_svg(sentence.words, heads, sentence.tags), encoding="utf-8")


if __name__ == "__main__":
    main()
