"""Readings of an analyzer, ranked without a tagged word, by the command line alone.

``python -m examples.experiments.ranked_readings FOLDER ...``: a folder holds the analyzer's stream
of a text (``before``), what the language's rules leave of it (``after``, if there are any), what
the whole pipeline that comes with the analyzer chooses (``shipped``, if it has one), and the right
UPOS of every token, one a line (``gold``). ``symbols.tsv`` beside the folders maps first symbols
to UPOS. Printed is % right of the tokens that have several UPOS before the rules, the right one
among them. Everything is trained and tried on the same text, after the rules where there are any:

first          the analyzer's first reading
shipped        the rules and the tagger that come with the analyzer
default        ``fstce tagger train`` as it is: whole readings times first symbols
whole          tags are whole readings, and have parts
first symbols  tags are these
auto EM        tags are first symbols by the map
20 answers     the default, twenty words answered, which ``fstce tagger ask`` chooses

Page: docs/results/readings.md.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from fstce.corpora import streams

WAYS: dict[str, tuple[str, ...]] = {
    "whole": ("--reading-tags", "full"),
    "first symbols": ("--reading-tags", "first"),
    "auto": ("--reading-tags", "first", "--tag-map"),
    "EM": ("--criterion", "em", "--reading-tags", "first", "--tag-map"),
}


def fstce(*arguments: str | Path) -> str:
    """The output of a verb of taggers."""
    command = [sys.executable, "-m", "fstce", "tagger", *map(str, arguments), "--quiet"]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode()


class Language:
    """Streams of a language, with the classes of each token and the right one."""

    def __init__(self, folder: Path, scratch: Path) -> None:
        self.folder, self.model = folder, scratch / "model"
        self.questions, self.answers = scratch / "questions", scratch / "answers"
        self.symbols = folder.parent / "symbols.tsv"
        lines = self.symbols.read_text(encoding="utf-8").splitlines()
        self.class_of = dict(line.split("\t") for line in lines)

        before = (folder / "before").read_text(encoding="utf-8")
        self.words = [token.surface for token in tokens(before)]
        self.allowed = self.classes(before)
        self.gold = (folder / "gold").read_text(encoding="utf-8").split()
        after = folder / "after"
        self.stream = after if after.exists() else folder / "before"

    def classes(self, stream: str) -> list[list[str]]:
        """The classes of each token's readings, in their order."""
        return [
            list(dict.fromkeys(filter(None, map(self.class_of.get, token.categories))))
            for token in tokens(stream)
        ]

    def right(self, stream: str) -> str:
        """% of the tokens in question whose first reading is right."""
        hits = [
            (chosen or allowed)[0] == gold
            for chosen, allowed, gold in zip(
                self.classes(stream), self.allowed, self.gold, strict=True
            )
            if len(allowed) > 1 and gold in allowed
        ]
        return f"{100 * sum(hits) / len(hits):.1f}"

    def right_in(self, name: str) -> str:
        """That of a file, nothing where there is none."""
        path = self.folder / name
        return self.right(path.read_text(encoding="utf-8")) if path.exists() else ""

    def learned(self, *options: str | Path) -> str:
        """That of a tagger, trained and tried on the stream."""
        shutil.rmtree(self.model, ignore_errors=True)
        fstce("train", self.stream, *options, "--output", self.model)
        return self.right(fstce("tag", self.model, self.stream))

    def answer(self) -> None:
        """Answer twenty words: the readings of the classes that a fifth of their tokens have, those
        of the usual one first.
        """
        fstce("ask", self.model, self.stream, "--number", "20", "--output", self.questions)
        lines = self.questions.read_text(encoding="utf-8").splitlines()
        asked = [line.split("\t")[:2] for line in lines if not line.startswith("# ")]
        classes_of = {word: Counter[str]() for word, _ in asked}
        for word, gold in zip(self.words, self.gold, strict=True):
            if word in classes_of:
                classes_of[word][gold] += 1

        rows = []
        for word, tags in asked:
            classes = classes_of[word]
            usual = [name for name, n in classes.most_common() if 5 * n >= classes.total()]
            right = [tag for name in usual for tag in self.readings(tags, name)]
            if right:
                rows.append(f"{word}\t{' '.join(right)}\n")
        self.answers.write_text("".join(rows), encoding="utf-8")

    def readings(self, tags: str, name: str) -> list[str]:
        """Of whole readings those of a class."""
        return [tag for tag in tags.split() if self.class_of.get(tag.partition(".")[0]) == name]

    def row(self) -> dict[str, str]:
        """Each way to choose."""
        cells = {"first": self.right_in("before"), "shipped": self.right_in("shipped")}
        cells["default"] = self.learned()
        self.answer()
        for name, options in WAYS.items():
            takes_map = options[-1] == "--tag-map"
            cells[name] = self.learned(*options, *[self.symbols] * takes_map)
        cells["20 answers"] = self.learned("--answers", self.answers)
        return cells


def tokens(stream: str) -> list[streams.Token]:
    """The tokens of a stream of Apertium's."""
    lines = enumerate(stream.splitlines(keepends=True), 1)
    sentences = [part for _, part in streams.apertium_sentences(lines, "stream")]
    return [
        token
        for sentence in sentences
        if isinstance(sentence, streams.StreamSentence)
        for token in sentence.tokens
    ]


def main(folders: list[str]) -> None:
    for number, folder in enumerate(folders):
        with tempfile.TemporaryDirectory() as scratch:
            cells = Language(Path(folder), Path(scratch)).row()
        if not number:
            print(f"| corpus | {' | '.join(cells)} |\n|---|{'---|' * len(cells)}")
        print(f"| {Path(folder).name} | {' | '.join(cells.values())} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
