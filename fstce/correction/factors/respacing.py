"""Words that are written as two, and two that are written as one: what may have been intended.

=====================  =========================================================
``al ways``            one known word: ``always``, or with a hyphen, ``well-known``
``alot``               two known words: ``a lot``
``dont``               a word and the end of a contraction, or one word with its
                       apostrophe, as the text has them: ``do n't``, ``don't``
=====================  =========================================================

An observed word that is known is taken apart only into words that the text has side by side.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any

from fstce.corpora.casing import capitalized, capitals, in_small_letters
from fstce.corpora.conventions import ENGLISH
from fstce.corpora.words import is_spelt

MOST = 4  # ways to take a word apart
LONGEST = 40
CAPITALS = 0.05  # of its times, at most, that a word with a capital stands without
SHARES = {1: 1e-3, 2: 2e-5}  # of the words of the text, that a half of so few letters must have
REMEMBERED = 100_000  # words
APOSTROPHES = "'’"

Words = tuple[str, ...]


def never(first: str, second: str) -> bool:
    """Whether words are side by side, where nothing is known of it."""
    return False


def written_in(words: Mapping[str, int], lower: str) -> str | None:
    """A list's form of a word in small letters: so, with a capital, in capitals, or none."""
    forms = (lower, capitalized(lower, "first"), lower.upper())
    return next((form for form in forms if form in words), None)


