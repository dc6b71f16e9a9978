"""A dictionary of the Brown corpus in the paper's 17 classes, for ``reproduce tagging --lexicon``.

The free treebank's own dictionary leaves fewer tags a word than the paper's, which was read off
all of the Penn Treebank; Brown, a text of another kind, gives its words further tags.

Page: docs/results/tagging.md.
Run: python -m examples.experiments.brown_lexicon brown.tsv
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

from fstce import TagDictionary
from fstce.corpora import coarse_map, read_corpus


def main(output: str) -> None:
    """Write the dictionary: each word with the classes that it has in Brown."""
    classes = coarse_map(str(Path(__file__).with_name("brown_coarse17.tsv")))
    tags_of_word: dict[str, set[str]] = defaultdict(set)

    for sentence in read_corpus("nltk:brown"):
        for word, tag in zip(sentence.words, sentence.tags or (), strict=True):
            plain = tag.upper().removeprefix("FW-")
            while plain not in classes and "-" in plain[1:]:
                plain = plain.rpartition("-")[0]
            if plain in classes:
                tags_of_word[word].add(classes[plain])

    TagDictionary(tags_of_word).to_tsv(output)


if __name__ == "__main__":
    main(sys.argv[1])
