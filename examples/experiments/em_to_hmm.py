"""Where the tagger stands between EM and the supervised HMM, with 17 tags, and with a small dictionary.

Trained and scored on the same raw text of 24,000 words, the dictionary from the whole corpus, as in
Smith & Eisner (2005a). To run: ``python -m examples.experiments.em_to_hmm DATA PART [CORPUS ...]``,
with DATA as in ``held_out_tagging.py`` and PART one of ``shares``, ``coarse`` and ``small``; the
last two are of the Wall Street Journal with 17 tags, σ² and λ chosen on 5,000 words that follow,
without their tags.

Page: docs/notebook/tagging.md.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import fstce
from examples.experiments.held_out_tagging import SPECS
from fstce.corpora import Sentence, coarse_map, project, read_corpus
from fstce.evaluation import tagging_accuracy

GRID = (0.1, 1.0, 10.0)
MORE = {"CRAFT": "craft/craft-20k.mrg"}
WAYS: dict[str, dict[str, Any]] = {
    "EM": {"criterion": "em"},
    "TRANS1": {"neighborhood": "trans1"},
    "auto": {},
    "auto, spelling": {"spelling": True},
}


def corpus_of(name: str, data: Path) -> list[Sentence]:
    """All sentences."""
    spec = {**SPECS, **MORE}[name]
    if spec.startswith("nltk"):
        return list(read_corpus(spec))
    return list(read_corpus(str(data / spec), **({} if name in MORE else {"tag_column": "upos"})))


def first(sentences: list[Sentence], words: int) -> tuple[list[Sentence], list[Sentence]]:
    """The sentences of the first so many words, and those after them."""
    sizes = itertools.accumulate(map(len, sentences), initial=0)
    n = sum(1 for _ in itertools.takewhile(lambda size: size < words, sizes))
    return sentences[:n], sentences[n:]


def rows_of(sentences: list[Sentence]) -> tuple[list[list[str]], list[list[str]]]:
    """Words and tags."""
    return [list(s.words) for s in sentences], [list(s.tags or ()) for s in sentences]


def shares(data: Path, corpora: list[str]) -> Iterator[str]:
    """Rows: % of ambiguous words by EM, TRANS1, auto and supervised HMM, all by default; share of
    the way.
    """
    for name in corpora or [n for n in [*SPECS, *MORE] if n != "Malagasy"]:
        whole = corpus_of(name, data)
        words, gold = rows_of(first(whole, 24_000)[0])
        dictionary = fstce.TagDictionary.from_corpus(whole)
        settings = {n: WAYS[n] for n in ("EM", "TRANS1", "auto")} | {"HMM": {"criterion": "joint"}}
        right = {}

        for way, given in settings.items():
            tags = gold if way == "HMM" else None
            tagger = fstce.Tagger(**given).fit(words, tags, dictionary=dictionary)
            right[way] = tagging_accuracy(words, gold, tagger.predict(words), dictionary).ambiguous

        em = right["EM"]
        top = right["HMM"]
        way = [f"{100 * (right[n] - em) / (top - em):.0f} %" for n in ("TRANS1", "auto")]
        yield f"| {name} | {' | '.join(f'{n:.1f}' for n in right.values())} | {' | '.join(way)} |"


def chosen(
    given: Mapping[str, Any],
    words: list[list[str]],
    gold: list[list[str]],
    held: list[list[str]],
    dictionary: fstce.TagDictionary,
) -> str:
    """% of all words with the σ² or λ that the criterion prefers on held-out text; in brackets the
    best.
    """
    name = "smoothing" if given.get("criterion") == "em" else "sigma2"
    found = []
    for value in GRID:
        tagger = fstce.Tagger(**given, **{name: value}).fit(words, dictionary=dictionary)
        right = tagging_accuracy(words, gold, tagger.predict(words), dictionary).all
        found.append((tagger.measure(held), right, value, " and ".join(tagger.contrasts_)))
    _, right, value, kinds = max(found)
    kinds_text = "" if "criterion" in given else f", {kinds}"
    return f"{right:.1f} ({name} {value:g}{kinds_text}) | {max(r for _, r, *_ in found):.1f}"


def coarse(data: Path, small: bool) -> Iterator[str]:
    """Rows of the Wall Street Journal with 17 tags: the whole dictionary, or words seen three
    times.
    """
    whole = list(project(corpus_of("WSJ", data), coarse_map()))
    text, rest = first(whole, 24_000)
    words, gold = rows_of(text)
    held = rows_of(first(rest, 5_000)[0])[0]
    dictionary = fstce.TagDictionary.from_corpus(whole, min_count=3 if small else 1)
    for name in ("EM", "auto", "auto, spelling") if small else ("EM", "TRANS1", "auto"):
        given = WAYS[name]
        yield f"| {name} | {chosen(given, words, gold, held, dictionary)} |"


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    part = sys.argv[2]
    rows = shares(folder, sys.argv[3:]) if part == "shares" else coarse(folder, part == "small")
    for line in rows:
        print(line, flush=True)
