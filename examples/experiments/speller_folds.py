"""Spellers over five folds that share no stem: unit costs, a table set by hand, letters, strings.

Run: ``python -m examples.experiments.speller_folds TASK NAME-typos.tsv ...``, with a task of

folds      % of the right forms first, and among five, by error model; what strings gain over the table
curve      % first of so many typos to learn from
machines   arcs and bytes of the error model and of the words, suggestions a second here and in hfst-ospell
programs   % first and among five, learned, here, in hfst-ospell, and in hunspell, there also with the same
           words and no table; how many typos pass 75 % among five

Beside the typos may stand ``NAME-corpus.txt``, running text, and ``NAME-editdist.txt``, a table set by hand.
The lexicon is the words of the text and all right forms; reachable typos count, at most 1,000 of a language.
Two typos are in one fold if the first four letters of the intended words are alike. A table is GiellaLT's:
letters, @@, observed, intended and weight; what it does not have costs 10; the exponent of words is the best
for it of 0, 1 and 2. ± is half an interval of 95 %; of a gain that of the differences typo by typo.

Page: docs/results/spellers.md.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

import fstce
from fstce.corpora.word_files import read_word_file
from fstce.machines.convert import write_machine
from fstce.machines.image import fst_to_arrays
from fstce.speller.error_model import ErrorModel
from fstce.speller.evaluation import speller_scores
from fstce.speller.export import with_letters, write_speller
from fstce.speller.features import scripts
from fstce.speller.lexicon import Lexicon
from fstce.speller.sources import write_hunspell
from fstce.speller.typos import Typo, read_typos

FOLDS, MOST, SIZES, TIMED = 5, 1000, (50, 100, 200, 500), 300
NEEDED = (1, 10, 20, 50, 100, 200)
UNIT = dict.fromkeys(("substitution", "insertion", "deletion", "transposition"), 10.0)
LANGUAGES = {
    "fin": "Finnish",
    "fkv": "Kven",
    "kal": "Greenlandic",
    "rus": "Russian",
    "sma": "South Sámi",
    "sme": "North Sámi",
    "smn": "Inari Sámi",
    "tur": "Turkish",
}
Cells = dict[str, str]


def table(path: Path) -> dict[str, float]:
    """The weights of a table as those of an error model; a pair counts both ways."""
    weights = dict(UNIT)
    lines = path.read_text(encoding="utf-8-sig").partition("@@")[2].splitlines()
    rows = [
        line.split("\t") for line in lines if line.count("\t") >= 2 and not line.startswith("##")
    ]
    both = [(b, a, weight) for a, b, weight, *_ in rows] + [
        (a, b, weight) for a, b, weight, *_ in rows
    ]
    for a, b, weight in both:
        weights[f"{a.replace(',', '')}>{b.replace(',', '')}"] = float(weight) - 10.0
    return weights


class Language:
    """Typos, the words that they are looked for in, and what was set by hand."""

    def __init__(self, typos: Path) -> None:
        self.code = typos.stem.partition("-")[0]
        self.name = LANGUAGES.get(self.code, self.code)
        text, hand = (
            typos.with_name(f"{self.code}-{rest}") for rest in ("corpus.txt", "editdist.txt")
        )
        pairs = list(read_typos(typos))
        self.counts = {word: 0 for _, word in pairs} | (
            read_word_file(text, "text").counts if text.exists() else {}
        )
        pairs = [pair for pair in pairs if scripts(*pair)]
        random.Random(5).shuffle(pairs)
        self.pairs = pairs[:MOST]
        self.tables = {"unit costs": UNIT} | ({"by hand": table(hand)} if hand.exists() else {})
        self.words = Lexicon.of_counts(self.counts)

    @property
    def folds(self) -> Iterator[tuple[list[Typo], list[Typo]]]:
        """What is learned from, and what is held back."""
        fold = [zlib.crc32(intended[:4].lower().encode()) % FOLDS for _, intended in self.pairs]
        for k in range(FOLDS):
            yield (
                [pair for pair, at in zip(self.pairs, fold, strict=True) if at != k],
                [pair for pair, at in zip(self.pairs, fold, strict=True) if at == k],
            )

    def fixed(self, weights: Mapping[str, float], exponent: float) -> fstce.Speller:
        """A speller with these weights."""
        speller = fstce.Speller()
        letters = self.words.letters(
            "".join(letter for pair in self.pairs for word in pair for letter in word)
        )
        speller.errors_, speller.exponent_ = ErrorModel(letters, weights), exponent
        speller.lexicon_, speller.reached_ = self.words, 0
        return speller

    @cached_property
    def by_hand(self) -> dict[str, tuple[fstce.Speller, dict[Typo, int]]]:
        """Unit costs and the table, each with its best exponent, and the places of right forms."""
        best = {}
        for name, weights in self.tables.items():
            ways = [self.fixed(weights, exponent) for exponent in (0.0, 1.0, 2.0)]
            scored = [(speller, places(speller, self.pairs)) for speller in ways]
            best[name] = max(scored, key=lambda one: [*one[1].values()].count(1))
        return best

    def learned(self, size: int | None = None, penalty: float = 1.0) -> dict[Typo, int] | None:
        """The places of right forms, learned from the other folds; None where these have too few
        typos.
        """
        found: dict[Typo, int] = {}
        for train, test in self.folds:
            if size is not None and size > len(train):
                return None
            found |= places(fstce.Speller(penalty=penalty).fit(train[:size], self.counts), test)
        return found


def places(speller: fstce.Speller, typos: Sequence[Typo]) -> dict[Typo, int]:
    """Where each right form stands among the suggestions, 0 where it is none."""
    return {
        (row.observed, row.intended): row.place for row in speller_scores(speller, typos).outcomes
    }


def first(found: Mapping[Typo, int], pairs: Iterable[Typo] | None = None) -> np.ndarray:
    """Whether each right form is first."""
    return np.array([found.get(pair) == 1 for pair in sorted(pairs or found)], dtype=float)


def interval(values: np.ndarray) -> str:
    """The mean in percent, and half the interval of 95 %."""
    return f"{100 * values.mean():.1f} ± {196 * values.std() / len(values) ** 0.5:.1f}"


def folds(language: Language) -> Cells:
    """The kinds of error models."""
    rows = {name: found for name, (_, found) in language.by_hand.items()}
    rows |= {
        "letters": language.learned(penalty=1e6) or {},
        "letters and strings": language.learned() or {},
    }
    cells = {"typos": f"{len(rows['letters']):,}"}
    for name in ("unit costs", "by hand", "letters", "letters and strings"):
        five = [0 < place <= 5 for place in rows[name].values()] if name in rows else []
        cells[name] = interval(first(rows[name])) if name in rows else ""
        cells[f"{name} five"] = f"{100 * np.mean(five):.1f}" if five else ""
    base = rows.get("by hand", rows["unit costs"])
    cells["gain"] = interval(first(rows["letters and strings"], base) - first(base))
    return cells


def curve(language: Language) -> Cells:
    """By the number of typos to learn from."""
    learned = {f"{size} typos": language.learned(size) for size in SIZES}
    return {name: interval(first(found)) if found else "" for name, found in learned.items()}


def machines(language: Language) -> Cells:
    """Of a speller of 500 typos and of the table."""
    test = [observed for observed, _ in language.pairs[-TIMED:]]
    spellers = {name: language.fixed(weights, 1.0) for name, weights in language.tables.items()}
    spellers["learned"] = fstce.Speller().fit(language.pairs[:500], language.counts)
    cells: Cells = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in ("by hand", "learned"):
            measured = (
                _machine(spellers[name], Path(folder), test) if name in spellers else ("",) * 4
            )
            columns = ("arcs", "kB", "a second", "hfst-ospell a second")
            cells |= {
                f"{name}, {column}": cell for column, cell in zip(columns, measured, strict=True)
            }
        write_speller(spellers["learned"], Path(folder) / "x.zhfst", language.code)
        cells["words, arcs"] = f"{len(fst_to_arrays(spellers['learned'].machines()[1]).source):,}"
        cells["zhfst, kB"] = f"{(Path(folder) / 'x.zhfst').stat().st_size / 1000:,.0f}"
    return cells


def _machine(speller: fstce.Speller, folder: Path, test: Sequence[str]) -> tuple[str, ...]:
    errors = speller.machines()[0]
    arcs = len(fst_to_arrays(errors).source)
    write_machine(with_letters(errors), folder / "e.hfstol")
    write_speller(speller, folder / "x.zhfst", "und")
    here = _seconds(lambda: speller.suggest(test))
    there = ""
    if shutil.which("hfst-ospell"):
        command = ["hfst-ospell", "-S", str(folder / "x.zhfst")]

        def ask(words: Iterable[str]) -> None:
            text = "".join(f"{word}\n" for word in words)
            subprocess.run(command, input=text, text=True, check=True, stdout=subprocess.DEVNULL)

        there = f"{len(test) / (_seconds(lambda: ask(test)) - _seconds(lambda: ask(()))):.0f}"
    size = (folder / "e.hfstol").stat().st_size
    return f"{arcs:,}", f"{size / 1000:,.0f}", f"{len(test) / here:.0f}", there


def _seconds(call: Callable[[], object]) -> float:
    """The better of two times."""
    times = []
    for _ in range(2):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return min(times)


def programs(language: Language) -> Cells:
    """What each program makes of one learned speller, over the folds."""
    hits: dict[str, list[tuple[bool, bool]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for train, test in language.folds:
            speller = fstce.Speller().fit(train, language.counts)
            unknown = [pair for pair in test if not speller.lexicon_.costs(pair[:1])]
            for name, suggested in _by_program(speller, Path(folder), unknown).items():
                for row, (_, intended) in zip(suggested, unknown, strict=True):
                    found = row[:1] == [intended], intended in row[:5]
                    hits.setdefault(name, []).append(found)

    cells = {"typos": f"{len(hits['fstce']):,}"}
    for name, found in hits.items():
        first_ones, five = np.array(found).mean(0)
        cells |= {name: f"{100 * first_ones:.1f}", f"{name} five": f"{100 * five:.1f}"}
    return cells | {"typos for 75 % among five": _needed(language)}


def _by_program(
    speller: fstce.Speller, folder: Path, pairs: Sequence[Typo]
) -> dict[str, list[list[str]]]:
    observed = [pair[0] for pair in pairs]
    rows = {"fstce": [[row.word for row in rows] for rows in speller.suggest(observed)]}
    if shutil.which("hfst-ospell"):
        write_speller(speller, folder / "x.zhfst", "und")
        command = ["hfst-ospell", "-S", str(folder / "x.zhfst")]
        rows["hfst-ospell"] = [_corrections(command, word) for word in observed]
    for name, tables in (("hunspell alone", False), ("hunspell", True)):
        if shutil.which("hunspell"):
            write_hunspell(speller, folder / "x", tables)
            rows[name] = _of_hunspell(folder / "x", observed)
    return rows


def _corrections(command: Sequence[str], word: str) -> list[str]:
    out = subprocess.run(command, input=f"{word}\n", capture_output=True, text=True, check=True)
    return [line.rsplit(maxsplit=1)[0] for line in out.stdout.splitlines() if " " * 4 in line]


def _of_hunspell(name: Path, words: Sequence[str]) -> list[list[str]]:
    """Its suggestions for each word; of one that it cuts up, those of the first part."""
    command = ["hunspell", "-d", str(name), "-i", "UTF-8", "-a"]
    text = "".join(f"^{word}\n" for word in words)
    out = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    answers = out.partition("\n")[2].split("\n\n")
    return [
        answer.partition("\n")[0].partition(": ")[2].split(", ") for answer in answers[: len(words)]
    ]


def _needed(language: Language) -> str:
    """How many typos of other stems it takes until 75 % of the right forms are among five."""
    for size in NEEDED:
        found = language.learned(size)
        if found is None:
            break
        if np.mean([0 < place <= 5 for place in found.values()]) >= 0.75:
            return str(size)
    return "more"


TASKS: dict[str, Callable[[Language], Cells]] = {
    "folds": folds,
    "curve": curve,
    "machines": machines,
    "programs": programs,
}


def main(task: str, files: Sequence[str]) -> None:
    for number, file in enumerate(files):
        language = Language(Path(file))
        cells = {"language": language.name, **TASKS[task](language)}
        if not number:
            print(f"| {' | '.join(cells)} |\n|---|{'---|' * (len(cells) - 1)}")
        print(f"| {' | '.join(cells.values())} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
