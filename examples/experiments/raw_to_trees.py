"""From raw text to trees by commands alone: what are trees worth whose tags come from a dictionary?

A tagger learns from words of a treebank and an outside dictionary, and tags them; a parser learns
from its tags, in sentences of at most ten words, without trees. Of the last fifth of the sentences
the words with the right head, in percent, at most 10, 20, 40 words long and of all lengths, with and
without rules, the same with gold tags, and where fifty words of the text are answered, which takes
some five minutes. Trees and gold tags are looked at when scores are made, and to answer:

    python -m examples.experiments.raw_to_trees a.conllu DICTIONARY MAP [b.conllu DICTIONARY MAP …]

Page: docs/results/dependencies.md.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from fstce.corpora import read_corpus

SENTENCES = 1000
LENGTHS = {"≤ 10": 10, "≤ 20": 20, "≤ 40": 40, "all": 10_000}
WAYS = {"default": (), "rules": ("--rules", "upos")}


def fstce(*arguments: str | Path) -> str:
    """What the program prints."""
    command = [sys.executable, "-m", "fstce", *map(str, arguments), "--quiet"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def split(treebank: str, folder: Path) -> None:
    """Write the words of a treebank, and its sentences to train on and to test on."""
    blocks = Path(treebank).read_text("utf-8").strip("\n").split("\n\n")[:SENTENCES]
    cut = len(blocks) * 4 // 5
    (folder / "train.conllu").write_text("\n\n".join(blocks[:cut]) + "\n\n", "utf-8")
    (folder / "test.conllu").write_text("\n\n".join(blocks[cut:]) + "\n\n", "utf-8")
    lines = [" ".join(sentence.words) for sentence in read_corpus(folder / "train.conllu")]
    (folder / "text.txt").write_text("\n".join(lines) + "\n", "utf-8")


def tagged(folder: Path, name: str, *options: str | Path) -> tuple[Path, Path]:
    """Both parts with tags of a tagger that has seen words, a dictionary and answers alone."""
    tagger = folder / name
    fstce("tagger", "train", folder / "text.txt", *options, "--output", tagger)
    parts = []
    for part in ("train", "test"):
        parts.append(folder / f"{part}.{name}.conllu")
        text = (tagger, folder / f"{part}.conllu", "--output-format", "conllu")
        parts[-1].write_text(fstce("tagger", "tag", *text), "utf-8")
    return parts[0], parts[1]


def answers(folder: Path, name: str) -> Path:
    """Fifty words that a tagger asks about, with the tags of at least a fifth of their tokens."""
    tags_of_word: dict[str, Counter[str]] = defaultdict(Counter)
    for sentence in read_corpus(folder / "train.conllu", tag_column="upos"):
        for word, tag in zip(sentence.words, sentence.tags, strict=True):
            tags_of_word[word][tag] += 1

    asked = fstce("tagger", "ask", folder / name, folder / "text.txt", "--number", "50")
    rows = []
    for line in asked.splitlines():
        word = line.partition("\t")[0]
        counts = tags_of_word.get(word.removeprefix("\\"))
        if counts and not line.startswith("# "):
            usual = [tag for tag, n in counts.most_common() if 5 * n >= counts.total()]
            rows.append(f"{word}\t{' '.join(usual)}\n")
    path = folder / "answers.tsv"
    path.write_text("".join(rows), encoding="utf-8")
    return path


def scores(train: Path, test: Path, rules: tuple[str, ...]) -> dict[str, float]:
    """Directed accuracy by the greatest length of a sentence."""
    model = train.with_suffix(".model" + "".join(rules))
    column = ("--tag-column", "upos")
    fstce("parser", "train", train, *column, *rules, "--output", model)
    record = {}
    for name, length in LENGTHS.items():
        printed = fstce("parser", "evaluate", model, test, "--max-length", str(length), "--json")
        record[name] = json.loads(printed)["model"]["directed"]
    return record


def main() -> None:
    """A line for every treebank, source of tags and way."""
    print("treebank", "tags", "tags right", "grammar", *LENGTHS, sep="\t")
    arguments = iter(sys.argv[1:])
    for treebank, dictionary, tag_map in zip(arguments, arguments, arguments, strict=True):
        with tempfile.TemporaryDirectory() as home:
            folder = Path(home)
            split(treebank, folder)
            gold = folder / "train.conllu", folder / "test.conllu"
            given = ("--dictionary", dictionary, "--tag-map", tag_map)
            outside = tagged(folder, "outside", *given)
            asked = tagged(folder, "answered", *given, "--answers", answers(folder, "outside"))
            for source, pair in (("gold", gold), ("outside", outside), ("answered", asked)):
                right = agreement(gold[1], pair[1])
                for way, rules in WAYS.items():
                    of_length = [f"{x:.1f}" for x in scores(*pair, rules).values()]
                    row = (Path(treebank).stem, source, f"{right:.1f}", way, *of_length)
                    print(*row, sep="\t", flush=True)


def agreement(gold: Path, tagged_file: Path) -> float:
    """The share of tokens with the gold tag, in percent."""
    both = (read_corpus(file, tag_column="upos") for file in (gold, tagged_file))
    pairs = [pair for a, b in zip(*both, strict=True) for pair in zip(a.tags, b.tags, strict=True)]
    return 100 * sum(a == b for a, b in pairs) / len(pairs)


if __name__ == "__main__":
    main()
