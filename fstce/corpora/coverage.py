"""How a tagging dictionary fits a text: what it lists of it, what it lacks, what is wrong with it.

A dictionary that people have was not made of the text. It may be written in capitals, name its
columns the other way round, or lack the closed classes, which a text is half made of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, combinations, islice

import regex

from fstce.corpora.conll import CLOSED_CLASSES, UPOS
from fstce.corpora.dictionary import TagDictionary
from fstce.corpora.words import in_known_forms
from fstce.errors import DictionaryError
from fstce.numeric.types import Sentences

LEAST = 0.02  # of the words, which a dictionary of the text's language lists
NOISE = 0.02  # of a word's tokens, which a slip of an annotator may be
HALF = 0.5  # of the words, less than which a dictionary is a poor one
MANY = 0.1  # of the words, about which something is said
ALIKE = 0.95  # of the words of two tags, which hardly anything tells apart where these have both
COMMONEST = 10
FEW = 3  # tags of one word alone, which may be slips or a header; more are a rich tagset's
_MARK = regex.compile(r"[\p{P}\p{S}]+")
_PUNCTUATION = regex.compile(r"[^\p{S}%&@#*§]+")
_NUMBER = regex.compile(r"\p{N}+(?:[.,:/\p{Pd}]\p{N}+)*%?")

# What tagsets call punctuation and numbers.
_MARKS = ("PUNCT", "PUNC", "Punct", "punct", "Punc", "interp")
_NUMBERS = ("NUM", "CD", "Num", "num")


@dataclass(frozen=True)
class Coverage:
    """The tokens of a text that a dictionary lists, and lacks.

    ``n_other_case``: of words that it lists in other capitals alone. ``n_tags``: of words that are
    tags of the dictionary. ``single``, ``unlisted``: of words with one tag, and of those that are
    not listed. ``lacking``: the closed classes of Universal Dependencies that no listed word has,
    None where the dictionary has other tags than these.
    """

    n_words: int
    n_listed: int
    n_other_case: int
    n_tags: int
    single: Counter[str]
    unlisted: Counter[str]
    lacking: tuple[str, ...] | None

    @classmethod
    def of(cls, dictionary: TagDictionary, sentences: Sentences) -> Coverage:
        """The coverage of a text.

        >>> text = [["the", "dog", "barks"], ["the", "cat"]]
        >>> found = Coverage.of(TagDictionary({"the": "DT", "DOG": "NN"}), text)
        >>> found.n_listed, found.n_other_case, found.unlisted.most_common(1)
        (2, 1, [('dog', 1)])
        """
        rows = in_known_forms(list(sentences), dictionary)
        counts = Counter(chain.from_iterable(rows))
        folded = {word.casefold() for word in dictionary}
        tags = set(dictionary.tagset)
        listed = Counter({word: n for word, n in counts.items() if word in dictionary})
        unlisted = counts - listed
        other = sum(n for word, n in unlisted.items() if word.casefold() in folded)

        lacking = None
        if _is_universal(tags):
            lacking = tuple(tag for tag in CLOSED_CLASSES if tag not in tags)
        return cls(
            counts.total(),
            listed.total(),
            other,
            sum(n for word, n in counts.items() if word in tags),
            Counter({word: n for word, n in listed.items() if len(dictionary[word]) == 1}),
            unlisted,
            lacking,
        )

    def check(self, name: str, text: str = "the text") -> None:
        """Raise DictionaryError, with both names, where a dictionary lists next to nothing."""
        is_swapped = self.n_tags > self.n_listed and self.n_tags > LEAST * self.n_words
        if self.n_listed >= LEAST * self.n_words and not is_swapped:
            return
        facts = [f"lists {self.n_listed:,} of {self.n_words:,} words of {text}"]
        if self.n_other_case:
            facts.append(f"{self.n_other_case:,} match in another case")
        if is_swapped:
            facts.append("the columns look swapped: the text's words are its tags")
        else:
            facts.append(f"it lacks {self._lacks()}")
        raise DictionaryError(f"{name}: {'; '.join(facts)}")

    def doubts(self, dictionary: TagDictionary) -> list[str]:
        """Sentences for somebody who trains with the dictionary, if there is anything to know."""
        doubts = []
        if self.n_other_case > MANY * self.n_words:
            doubts.append(
                f"the dictionary lists {self.n_other_case:,} of {self.n_words:,} words in another "
                "case alone: write it as the text is written"
            )

        if lonely := self._lonely(dictionary):
            named = ", ".join(f"{tag} ({word})" for tag, word in lonely.items())
            doubts.append(f"one word alone has these tags: {named}; a slip, or the table's header?")

        n_alike = Counter(map(str.casefold, dictionary.tagset))
        alike = [tag for tag in dictionary.tagset if n_alike[tag.casefold()] > 1]
        if alike:
            doubts.append(f"tags that differ in capitals alone are different: {' '.join(alike)}")

        doubts += [
            f"{first} and {second} are tags of nearly the same words, so that it is chance which of "
            "them a word gets: map each tag of the source to one class, its usual one (--tag-map)"
            for first, second in _hardly_told_apart(dictionary)
        ]

        if self.n_listed < HALF * self.n_words:
            doubts.append(
                f"the dictionary lists {self.n_listed:,} of {self.n_words:,} words; each of the "
                f"others gets one of its {len(dictionary.open_class)} tags of open classes"
            )

        commonest = self._commonest()
        if sum(self.unlisted[word] for word in commonest) > MANY * self.n_words:
            doubts.append(
                "the dictionary lacks common words, which may then take any tag of an open class: "
                f"{self._lacks()}"
            )
        return doubts

    def _commonest(self) -> list[str]:
        """The commonest words that are not listed."""
        words = (word for word, _ in self.unlisted.most_common() if word.isalpha())
        return list(islice(words, COMMONEST))

    def _lacks(self) -> str:
        """These words, and the closed classes that no word has."""
        classes = f"; no word is {' '.join(self.lacking)}" if self.lacking else ""
        return " ".join(self._commonest()) + classes

    def _lonely(self, dictionary: TagDictionary) -> dict[str, str]:
        """The word of each tag that one word alone has, where that looks like a mistake.

        Of a large dictionary a few such tags do; of a small one that of its first word, which a
        header is, if the text lacks the word.
        """
        n_words = Counter(chain.from_iterable(dictionary.values()))
        word_of_tag = {tag: word for word, tags in dictionary.items() for tag in tags}
        lonely = {t: word for t, word in word_of_tag.items() if n_words[t] == 1 and word.isalpha()}
        if len(lonely) <= FEW < len(dictionary) / len(n_words):
            return lonely

        first = next(iter(dictionary), "")
        if first.casefold() in {word.casefold() for word in (*self.single, *self.unlisted)}:
            return {}
        return {tag: word for tag, word in lonely.items() if word == first}


def _hardly_told_apart(dictionary: TagDictionary) -> list[tuple[str, str]]:
    """Pairs of tags of many words, nearly all of which have both."""
    n_words = Counter(chain.from_iterable(dictionary.values()))
    least = max(COMMONEST, MANY * len(dictionary))
    common = {tag for tag, n in n_words.items() if n > least}
    pairs = (combinations(filter(common.__contains__, tags), 2) for tags in dictionary.values())
    n_shared = Counter(chain.from_iterable(pairs))
    return [pair for pair, n in n_shared.items() if n > ALIKE * max(map(n_words.__getitem__, pair))]


def _is_universal(tags: set[str]) -> bool:
    """Whether most of these tags are those of Universal Dependencies."""
    return 2 * len(tags & UPOS) > len(tags)


def without_slips(dictionary: TagDictionary, least: float = NOISE) -> TagDictionary:
    """The dictionary without tags of a smaller share of a word's tokens, where these are counted.

    >>> counted = TagDictionary({"the": ("DT", "NNP")}, counts={"the": {"DT": 99, "NNP": 1}})
    >>> without_slips(counted)["the"]
    ('DT',)
    """
    counts: dict[str, dict[str, float]] = {}
    for word, by_tag in dictionary.counts.items():
        total = sum(by_tag.values())
        counts[word] = {tag: n for tag, n in by_tag.items() if n >= least * total}
    return dictionary.updated({word: list(by_tag) for word, by_tag in counts.items()}, counts)


def with_marks(
    dictionary: TagDictionary, words: Iterable[str], marks: str = "", numbers: str = ""
) -> TagDictionary:
    """The dictionary with the punctuation and the numbers of a text that it does not list.

    They have the tags that the tagset has for such, or that of Universal Dependencies, where most
    of its tags are of these; else ``marks`` and ``numbers``, if they are given. A mark that is a
    tag, as in the Penn Treebank, has that; a symbol may also be what Universal Dependencies calls
    one.

    >>> found = with_marks(TagDictionary({"dog": "N"}), ["dog", "1.5", "...", "wug"], "P", "Q")
    >>> found["1.5"], found["..."], "wug" in found
    (('Q',), ('P',), False)
    """
    tagset = set(dictionary.tagset)
    if _is_universal(tagset):
        marks, numbers = "PUNCT", "NUM"
    marks = next(filter(tagset.__contains__, _MARKS), marks)
    numbers = next(filter(tagset.__contains__, _NUMBERS), numbers)
    added: dict[str, list[str]] = {}
    for word in words:
        if word in dictionary:
            continue
        if word in tagset and _MARK.fullmatch(word):
            added[word] = [word]
        elif marks and _MARK.fullmatch(word):
            added[word] = [marks]
            if "SYM" in tagset and not _PUNCTUATION.fullmatch(word):
                added[word].append("SYM")
        elif numbers and _NUMBER.fullmatch(word):
            added[word] = [numbers]
    if not added:
        return dictionary

    with_added = dictionary.updated(added)
    if with_added.tagset == dictionary.tagset:
        return with_added
    # Other words that are not listed are neither marks nor numbers.
    return TagDictionary.from_dict(
        {**with_added.to_dict(), "open_class": list(dictionary.open_class)}
    )


def unmapped(dictionary: TagDictionary, tag_map: Mapping[str, str]) -> list[str]:
    """The tags that a map says nothing of; those that it leads to are none."""
    classes = set(tag_map.values())
    return [tag for tag in dictionary.tagset if tag not in tag_map and tag not in classes]
