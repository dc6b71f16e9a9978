"""From raw text and an Apertium analyzer to tags and trees, by commands alone, and how right they are.

``python -m examples.experiments.linguists_path TREEBANK.conllu ANALYZER.automorf.bin MAP``: the
words of the treebank's first sentences, to 12,000, are the raw text; its tags and heads score what
comes out and are seen by nothing else. MAP has a line for each first symbol of the analyzer: the
symbol, a tab, a class of Universal Dependencies. ``lt-proc`` stands on the path.

Printed: % of the words with the right tag (AUX is VERB, as most analyzers have it), by the
dictionary's commonest tag alone and by the tagger; % of the right heads, without punctuation, of
the grammar that learned from the tagger's tags, and of one that learned from the treebank's.

Page: docs/first_hours/language_in_a_day.md.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from examples.experiments.panel_tagging import Corpus, read, trivial
from fstce.corpora import Sentence, TagDictionary, read_corpus

RESERVED = re.compile(r"([\[\]{}^$/\\@<>])")


def fstce(folder: Path, *arguments: str) -> str:
    """What a command prints."""
    command = [sys.executable, "-m", "fstce", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def analyzed(words: Sequence[str], analyzer: str) -> str:
    """The stream of an analyzer, each word by itself."""
    text = "\0".join([*(RESERVED.sub(r"\\\1", word) for word in words), ""])
    done = subprocess.run(
        ["lt-proc", "-w", "-z", analyzer], input=text, capture_output=True, text=True, check=True
    )
    return done.stdout.replace("\0", "\n")


def with_tags(sentences: Sequence[Sentence], tags: Sequence[Sequence[str]]) -> str:
    """Sentences in CoNLL-U with these tags and their own heads."""
    blocks = []
    for sentence, row in zip(sentences, tags, strict=True):
        words = zip(sentence.words, row, sentence.heads or (), strict=True)
        lines = [
            f"{i}\t{word}\t_\t{tag}\t_\t_\t{head}\t_\t_\t_"
            for i, (word, tag, head) in enumerate(words, 1)
        ]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n\n"


def right_heads(
    folder: Path, tags: Sequence[Sequence[str]], sentences: Sequence[Sentence]
) -> float:
    """% of the right heads of a grammar that learned from these tags."""
    (folder / "tagged.conllu").write_text(with_tags(sentences, tags), encoding="utf-8")
    options = ("--rules", "upos", "--tag-column", "upos", "--quiet")
    fstce(folder, "parser", "train", "tagged.conllu", *options, "--output", "parser")
    scores = fstce(folder, "parser", "evaluate", "parser", "tagged.conllu", "--json", *options[2:])
    return float(json.loads(scores)["model"]["directed"])


def main(treebank: str, analyzer: str, tag_map: str) -> None:
    """Print the figures."""
    sentences = read(treebank)
    analyzer, tag_map = str(Path(analyzer).resolve()), str(Path(tag_map).resolve())

    with TemporaryDirectory() as name:
        folder = Path(name)
        text = "".join(" ".join(sentence.words) + "\n" for sentence in sentences)
        (folder / "text.txt").write_text(text, encoding="utf-8")
        types = sorted({word for sentence in sentences for word in sentence.words})
        (folder / "stream.txt").write_text(analyzed(types, analyzer), encoding="utf-8")

        words = ("text.txt", "--tag-map", tag_map, "--output", "words.tsv")
        fstce(folder, "tagger", "dictionary", "stream.txt", *words)
        given = ("--dictionary", "words.tsv", "--output", "tagger")
        fstce(folder, "tagger", "train", "text.txt", *given)
        tagged = fstce(folder, "tagger", "tag", "tagger", "text.txt", "--output-format", "conllu")
        (folder / "found.conllu").write_text(tagged, encoding="utf-8")

        found = [list(s.tags or ()) for s in read_corpus(str(folder / "found.conllu"))]
        listed = TagDictionary.from_file(folder / "words.tsv")
        corpus = Corpus(sentences, "outside", listed)
        print(f"tags, the dictionary alone: {corpus.score(trivial(corpus)):.1f} %")
        print(f"tags, the tagger: {corpus.score(found):.1f} %")
        print(f"heads, from the tagger's tags: {right_heads(folder, found, sentences):.1f} %")
        print(f"heads, from the treebank's: {right_heads(folder, corpus.gold, sentences):.1f} %")


if __name__ == "__main__":
    main(*sys.argv[1:4])