class Respacing:
    """The words that one, or two side by side, may be but for white space and apostrophes.

    ``text``, ``lexicon``: words with counts. ``side_by_side``: whether the text has two words next
    to each other, in any case. ``kept``: words that stay as they are, in any case.

    >>> text = {"a": 9, "lot": 2, "always": 3, "do": 4, "n't": 4}
    >>> respacing = Respacing(text, {}, lambda a, b: True)
    >>> respacing.apart("alot"), respacing.joined("Al", "ways"), respacing.apart("dont")
    ([('a', 'lot')], [('Always',)], [('do', "n't")])
    """

    def __init__(
        self,
        text: Mapping[str, int],
        lexicon: Mapping[str, int],
        side_by_side: Callable[[str, str], bool] = never,
        kept: Collection[str] = (),
    ) -> None:
        self._text = text
        self._lexicon = lexicon
        self._side_by_side = side_by_side
        self._protected = frozenset(word.lower() for word in kept)
        self.apart: Any = lru_cache(REMEMBERED)(self._apart)
        self.joined: Any = lru_cache(REMEMBERED)(self._joined)
        self._form = lru_cache(REMEMBERED)(self._usual_form)

    def _apart(self, observed: str) -> list[Words]:
        """One word with its apostrophe, or two, in the place of an observed one."""
        lower = observed.lower()
        is_spelt_in_one = is_spelt(observed) and "-" not in observed
        if not is_spelt_in_one or not 1 < len(observed) <= LONGEST or lower in self._protected:
            return []

        is_known = self._knows(lower)
        rows: list[Words] = [(word,) for word in self._with_apostrophes.get(lower, ())]
        rows += self._contractions(lower)
        rows += self._halves(lower, is_known)
        return [_recased(row, capitals(observed)) for row in dict.fromkeys(rows)]

    def _halves(self, lower: str, is_known: bool) -> list[tuple[str, str]]:
        """Two words that were written as one, the most frequent first."""
        pairs = [(lower[:i], lower[i:]) for i in range(1, len(lower))]
        pairs = [pair for pair in pairs if all(map(self._is_half, pair))]
        if is_known:
            pairs = [pair for pair in pairs if self._side_by_side(*pair)]
        pairs.sort(key=lambda pair: -self._count(pair[0]) * self._count(pair[1]))
        return [(self._best(a), self._best(b)) for a, b in pairs[:MOST]]

    def _contractions(self, lower: str) -> Iterator[tuple[str, str]]:
        """Words whose apostrophe was left out, taken apart."""
        for piece, letters in self._endings:
            first = lower.removesuffix(letters)
            if first not in ("", lower) and self._side_by_side(first, piece):
                yield self._best(first), piece

    def _joined(self, first: str, second: str) -> list[Words]:
        """One word in the place of two observed ones; none of most."""
        lower = (first + second).lower()
        hyphened = f"{first}-{second}".lower()
        forms = [lower] if self._knows(lower) else []
        if hyphened in self._of_text:
            forms.append(hyphened)
        if not forms or len(lower) > LONGEST or not (is_spelt(first) and is_spelt(second)):
            return []
        if self._protected.intersection((first.lower(), second.lower())):
            return []

        case = capitals(first)
        is_initial = len(first) == 1 and second.isupper()
        if capitals(second) and case != "upper" and not is_initial:
            return []  # a name begins, or a sentence
        if second.isupper() and len(second) > 1:
            case = "upper"
        return [_recased((self._best(form),), case) for form in forms]

    def _is_half(self, lower: str) -> bool:
        share = SHARES.get(len(lower))
        if share is not None and self._of_text.get(lower, 0) < max(share * self._total, 1):
            return False
        return self._knows(lower) and is_spelt(lower)

    def _count(self, lower: str) -> int:
        return self._of_text.get(lower, 0) + self._lexicon.get(lower, 0) + 1

    @cached_property
    def _total(self) -> int:
        return sum(self._text.values())

    @cached_property
    def _of_text(self) -> Counter[str]:
        """The counts of the text's words in small letters."""
        return in_small_letters(self._text)

    def _knows(self, lower: str) -> bool:
        """Whether text or lexicon has a word, in any case."""
        return self._form(lower) is not None

    def _best(self, lower: str) -> str:
        """A word as it is written within a sentence: with capitals if always so."""
        return self._form(lower) or lower

    def _usual_form(self, lower: str) -> str | None:
        return self._as_written.get(lower) or written_in(self._lexicon, lower)

    @cached_property
    def _as_written(self) -> dict[str, str]:
        """The usual form of the text's words, by their small letters."""
        best: dict[str, tuple[float, str]] = {}
        for word, count in self._text.items():
            lower = word.lower()
            worth = count / CAPITALS if word == lower else float(count)
            if worth > best.get(lower, (0.0, ""))[0]:
                best[lower] = worth, word
        return {lower: word for lower, (_, word) in best.items()}

    @cached_property
    def _endings(self) -> list[tuple[str, str]]:
        """The text's words that end others by an apostrophe, with their letters."""
        pieces = {word for word in self._of_text if is_piece(word) or word[0] in APOSTROPHES}
        return [(piece, _letters(piece)) for piece in sorted(pieces) if _letters(piece)]

    @cached_property
    def _with_apostrophes(self) -> dict[str, list[str]]:
        """Words with an apostrophe inside, as the text has them, by their letters."""
        ends = {piece for piece, _ in self._endings}
        words_of_letters: dict[str, list[str]] = defaultdict(list)
        for word in self._of_text.keys() - ends:
            letters = _letters(word)
            is_inside = word.strip(APOSTROPHES) == word != letters
            if is_inside and letters.isalpha() and not self._knows(letters):
                words_of_letters[letters].append(self._best(word))
        return dict(words_of_letters)


def written(words: Iterable[str]) -> str:
    """Words with white space between them, but for the pieces of contractions.

    >>> written(["do", "n't"]), written(["a", "lot"]), written(["l'", "homme"])
    ("don't", 'a lot', "l'homme")
    """
    text = ""
    for word in words:
        if text and not is_piece(word) and text[-1] not in APOSTROPHES:
            text += " "
        text += word
    return text


def is_piece(word: str) -> bool:
    """Whether a token is the end of a contraction, which no white space separates from its word.

    >>> [is_piece(word) for word in ("n't", "’s", "'S", "'", "cat")]
    [True, True, True, False, False]
    """
    plain = word.lower().replace("’", "'")
    return plain in ENGLISH.endings or (plain[:1] == "'" and plain[1:].isalpha())


def _letters(word: str) -> str:
    return "".join(c for c in word if c not in APOSTROPHES)


def _recased(words: Words, case: str) -> Words:
    if case == "upper":
        return tuple(word.upper() for word in words)
    return (capitalized(words[0], case), *words[1:])
