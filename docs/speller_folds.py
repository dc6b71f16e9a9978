"""Spellers over five folds that share no stem: unit costs, a table set by hand, letters, strings.

Run: python docs/speller_folds.py typos.tsv [--text corpus.txt] [--table editdist.txt] [--sizes 50 100]

The lexicon is the words of the text and all right forms; reachable typos count. Two typos are in one fold if
the first four letters of what was meant are alike. A table is GiellaLT's: letters, @@, typed, meant and
weight; what it does not have costs 10; the exponent of words is the best for it of 0, 1 and 2.
"""

from __future__ import annotations

import argparse
import math
import random
import time
import zlib
from collections.abc import Sequence
from pathlib import Path

import fstce
from fstce.speller.error_model import ErrorModel
from fstce.speller.evaluation import speller_scores
from fstce.speller.features import scripts
from fstce.speller.lexicon import Lexicon, read_counts
from fstce.speller.typos import Typo, read_typos

FOLDS = 5
UNIT = dict.fromkeys(("substitution", "insertion", "deletion", "transposition"), 10.0)


def table(path: Path) -> dict[str, float]:
    """The weights of a table as those of an error model; a pair counts both ways."""
    weights = dict(UNIT)
    lines = path.read_text(encoding="utf-8-sig").partition("@@")[2].splitlines()
    rows = [line.split("\t") for line in lines if line.count("\t") >= 2 and not line.startswith("##")]
    both = [(b, a, weight) for a, b, weight, *_ in rows] + [(a, b, weight) for a, b, weight, *_ in rows]
    for a, b, weight in both:
        weights[f"{a.replace(',', '')}>{b.replace(',', '')}"] = float(weight) - 10.0
    return weights


def fixed(weights: dict[str, float], letters: str, words: Lexicon, exponent: float) -> fstce.Speller:
    """A speller with these weights."""
    speller = fstce.Speller()
    speller.errors_, speller.exponent_ = ErrorModel(letters, weights), exponent
    speller.lexicon_, speller.reached_ = words, 0
    return speller


def places(speller: fstce.Speller, typos: Sequence[Typo]) -> list[int]:
    return [row.place for row in speller_scores(speller, typos).outcomes]


def show(name: str, found: Sequence[int], more: str = "") -> float:
    """A line with intervals of 95 %."""
    shares = [sum(0 < place <= number for place in found) / len(found) for number in (1, 5)]
    ends = [196 * math.sqrt(share * (1 - share) / len(found)) for share in shares]
    one, five = (f"{100 * share:5.1f} ± {end:.1f}" for share, end in zip(shares, ends, strict=True))
    print(f"{name:12s} {len(found):6d} first {one} among five {five} {more}", flush=True)
    return shares[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("typos", type=Path)
    parser.add_argument("--text", type=Path)
    parser.add_argument("--table", type=Path)
    parser.add_argument("--sizes", type=int, nargs="*", default=[])
    parser.add_argument("--most", type=int, default=100_000)
    options = parser.parse_args()
    pairs = list(read_typos(options.typos))
    counts = {word: 0 for _, word in pairs} | (read_counts(options.text) if options.text else {})
    pairs = [pair for pair in pairs if scripts(*pair)]
    random.Random(5).shuffle(pairs)
    pairs = pairs[: options.most]
    fold = [zlib.crc32(meant[:4].lower().encode()) % FOLDS for _, meant in pairs]
    folds = [
        tuple(
            [pair for pair, at in zip(pairs, fold, strict=True) if (at == k) == held]
            for held in (False, True)
        )
        for k in range(FOLDS)
    ]
    words = Lexicon.of_counts(counts)
    letters = words.letters("".join(letter for pair in pairs for word in pair for letter in word))
    for name, weights in (("unit", UNIT), *((("by hand", table(options.table)),) if options.table else ())):
        rows = [places(fixed(weights, letters, words, a), pairs) for a in (0.0, 1.0, 2.0)]
        show(name, max(rows, key=lambda row: row.count(1)))
    for name, penalty in (("letters", 1e6), ("strings", 1.0)):
        began, rows = time.process_time(), []
        for train, test in folds:
            speller = fstce.Speller(penalty=penalty).fit(train, counts)
            rows += places(speller, test)
        machine = speller.machines()[0]
        arcs = sum(map(machine.num_arcs, machine.states()))
        show(name, rows, f"{time.process_time() - began:.0f} s of a core, {arcs:,} arcs")
    for size in options.sizes:
        found = [places(fstce.Speller().fit(train[:size], counts), test) for train, test in folds]
        show(f"{size} typos", [place for row in found for place in row])


if __name__ == "__main__":
    main()
