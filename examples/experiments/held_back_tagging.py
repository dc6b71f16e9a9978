"""Taggers on texts that chose nothing, by commands alone: the default beside EM, answers, sentences.

``python -m examples.experiments.held_back_tagging FOLDER NAME ...``: FOLDER/NAME.conllu is a tagged
text, of which the commands see the words alone, FOLDER/NAME.tsv a dictionary that was not made of
it (``fstce tagger dictionary``); AUX is VERB in both. % of all words.

EM, auto     without labels
50           `auto`, fifty words answered that ``fstce tagger ask`` asks for
commonest    the fifty commonest words answered
CRF 50       of fifty sentences drawn at random, the dictionary as features: % of the other
             sentences' words

The speaker is the text: an answer has the tags of at least a fifth of the word's tokens, the usual
one first.

Page: docs/results/answers.md.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from examples.experiments.panel_tagging import ASKED, SENTENCES, Corpus, trivial
from fstce.corpora import Sentence, TagDictionary, read_corpus

NAMES = ("trivial", "EM", "auto", "50", "commonest", "CRF 50")


class Text:
    """A tagged text, what commands make of its words in a folder, and how right that is."""

    def __init__(self, text: Path, folder: Path) -> None:
        self.folder = folder
        self.sentences = [*read_corpus(str(text), tag_column="upos")]
        self.listed = text.with_suffix(".tsv")
        listed = TagDictionary.from_file(self.listed)
        self.corpus = Corpus(self.sentences, "outside", listed.for_text(self.sentences))
        self.write("text.conllu", self.sentences)

    def write(
        self, name: str, sentences: Iterable[Sentence], tags: Sequence[Sequence[str]] = ()
    ) -> None:
        """Write sentences as CoNLL-U, with these tags or without any."""
        blocks = []
        for number, sentence in enumerate(sentences):
            row = tags[number] if tags else ["_"] * len(sentence)
            pairs = enumerate(zip(sentence.words, row, strict=True), 1)
            lines = [f"{i}\t{word}\t_\t{tag}" + "\t_" * 6 for i, (word, tag) in pairs]
            blocks.append("\n".join(lines) + "\n\n")
        (self.folder / name).write_text("".join(blocks), encoding="utf-8")

    def run(self, *arguments: str) -> str:
        """What a command prints."""
        command = [sys.executable, "-m", "fstce", "tagger", *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{' '.join(arguments)}: {done.stderr.strip()[-400:]}")
        return done.stdout

    def score(self, model: str, places: Iterable[int] | None = None) -> float:
        """% of the words that a model in the folder tags right."""
        found = self.run("tag", model, "text.conllu", "--output-format", "jsonl")
        return self.corpus.score([json.loads(line)["tags"] for line in found.splitlines()], places)

    def trained(self, model: str, *options: str) -> float:
        """The score of a tagger of the raw text."""
        given = ("--dictionary", str(self.listed), "--output", model, "--quiet")
        self.run("train", "text.conllu", *given, *options)
        return self.score(model)

    def answered(self, words: Iterable[str]) -> float:
        """The score of the default where these words are answered."""
        answers = self.corpus.answers(words).items()
        lines = "".join(f"{word}\t{' '.join(tags)}\n" for word, tags in answers)
        (self.folder / "answers.tsv").write_text(lines, encoding="utf-8")
        return self.trained("answered", "--answers", "answers.tsv")

    def asked(self) -> list[str]:
        """The words that are asked for."""
        printed = self.run("ask", "auto", "text.conllu", "--number", str(ASKED), "--quiet")
        lines = [line for line in printed.splitlines() if not line.startswith("# ")]
        return [line.split("\t")[0].removeprefix("\\") for line in lines if "\t" in line]

    def of_sentences(self) -> float:
        """The score of a CRF of fifty sentences, the dictionary as features, on the others."""
        chosen = sorted(random.Random(1).sample(range(len(self.sentences)), SENTENCES))
        gold = [self.corpus.gold[i] for i in chosen]
        self.write("few.conllu", [self.sentences[i] for i in chosen], gold)
        options = ("-c", "conditional", "--order", "2", "--dictionary-as", "features", "--quiet")
        given = ("--dictionary", str(self.listed), "--tag-column", "upos", "--output", "crf")
        self.run("train", "few.conllu", *given, *options)
        return self.score("crf", sorted({*range(len(self.sentences))}.difference(chosen)))


def measured(text: Path) -> list[float]:
    """The row of a text."""
    with TemporaryDirectory() as folder:
        own = Text(text.resolve(), Path(folder))
        row = [own.corpus.score(trivial(own.corpus)), own.trained("em", "-c", "em")]
        row += [own.trained("auto"), own.answered(own.asked())]
        spelt = [word for word in own.corpus.commonest if any(map(str.isalpha, word))]
        return [*row, own.answered(spelt[:ASKED]), own.of_sentences()]


def main(folder: str, names: Sequence[str]) -> None:
    """Print the table: a row for each text."""
    print("\t".join(["corpus", *NAMES]))
    for name in names:
        row = measured(Path(folder) / f"{name}.conllu")
        print("\t".join([name, *(f"{value:.1f}" for value in row)]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
