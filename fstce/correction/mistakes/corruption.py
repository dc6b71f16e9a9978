"""Synthetic errors: clean sentences in, mistyped ones out, the same for the same seed.

==================  ==================================================================
``random_edits``    a letter inserted, deleted, substituted, or two transposed
``real_words``      real-word errors: a word taken for another word
``respaced``        a word written as two, two as one, a contraction without its apostrophe
``drop_accents``    accents left out
``drop_marks``      punctuation left out
==================  ==================================================================

:func:`corrupted` makes any of them. Each sentence draws from a generator of its own, seeded by
the seed and its place, so a part of a corpus is corrupted in the same way as the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from random import Random
from string import ascii_lowercase
from typing import NamedTuple

from fstce.corpora.casing import capitalized, capitals, has_accents, without_accents
from fstce.corpora.tables import bundled_rows
from fstce.corpora.words import checked_rows
from fstce.correction.factors.respacing import APOSTROPHES, is_piece
from fstce.numeric.types import Sentences
from fstce.parameters.rules import SEED, SHARE

Pair = tuple[str | None, str | None]
# A sentence, what is drawn from, and the rate of mistakes; gives the true and the observed words.
Mistake = Callable[[Sequence[str], Random, float], Iterable[Pair]]

RATE = 0.1
SHORTEST = 4  # letters of a word that is mistyped
FURTHER = 0.25


class Corruption(NamedTuple):
    """A sentence and what is observed for it.

    ``pairs``: true and observed words side by side, None where one has no counterpart.
    """

    pairs: tuple[Pair, ...]

    @property
    def true(self) -> list[str]:
        """The sentence."""
        return [true for true, _ in self.pairs if true is not None]

    @property
    def observed(self) -> list[str]:
        """The observed words; there may be none where all was punctuation."""
        return [observed for _, observed in self.pairs if observed is not None]


def corrupted(
    sentences: Sentences, mistake: Mistake, seed: int = 0, rate: float = RATE
) -> list[Corruption]:
    """The sentences with mistakes of a kind.

    ``rate``: the probability of a mistake wherever the kind can make one.

    >>> [found] = corrupted([["what", "a", "delicate", "thing"]], random_edits(), seed=1, rate=1.0)
    >>> sum(true != observed for true, observed in found.pairs)
    3
    """
    SEED.check(seed=seed)
    SHARE.check(rate=rate)
    rows = ((row, Random(f"{seed}:{i}")) for i, row in enumerate(checked_rows(sentences)))
    return [Corruption(tuple(mistake(sentence, random, rate))) for sentence, random in rows]


def random_edits(k: int = 1) -> Mistake:
    """One random edit in words of four letters and more; each kind equally often.

    ``k``: the most edits of a word; each but the first is made with probability ¼. Letters are
    those from a to z.
    """

    def edited(word: str, random: Random) -> str:
        word = random_edit(word, random)
        for _ in range(k - 1):
            if random.random() < FURTHER:
                word = random_edit(word, random)
        return word

    return misspelt(edited)


def real_words(substitutes: Mapping[str, Sequence[str]]) -> Mistake:
    """Words that can be taken for another are.

    ``substitutes``: what each word may be replaced by, such as :func:`confusables`; a word with
    capitals that has none by what it may be in small letters.

    >>> corrupted([["over", "There"]], real_words(confusables()), rate=1.0)[0].observed
    ['over', 'Their']
    """

    def pairs(sentence: Sequence[str], random: Random, rate: float) -> Iterator[Pair]:
        for word in sentence:
            candidates = substitutes.get(word)
            if candidates is None:
                case = capitals(word)
                candidates = [capitalized(row, case) for row in substitutes.get(word.lower(), ())]
            is_mistaken = random.random() < rate and bool(candidates)
            yield word, random.choice(candidates) if is_mistaken else word

    return pairs


def respaced(rarer: float = 1.0) -> Mistake:
    """Words written as two or with the next, contractions without their apostrophe.

    ``rarer``: by what the rate is multiplied where it is no contraction.

    >>> [row.observed for row in corrupted([["they", "do", "n't"]], respaced(), seed=3, rate=1.0)]
    [['th', 'ey', 'dont']]
    """

    def pairs(sentence: Sequence[str], random: Random, rate: float) -> Iterator[Pair]:
        i = 0
        while i < len(sentence):
            word = sentence[i]
            after = "".join(sentence[i + 1 : i + 2])
            is_contracted = is_piece(after) or any(c in APOSTROPHES for c in word)
            chance = rate if is_contracted else rarer * rate
            row: list[Pair] = [(word, word)]
            if random.random() < chance:
                row = _respaced(word, after, random)
            yield from row
            i += sum(true is not None for true, _ in row)

    return pairs


def _respaced(word: str, after: str, random: Random) -> list[Pair]:
    """The word mistyped with the next, if that ends a contraction; else in either way."""
    letters = _without_apostrophes(word)
    if letters != word:
        is_word = letters.isalpha() and not is_piece(word)
        return [(word, letters if is_word else word)]
    if not word.isalpha():
        return [(word, word)]
    if is_piece(after):
        return [(word, word + _without_apostrophes(after)), (after, None)]

    may_join = after.isalpha() and not after[0].isupper()
    if may_join and (len(word) < 2 or random.random() < 0.5):
        return [(word, word + after), (after, None)]
    if len(word) < 2:
        return [(word, word)]
    cut = random.randrange(1, len(word))
    return [(word, word[:cut]), (None, word[cut:])]


def _without_apostrophes(word: str) -> str:
    return "".join(c for c in word if c not in APOSTROPHES)


def drop_accents() -> Mistake:
    """Words with accents written without.

    >>> corrupted([["la", "fête"]], drop_accents(), rate=1.0)[0].observed
    ['la', 'fete']
    """
    return _each_word(has_accents, lambda word, _: "".join(map(without_accents, word)))


def drop_marks(marks: Sequence[str]) -> Mistake:
    """These marks left out.

    >>> corrupted([["yes", ",", "no"]], drop_marks([","]), rate=1.0)[0].pairs
    (('yes', 'yes'), (',', None), ('no', 'no'))
    """
    return _each_word(lambda word: word in marks, lambda word, _: None)


def random_edit(word: str, random: Random) -> str:
    """The word with one letter inserted, deleted, substituted, or two adjacent ones transposed.

    A transposition is of unequal letters, where there are any; the word always changes.
    """
    kind = random.choice(("insertion", "deletion", "substitution", "transposition"))
    unequal = [i for i in range(len(word) - 1) if word[i] != word[i + 1]]
    if kind == "transposition" and unequal:
        i = random.choice(unequal)
        return f"{word[:i]}{word[i + 1]}{word[i]}{word[i + 2 :]}"
    if kind == "deletion" and len(word) > 1:
        i = random.randrange(len(word))
        return word[:i] + word[i + 1 :]
    if kind == "insertion":
        i = random.randrange(len(word) + 1)
        return word[:i] + random.choice(ascii_lowercase) + word[i:]
    i = random.randrange(len(word))
    return replaced(word, i, random.choice([c for c in ascii_lowercase if c != word[i].lower()]))


@cache
def confusables() -> dict[str, tuple[str, ...]]:
    """English words and what they are taken for, from ``grammars/confusables.tsv``.

    >>> confusables()["through"]
    ('though', 'thorough', 'threw')
    """
    table: dict[str, dict[str, None]] = {}
    for (group,) in bundled_rows("confusables.tsv"):
        words = group.split()
        for word in words:
            candidates = [candidate for candidate in words if candidate != word]
            table.setdefault(word, {}).update(dict.fromkeys(candidates))
    return {word: tuple(candidates) for word, candidates in table.items()}


def misspelt(edit: Callable[[str, Random], str]) -> Mistake:
    """An edit of some of the words of four letters and more."""
    return _each_word(lambda word: len(word) >= SHORTEST and word.isalpha(), edit)


def _each_word(may: Callable[[str], bool], change: Callable[[str, Random], str | None]) -> Mistake:
    """Some of the words that may be mistyped changed, each by itself."""

    def pairs(sentence: Sequence[str], random: Random, rate: float) -> Iterator[Pair]:
        for word in sentence:
            is_mistaken = may(word) and random.random() < rate
            yield word, change(word, random) if is_mistaken else word

    return pairs


def replaced(word: str, i: int, letter: str) -> str:
    """The word with another letter at a place, a capital where one was."""
    return word[:i] + (letter.upper() if word[i].isupper() else letter) + word[i + 1 :]
