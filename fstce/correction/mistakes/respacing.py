"""Words that are written as two, and two that are written as one: what may have been intended.

=====================  =========================================================
``al ways``            one known word: ``always``, or with a hyphen, ``well-known``
``alot``               two known words: ``a lot``
``dont``               a word and the end of a contraction, or one word with its
                       apostrophe, as the text has them: ``do n't``, ``don't``
``thec at``            two words whose white space is misplaced: ``the cat``
=====================  =========================================================

An observed word that is known is taken apart only into words that the text has side by side.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from fstce.corpora.casing import capitalized, capitals, in_small_letters
from fstce.corpora.conventions import ENGLISH
from fstce.corpora.words import is_spelt
from fstce.correction.mistakes.wordlist import written_in

MOST = 4  # ways to take a word apart
LONGEST = 40
RARER = 20  # so much rarer in a lexicon is what may be a contraction that the text has not
CAPITALS = 0.05  # of its times, at most, that a word with a capital stands without
SHARES = {1: 1e-3, 2: 2e-5}  # of the words of the text, that a half of so few letters must have
REMEMBERED = 100_000  # words
APOSTROPHES = "'’"
# English words by the piece that they are contracted with; one letter ends too many words.
_NEGATED = (
    *("is", "are", "was", "were", "do", "does", "did", "has", "have", "had"),
    *("ca", "wo", "must", "need"),
)
_MODALS = ("would", "could", "should")
CONTRACTED = {
    "n't": (*_NEGATED, *_MODALS),
    "'re": ("you", "we", "they"),
    "'ve": ("i", "you", "we", "they", *_MODALS),
    "'ll": ("i", "you", "he", "she", "it", "we", "they"),
}


Words = tuple[str, ...]


def never(first: str, second: str) -> bool:
    """Whether words are side by side, where nothing is known of it."""
    return False


class Respacing:
    """The words that one, or two side by side, may be but for white space and apostrophes.

    ``text``, ``lexicon``: words with counts. ``side_by_side``: whether the text has two words next
    to each other, in any case. ``kept``: words that stay as they are, in any case.

    >>> text = {"a": 9, "lot": 2, "always": 3, "do": 4, "n't": 4}
    >>> respacing = Respacing(text, {}, lambda a, b: True)
    >>> respacing.of(["alot"]), respacing.of(["Al", "ways"]), respacing.of(["dont"])
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
        self._respelt = lru_cache(REMEMBERED)(self._of)
        self._knows = lru_cache(REMEMBERED)(self._has)

    def may_be_one(self, first: str, second: str) -> bool:
        """Whether two words may be respelt together: quickly, and seldom where they are not.

        Most words that stand side by side are known, and their letters together are no word.
        """
        a, b = first.lower(), second.lower()
        if not self._knows(a) or not self._knows(b):
            return True
        return self._knows(a + b) or f"{a}-{b}" in self._of_text

    def of(self, observed: Sequence[str]) -> list[Words]:
        """The rewrites of one observed word, or two that stand side by side; none of most."""
        return self._respelt(tuple(observed))

    def _of(self, observed: Words) -> list[Words]:
        if any(word.lower() in self._protected for word in observed):
            return []
        if len(observed) == 1:
            return self._taken_apart(*observed)
        return self._joined(*observed)

    def _taken_apart(self, observed: str) -> list[Words]:
        if not is_spelt(observed) or "-" in observed or not 1 < len(observed) <= LONGEST:
            return []
        lower = observed.lower()
        is_known = self._knows(lower)
        rows: list[Words] = [(word,) for word in self._with_apostrophes.get(lower, ())]
        rows += self._contractions(lower, is_known)
        rows += self._halves(lower, is_known)
        return [_recased(row, capitals(observed)) for row in dict.fromkeys(rows)]

    def _halves(self, lower: str, is_known: bool) -> list[tuple[str, str]]:
        """Two words that were written as one, the most frequent first."""
        pairs = [(lower[:i], lower[i:]) for i in range(1, len(lower))]
        pairs = [pair for pair in pairs if all(map(self._knows, pair))]
        pairs = [pair for pair in pairs if all(map(self._is_half, pair))]
        if is_known:
            pairs = [pair for pair in pairs if self._side_by_side(*pair)]
        pairs.sort(key=lambda pair: -self._count(pair[0]) * self._count(pair[1]))
        return [(self._best(a), self._best(b)) for a, b in pairs[:MOST]]

    def _contractions(self, lower: str, is_known: bool) -> Iterator[tuple[str, str]]:
        """Words whose apostrophe was left out, taken apart."""
        endings, beginnings = self._pieces
        for piece, letters in endings:
            first = lower.removesuffix(letters)
            if first in ("", lower):
                continue
            is_seen = self._is_listed(lower, first + piece) or self._side_by_side(first, piece)
            # Pieces that the text has may end words that it does not have them with.
            is_usual = piece in self._of_text and first in CONTRACTED.get(piece, ())
            if is_seen or (is_usual and not is_known):
                yield self._best(first), piece

        for piece, letters in beginnings:
            second = lower.removeprefix(letters)
            if second == lower or not self._knows(second):
                continue
            if not is_known or self._side_by_side(piece, second):
                yield piece, self._best(second)

    def _is_listed(self, observed: str, contraction: str) -> bool:
        """Whether the lexicon alone has a contraction, and what was observed hardly."""
        if not self._is_apart or contraction in self._of_text:
            return False
        return self._is_rarer(observed, contraction)

    def _is_rarer(self, observed: str, contraction: str) -> bool:
        times = self._lexicon.get(contraction, 0)
        if not times or observed in self._of_text:
            return False
        return RARER * self._lexicon.get(observed, 0) <= times

    def _joined(self, first: str, second: str) -> list[Words]:
        if not (is_spelt(first) and is_spelt(second)) or len(first) + len(second) > LONGEST:
            return []
        case = capitals(first)
        is_initial = len(first) == 1 and second.isupper()
        if capitals(second) and case != "upper" and not is_initial:
            return []  # a name begins, or a sentence
        if second.isupper() and len(second) > 1:
            case = "upper"

        a, b = first.lower(), second.lower()
        rows: list[Words] = []
        if self._knows(a + b):
            rows.append((self._best(a + b),))
        if f"{a}-{b}" in self._of_text:
            rows.append((self._best(f"{a}-{b}"),))
        if not (self._knows(a) and self._knows(b)):
            rows += [pair for pair in self._halves(a + b, False) if pair[0].lower() != a]
        return [_recased(row, case) for row in rows]

    def _is_half(self, lower: str) -> bool:
        share = SHARES.get(len(lower))
        if share is not None:
            return self._of_text.get(lower, 0) >= max(share * self._total, 1)
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

    def _has(self, lower: str) -> bool:
        """Whether text or lexicon has a word, in any case."""
        return lower in self._as_written or written_in(self._lexicon, lower) is not None

    def _best(self, lower: str) -> str:
        """A word as it is written within a sentence: with capitals if always so."""
        return self._as_written.get(lower) or written_in(self._lexicon, lower) or lower

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
    def _is_apart(self) -> bool:
        """Whether the ends of contractions are words of their own in the text."""
        counts = self._of_text.items()
        n_joined = sum(count for word, count in counts if word.endswith("n't") and word != "n't")
        return self._of_text.get("n't", 0) >= n_joined

    @cached_property
    def _pieces(self) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        """The text's words that end or begin others by an apostrophe, with their letters."""
        pieces = {end for end in ENGLISH.endings if end in self._of_text or self._lexicon}
        for word in self._text:
            if word[0] in APOSTROPHES or word[-1] in APOSTROPHES:
                pieces.add(word.lower())

        endings: list[tuple[str, str]] = []
        beginnings: list[tuple[str, str]] = []
        for piece in sorted(piece for piece in pieces if any(map(str.isalpha, piece))):
            rows = beginnings if piece[-1] in APOSTROPHES else endings
            rows.append((piece, _letters(piece)))
        return endings, beginnings

    @cached_property
    def _with_apostrophes(self) -> dict[str, list[str]]:
        """Words with an apostrophe inside, as the text has them, by their letters."""
        ends = {piece for piece, _ in self._pieces[0]}
        words = list(self._of_text)
        if not self._is_apart:
            words += self._lexicon

        words_of_letters: dict[str, list[str]] = defaultdict(list)
        for word in words:
            letters = _letters(word)
            is_inside = word.strip(APOSTROPHES) == word and word not in ends
            if letters == word or not is_inside or not letters.isalpha():
                continue
            is_new = word in self._of_text and not self._knows(letters)
            if is_new or self._is_rarer(letters, word):
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
