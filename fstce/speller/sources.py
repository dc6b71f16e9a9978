"""A speller in text files that people keep by hand: hunspell's two, GiellaLT's error models.

Of hunspell's suggestions the order of the tables decides: REP, strings that are observed for
others, the cheapest first; then MAP, letters that are taken for each other either way; TRY are
letters by frequency.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, combinations, permutations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fstce.corpora.words import is_fit
from fstce.errors import ParameterError
from fstce.speller.error_model import ErrorModel
from fstce.speller.features import INSIDE, KINDS
from fstce.speller.speller import Speller
from fstce.storage.atomic import read_bytes, together, write_whole

REPLACEMENTS = 400  # at most, of REP
MARK = "# Written by fstce speller export."
SCALE = 10  # of GiellaLT's weights: an edit of unlike letters


class Learned(NamedTuple):
    """The cost inside words, in nats, of letters observed for letters intended."""

    cost: float
    observed: str
    intended: str


def learned_edits(model: ErrorModel) -> list[Learned]:
    """Edits of letters and strings that typos made cheaper, the cheapest first."""
    costs = {(row.observed, row.intended): row.costs[INSIDE] for row in model.strings}
    names = [name for name, weight in model.weights.items() if weight < 0 and ">" in name]
    edits = set()
    for name in names:
        *kind, pair = name.removesuffix(" begin").removesuffix(" end").split(" ")
        observed, intended = pair.split(">", 1) if pair.count(">") == 1 else ("", "")
        cost = costs.get((observed, intended), np.inf)
        if not kind and (observed or intended):
            cost = min(cost, model.cost(observed, intended, INSIDE))
        if np.isfinite(cost):
            edits.add(Learned(round(float(cost), 4), observed, intended))
    return sorted(edits)


def hunspell_files(name: Path) -> tuple[Path, Path]:
    """The dictionary and the affixes of a name."""
    return name.with_name(f"{name.name}.dic"), name.with_name(f"{name.name}.aff")


def write_hunspell(speller: Speller, name: Path, tables: bool = True) -> int:
    """Write words and errors as ``.dic`` and ``.aff``; how many words are left out, being several.

    ``tables``: whether the ``.aff`` has REP, MAP and TRY.

    Raises
    ------
    ParameterError
        There are such files, and they are not of fstce.
    """
    dic, aff = hunspell_files(name)
    existing = [path for path in (dic, aff) if path.exists()]
    if existing and not (
        aff.exists() and read_bytes(aff, ParameterError).startswith(MARK.encode())
    ):
        raise ParameterError(f"{existing[0]}: is there and not of fstce; choose another name")

    counts = speller.lexicon_.counts()
    words = sorted(word for word in counts if is_fit(word))
    rules = _affixes(speller.errors_, counts) if tables else ()
    turkish = ("LANG tr",) if speller.lexicon_.cases.is_dotted else ()
    entries = (word.replace("/", "\\/") for word in words)
    with together():
        _write((MARK, "SET UTF-8", *turkish, *rules), aff)
        _write((len(words), *entries), dic)

    return len(counts) - len(words)


def _write(lines: Iterable[object], path: Path) -> None:
    write_whole(path, "".join(f"{line}\n" for line in lines), ParameterError)


def _affixes(model: ErrorModel, counts: dict[str, int]) -> Iterator[str]:
    letters = [letter for letter in model.letters if _is_simple(letter)]
    times = Counter[str]()
    for word, count in counts.items():
        for letter in word:
            times[letter] += count
    yield f"TRY {''.join(sorted(letters, key=lambda letter: -times[letter]))}"

    # Hunspell tries all of REP first: what costs more than other edits would stand before them.
    usual = min(model.weights.get(kind, np.inf) for kind in KINDS)
    strings = [edit for edit in learned_edits(model) if edit.observed and edit.intended]
    strings = [edit for edit in strings if edit.cost < usual]
    fit = [edit for edit in strings if all(map(_is_simple, edit.observed + edit.intended))]
    if fit:
        yield f"REP {len(fit[:REPLACEMENTS])}"
    yield from (f"REP {edit.observed} {edit.intended}" for edit in fit[:REPLACEMENTS])

    pairs = [
        a + b
        for a, b in combinations(letters, 2)
        if a.islower() == b.islower() and _are_alike(model, a, b)
    ]
    if pairs:
        yield f"MAP {len(pairs)}"
    yield from (f"MAP {pair}" for pair in pairs)


def _is_simple(letter: str) -> bool:
    """Whether hunspell has a letter as one unit: of others it tries an end of the word."""
    return letter.isalpha() and len(letter.encode("utf-16-le")) == 2


def _are_alike(model: ErrorModel, a: str, b: str) -> bool:
    """Whether typos have shown each letter for the other."""
    weights = model.weights
    return max(weights.get(f"{a}>{b}", 0.0), weights.get(f"{b}>{a}", 0.0)) < 0


def write_editdist(model: ErrorModel, path: Path) -> None:
    """Write the costs inside words as GiellaLT's table: letters, then what costs not as usual."""
    _write(_editdist(model), path)


def _editdist(model: ErrorModel) -> Iterator[str]:
    names = [letter for letter in model.letters if not letter.isspace()]
    yield f"## Letters that are edited; an edit costs {SCALE} unless a line says otherwise."
    yield from names
    yield "@@"
    yield "## Observed, intended, weight; above each its cost in nats, as learned."

    letters = permutations(("", *names), 2)
    edits = ((a, b, f"{a or '@0@'}\t{b or '@0@'}") for a, b in letters)
    swaps = ((a + b, b + a, f"{a},{b}\t{b},{a}") for a, b in permutations(names, 2))
    for observed, intended, columns in chain(edits, swaps):
        cost = model.cost(observed, intended, INSIDE)
        if _weight(model, cost) != SCALE:
            yield f"## {cost:.4f}"
            yield f"{columns}\t{_weight(model, cost)}"


def write_strings(model: ErrorModel, path: Path) -> None:
    """Write the edits of strings as GiellaLT's text, or where the suffix says so as a regex."""
    edits = [edit for edit in learned_edits(model) if len(edit.observed + edit.intended) > 2]

    if path.suffix == ".regex":
        lines = [f"# {edit.cost:.4f} nats\n{_rule(model, edit)}" for edit in edits]
        text = "[\n" + " |\n".join(lines or ["0"]) + "\n] ;\n"
    else:
        text = "".join(
            f"## {edit.cost:.4f}\n{edit.observed}:{edit.intended}\t{_weight(model, edit.cost)}\n"
            for edit in edits
        )
    write_whole(path, text, ParameterError)


def _rule(model: ErrorModel, edit: Learned) -> str:
    observed, intended = (f"{{{side}}}" for side in edit[1:])
    return f"[ {observed} .x. {intended} ]::{_weight(model, edit.cost)}".replace("{}", "0")


def _weight(model: ErrorModel, cost: float) -> int:
    return max(round(SCALE * cost / max(model.weights.get("substitution", 0.0), 1.0)), 1)
