"""The rivals of a corrector: nothing at all, frequency alone, and what many use.

Each is a function from sentences, as lists of words, to the same with as many words. All leave
known words alone, and all give back the capitals of what was observed.
"""

from __future__ import annotations

import importlib.resources
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from fstce.corpora.casing import capitalized, capitals
from fstce.correction.mistakes.candidates import Candidates
from fstce.errors import optional

Row = list[str]
Baseline = Callable[[Sequence[Row]], list[Row]]
_MISSING = " is not installed; install it with: python -m pip install"


def left_alone(rows: Sequence[Row]) -> list[Row]:
    """Correct nothing."""
    return list(rows)


def most_frequent(candidates: Candidates) -> Baseline:
    """An unknown word becomes its nearest candidate, of equally near ones the most frequent."""

    def best(itself: tuple[str, float, int], *others: tuple[str, float, int]) -> str:
        if itself[2] or not others:
            return itself[0]
        return min(others, key=lambda row: (row[1], -row[2], row[0]))[0]

    def correct(rows: Sequence[Row]) -> list[Row]:
        corrected = []
        for row in rows:
            candidates_of_word = candidates.of(row)
            corrected.append([best(*candidates_of_word[word]) for word in row])
        return corrected

    return correct


def _by_word(correction: Callable[[str], str | None]) -> Baseline:
    """A word of letters is asked for once, in small letters: another word, itself, or None."""

    @cache
    def corrected(word: str) -> str:
        best = correction(word.lower()) if word.isalpha() else None
        if best in (None, word.lower()):
            return word
        return capitalized(str(best), capitals(word))

    return lambda rows: [list(map(corrected, row)) for row in rows]


def pyspellchecker(vocabulary: Mapping[str, int] | None = None) -> Baseline:
    """The package with these counts of words or its own; within one edit, as two take seconds a
    word.
    """
    make = optional("spellchecker", f"pyspellchecker{_MISSING} pyspellchecker", "SpellChecker")
    checker = make(language=None if vocabulary else "en", distance=1)
    if vocabulary:
        checker.word_frequency.load_json(_lowered(vocabulary))
    return _by_word(lambda word: None if checker.known([word]) else checker.correction(word))


def symspellpy(vocabulary: Mapping[str, int] | None = None, distance: int = 1) -> Baseline:
    """The package's closest and most frequent suggestion; a transposition is one edit.

    ``vocabulary``: counts of words; by default the package's own English ones.
    """
    package = optional("symspellpy", f"symspellpy{_MISSING} symspellpy")
    checker = package.SymSpell(max_dictionary_edit_distance=distance)
    for word, count in _lowered(vocabulary or {}).items():
        checker.create_dictionary_entry(word, count)
    if vocabulary is None:
        counts = importlib.resources.files("symspellpy") / "frequency_dictionary_en_82_765.txt"
        checker.load_dictionary(str(counts), 0, 1)

    def correction(word: str) -> str | None:
        suggestions = checker.lookup(word, package.Verbosity.TOP, max_edit_distance=distance)
        return suggestions[0].term if suggestions else None

    return _by_word(correction)


def _lowered(vocabulary: Mapping[str, int]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for word, count in vocabulary.items():
        counts[word.lower()] += count
    return counts
