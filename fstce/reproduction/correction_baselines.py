"""What a corrector must beat: nothing at all, frequency alone, and what many use.

Each has ``correct(sentence)``, from words to as many words. All leave known words alone, and all give back
the capitals of what was typed.
"""

from __future__ import annotations

import importlib
import importlib.resources
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any

from fstce.correction.mistakes.candidates import Candidates
from fstce.correction.mistakes.casing import capitalized, capitals
from fstce.errors import MissingToolError


class Baseline:
    """What corrects a sentence word by word; each word of letters is asked for once, in small letters."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def correct(self, sentence: Sequence[str]) -> list[str]:
        """As many words as the sentence has."""
        return [self._remembered(word) for word in sentence]

    def _remembered(self, word: str) -> str:
        if not word.isalpha():
            return word
        if word not in self._known:
            best = self._correction(word.lower())
            same = best in (None, word.lower())
            self._known[word] = word if same else capitalized(str(best), capitals(word))
        return self._known[word]

    def _correction(self, word: str) -> str | None:
        """Another word for one, or itself, or None."""
        return None


class LeaveAlone(Baseline):
    """Correct nothing."""


class MostFrequent(Baseline):
    """An unknown word becomes its nearest candidate, of equally near ones the most frequent.

    >>> MostFrequent(Candidates({"the": 9, "tea": 2, "sat": 1})).correct(["te", "tea", "sit", "xxx"])
    ['the', 'tea', 'sat', 'xxx']
    """

    def __init__(self, candidates: Candidates) -> None:
        self.candidates = candidates

    def correct(self, sentence: Sequence[str]) -> list[str]:
        """The sentence with unknown words replaced."""
        found = self.candidates.of(sentence)
        return [self._best(found[word]) for word in sentence]

    def _best(self, found: Sequence[tuple[str, float, int]]) -> str:
        itself, *others = found
        if itself[2] or not others:
            return itself[0]
        return min(others, key=lambda row: (row[1], -row[2], row[0]))[0]


class PySpellChecker(Baseline):
    """The package ``pyspellchecker``, with a vocabulary of one's own or its own English one.

    ``vocabulary``: counts of words; by default the package's.
    """

    def __init__(self, vocabulary: Mapping[str, int] | None = None, distance: int = 1) -> None:
        package = _package("spellchecker", "pyspellchecker")
        self._checker = package.SpellChecker(language=None if vocabulary else "en", distance=distance)
        if vocabulary:
            self._checker.word_frequency.load_json(_lowered(vocabulary))
        super().__init__()

    def _correction(self, word: str) -> str | None:
        return None if self._checker.known([word]) else self._checker.correction(word)


class SymSpell(Baseline):
    """The package ``symspellpy``, its closest and most frequent suggestion.

    ``vocabulary``: counts of words; by default the package's own English ones. ``distance``: the greatest
    number of edits; a transposition is one.
    """

    def __init__(self, vocabulary: Mapping[str, int] | None = None, distance: int = 1) -> None:
        package = _package("symspellpy", "symspellpy")
        self._checker = package.SymSpell(max_dictionary_edit_distance=distance)
        for word, count in _lowered(vocabulary or {}).items():
            self._checker.create_dictionary_entry(word, count)
        if vocabulary is None:
            own = importlib.resources.files("symspellpy") / "frequency_dictionary_en_82_765.txt"
            self._checker.load_dictionary(str(own), 0, 1)
        self._verbosity = package.Verbosity.TOP
        self._distance = distance
        super().__init__()

    def _correction(self, word: str) -> str | None:
        found = self._checker.lookup(word, self._verbosity, max_edit_distance=self._distance)
        return found[0].term if found else None


class Ispell(Baseline):
    """``hunspell`` or ``aspell`` by the protocol of ispell, its first suggestion."""

    def __init__(self, program: str, options: Sequence[str] = ("-d", "en_US")) -> None:
        if shutil.which(program) is None:
            raise MissingToolError(f"{program} is not installed; install it, with its English dictionary")
        self._command = [program, "-a", *options]
        super().__init__()
        self._ask(["the"])

    def correct(self, sentence: Sequence[str]) -> list[str]:
        """The sentence with words unknown to the program replaced by its first suggestion."""
        return self.correct_all([sentence])[0]

    def correct_all(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """The same of many sentences, with all words asked at once."""
        words = dict.fromkeys(word for row in sentences for word in row if word.isalpha())
        new = [word for word in words if word not in self._known]
        self._known.update(zip(new, self._ask(new), strict=True) if new else ())
        return [[self._known.get(word, word) for word in row] for row in sentences]

    def _ask(self, words: Sequence[str]) -> list[str]:
        """The program's word for each word: itself, or its first suggestion."""
        text = "".join(f"^{word}\n" for word in words)  # ^ keeps a line from being a command
        done = subprocess.run(self._command, input=text, capture_output=True, encoding="utf-8", check=False)
        # Behind the line with the version an answer a word, ended by a blank line; it may be nothing else.
        answers: list[str] = [""]
        for line in done.stdout.split("\n")[1:]:
            if line:
                answers[-1] = answers[-1] or line
            else:
                answers.append("")
        if done.returncode or len(answers) <= len(words):
            raise MissingToolError(f"{' '.join(self._command)} failed: {done.stderr.strip()[:200]}")
        return [_first(answer) or word for word, answer in zip(words, answers, strict=False)]


def _first(answer: str) -> str:
    """The first suggestion of an answer such as ``& teh 2 0: the, ten``; nothing where there is none."""
    _, colon, suggestions = answer.partition(": ")
    return suggestions.split(", ")[0].strip() if answer.startswith("&") and colon else ""


def _lowered(vocabulary: Mapping[str, int]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word, count in vocabulary.items():
        counts[word.lower()] = counts.get(word.lower(), 0) + count
    return counts


def _package(name: str, distribution: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingToolError(
            f"{distribution} is not installed; install it with: python -m pip install {distribution}"
        ) from None
