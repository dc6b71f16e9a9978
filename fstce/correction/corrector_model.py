"""The model of a corrector but for its exponents: vocabulary, n-grams, spelling, tagger."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from fstce.corpora.casing import in_small_letters, plain
from fstce.corpora.dictionary import TagDictionary
from fstce.corpora.words import is_spelt
from fstce.correction.factors.columns import Factors
from fstce.correction.factors.ngrams import NgramModel
from fstce.correction.factors.respacing import Respacing, is_piece, never, written_in
from fstce.correction.factors.spelled import SpellingModel
from fstce.speller.wordlist import WordList
from fstce.tagging.tagger import Tagger

Dictionary = TagDictionary | Mapping[str, Any]

RARE = "<rare>"
# Share of the lexicon that is language, not what people mistype; a list counts each word once.
COMMON = 1e-6
ENOUGH = 100  # unknown words, to learn from them alone how such are spelt


@dataclass(frozen=True)
class CorrectorModel:
    """All that scores a (sentence, structure) pair.

    ``vocabulary``, ``lexicon``: the words of the text and those of the user, with counts.
    ``unreliable``: words of the text that count as unknown, with counts; see
    :mod:`fstce.correction.corrector_model`.
    """

    vocabulary: dict[str, int]
    lexicon: WordList
    tagger: Tagger | None
    ngrams: NgramModel | None
    spelling: SpellingModel
    unreliable: dict[str, int] = field(default_factory=dict)
    user_words: dict[str, int] = field(default_factory=dict)

    def with_words(self, words: Iterable[str]) -> CorrectorModel:
        """The model with more words in the lexicon, each one word of a hundred thousand."""
        return replace(self, user_words=dict.fromkeys(words, max(self.lexicon.total // 100_000, 1)))

    def known(self, word: str) -> bool:
        """Whether text or lexicon has a word, in any case or without accents, or its parts."""
        if self._is_known(word):
            return True
        parts = word.split("-")
        return len(parts) > 1 and all(map(self._is_known, parts))

    def _is_known(self, word: str) -> bool:
        return self._stems.have(word) or is_piece(word)

    def is_common(self, word: str) -> bool:
        """Whether the lexicon has a word so often that it is hardly a mistake, or it is a letter.

        Of one letter an edit leaves nothing.
        """
        return len(word) == 1 or (self._listed(word) or 0) >= max(COMMON * self._counted, 2)

    @cached_property
    def factors(self) -> Factors:
        """The factors of a path's score."""
        weighted = None if self.tagger is None else self.tagger.weighted_
        of_words = self.known, self._log_share, self.is_common, self._log_capitals
        return Factors(weighted, self.ngrams, self.spelling, *of_words)

    def respacing(self, kept: Collection[str] = ()) -> Respacing:
        """The rewrites of split and joined words, but for words that stay."""
        adjacent = never if self.ngrams is None else self.ngrams.side_by_side
        return Respacing({**self.user_words, **self.vocabulary}, self.lexicon, adjacent, kept)

    def _listed(self, word: str) -> int | None:
        """The lexicon's count of a word, in lower case where it has it so only."""
        added = self.user_words.get(word) if self.user_words else None
        return self.lexicon.get(word, self.lexicon.get(word.lower(), added))

    @cached_property
    def _stems(self) -> KnownWords:
        return KnownWords([*self.vocabulary, *self.user_words], self.lexicon)

    @cached_property
    def _counted(self) -> int:
        """One more than the words that the lexicon has counted, which may be of many."""
        return self.lexicon.total + sum(self.user_words.values()) + 1

    @cached_property
    def _uses(self) -> Counter[str]:
        """How often the text has each word, in any capitals."""
        return in_small_letters(self.vocabulary)

    @cached_property
    def _in_capitals(self) -> float | None:
        """The share of the words in capitals among those that the text has in small letters, too.

        None where none of these is in capitals, which then say nothing.
        """
        times = times_upper = 0
        for word, count in self.vocabulary.items():
            if len(word) > 1 and word.isalpha() and word.lower() in self.vocabulary:
                times += count
                times_upper += count if word.isupper() else 0
        return (times_upper + 0.5) / (times + 1.0) if times_upper else None

    def _log_capitals(self, word: str) -> float:
        """The log of the share of capitals in a word's uses, and in one more as of all words."""
        if self._in_capitals is None:
            return 0.0
        lower = word.lower()
        listed = 0
        if lower not in self.lexicon:  # then it is so in any text
            listed = self.lexicon.get(word, 0)
        times = self.vocabulary.get(word, 0) + listed + self._in_capitals
        return math.log(times / (self._uses[lower] + listed + 1.0))

    def _log_share(self, word: str) -> float:
        """The log of a word's share in the lexicon; 0 if the text has it, or the lexicon not."""
        count = self._listed(word)
        # The text has it in whatever capitals, as the n-grams know it.
        if count is None or word.lower() in self._uses:
            return 0.0
        return math.log((count + 1) / self._counted)


class KnownWords:
    """The words of a text and a lexicon, of which unknown ones may be made, in small letters."""

    def __init__(self, vocabulary: Iterable[str], lexicon: WordList) -> None:
        self._text = frozenset(word.lower() for word in vocabulary)
        self._lexicon = lexicon

    def __contains__(self, lower: object) -> bool:
        return lower in self._text or written_in(self._lexicon, str(lower)) is not None

    def __len__(self) -> int:
        return len(self._text) + len(self._lexicon)

    def have(self, word: str) -> bool:
        """Whether they have a word in any case, perhaps without its accents."""
        return any(form in self for form in {word.lower(), plain(word)})


def spelling_of(
    vocabulary: Mapping[str, int], unreliable: Mapping[str, int], lexicon: WordList
) -> SpellingModel:
    """How unknown words are spelt: as those of the text that count as unknown, if they are many."""
    spelt = unreliable if len(unreliable) >= ENOUGH else vocabulary
    return SpellingModel(spelt, KnownWords(vocabulary, lexicon))


def own_tags(vocabulary: Mapping[str, int], rare: int) -> Dictionary:
    """A dictionary in which each word that is not rare is its own tag."""
    often = [word for word, count in vocabulary.items() if count > rare]
    return TagDictionary({w: w for w in often}, tagset=[*often, RARE], open_class=[RARE])


SELDOM = 3  # times
COVERED = 0.8


def unreliable_words(counts: Mapping[str, int], listed: Callable[[str], bool]) -> set[str]:
    """The words of a text that are taken for unknown ones: mistakes that would be known for ever.

    A word that the text has once, and the lexicon has not, is no evidence of a word, unless the
    lexicon lacks more than a fifth of the words that the text has often.

    ``counts``: the words of the text and how often it has them. ``listed``: whether the lexicon has
    a word, in any case.
    """
    spelt = [word for word in counts if is_spelt(word)]
    common = [word for word in spelt if counts[word] > SELDOM]
    if sum(map(listed, common)) < COVERED * len(common):
        return set()
    return {word for word in spelt if counts[word] == 1 and not listed(word)}
