"""How the places of a category divide among its subcategories: Petrov (2010), Figure 2.

Reads the grammars that ``fstce reproduce products`` leaves in its folder, and the trees that they
were trained on. To run, after it: ``python -m examples.experiments.largest_subcategories
products-report``.

Page: docs/notebook/latent.md.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np

import fstce
from fstce.corpora import Sentence
from fstce.latent.model.lexicon import emissions
from fstce.latent.training.tree_insideoutside import TreeInsideOutside, compile_forest
from fstce.latent.training.treebank import read_treebank
from fstce.reproduction.products_trials import PENN, parts

CATEGORIES = ("NP", "PP", "IN", "DT")
MOST = 8


def shares(grammar: fstce.LatentGrammar, trees: Iterable[Sentence]) -> dict[str, np.ndarray]:
    """Of each category the shares of its subcategories in trees, by their posteriors, largest first."""
    treebank = read_treebank(trees)
    finest = grammar.hierarchy_.finest
    passes = TreeInsideOutside(compile_forest(treebank), finest, treebank.tags)
    passes.fill(finest.rules, emissions(finest.lexicon.counts, len(treebank.vocabulary.frequent)))

    expected = dict(zip(treebank.symbols, passes.expected(), strict=True))
    return {name: np.sort(counts)[::-1] / counts.sum() for name, counts in expected.items()}


def table(shares_of_grammar: Mapping[str, Mapping[str, np.ndarray]]) -> Iterator[str]:
    """Rows: category, grammar, the shares of its eight most frequent subcategories in percent."""
    yield "\t".join(["category", "grammar", *(str(rank + 1) for rank in range(MOST))])
    for category in CATEGORIES:
        for name, of_category in shares_of_grammar.items():
            percent = 100 * of_category[category][:MOST]
            yield "\t".join([category, name, *(f"{share:.1f}" for share in percent)])


def main(report: Path) -> None:
    """Print the table of the grammars of four seeds."""
    trees = parts(PENN).train
    folders = sorted(
        (report / "grammars").iterdir(), key=lambda place: int(place.name.split("-")[1])
    )
    grammars = {folder.name.rsplit("-", 1)[0]: folder for folder in folders[:4]}
    loaded = {name: fstce.LatentGrammar.load(folder) for name, folder in grammars.items()}
    print(*table({name: shares(grammar, trees) for name, grammar in loaded.items()}), sep="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
