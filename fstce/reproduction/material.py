"""The text of an experiment: what is trained on, what is held out, and the dictionary.

The last sentences of the corpus are held out for the choice of models; training takes the
first sentences of the rest, until they hold the words asked for, in the order of the corpus or
drawn at random. The dictionary is read off the whole corpus, and a fuller one, or diluted as in
Smith & Eisner (2005a), §5.2: words that the training text has not among its first sentences
(``first:500``), or not so often (``count:2``), may have any tag.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from fstce.corpora import Sentence, TagDictionary, coarse_map, first_words, project, read_corpus
from fstce.corpora.conll import UPOS
from fstce.errors import CorpusError, ParameterError

FULL = "full"
Tags = list[tuple[str, ...]]


@dataclass(frozen=True)
class Material:
    """Training and held-out text with their gold tags, and the dictionary."""

    train: list[Sentence]
    held_out: list[Sentence]
    dictionary: TagDictionary

    @property
    def gold(self) -> Tags:
        """The tags of the training text."""
        return [sentence.tags or () for sentence in self.train]

    @property
    def held_out_gold(self) -> Tags:
        """The tags of the held-out text."""
        return [sentence.tags or () for sentence in self.held_out]

    @property
    def words(self) -> int:
        """The number of words to train on."""
        return sum(map(len, self.train))


@lru_cache(maxsize=4)
def corpus(spec: str, coarse: bool, tag_column: str | None = None) -> tuple[Sentence, ...]:
    """A tagged corpus, read once a process.

    ``coarse``: tags of Universal Dependencies stay, others are one of the paper's 17 classes.
    """
    sentences = read(spec, "tags", tag_column)
    tags = {tag for sentence in sentences for tag in sentence.tags or ()}
    if not coarse or tags <= UPOS:
        return sentences

    try:
        return tuple(project(sentences, coarse_map()))
    except CorpusError as error:
        raise CorpusError(
            f"{error}; the 17 coarse tags are classes of the Penn Treebank's: leave out Table 3 "
            "(--dictionaries none)"
        ) from None


def read(spec: str, needs: str = "", tag_column: str | None = None) -> tuple[Sentence, ...]:
    """The sentences of a corpus, read once a process, each with what the experiment scores with."""
    sentences = _read(spec, tag_column)
    for sentence in sentences:
        if needs and getattr(sentence, needs) is None:
            them = "them" if needs == "tags" else "trees"
            raise CorpusError(
                f"{sentence.source}: the sentence has no {needs}; the experiment scores with {them}"
            )
    return sentences


@lru_cache(maxsize=4)
def _read(spec: str, tag_column: str | None) -> tuple[Sentence, ...]:
    return tuple(read_corpus(spec, tag_column=tag_column))


def digest(sentences: Iterable[Sentence]) -> str:
    """A fingerprint of words, tags, heads and trees: no log is resumed with another text."""
    fingerprint = hashlib.sha256()
    for sentence in sentences:
        row = (
            tuple(sentence.words),
            sentence.tags,
            sentence.heads,
            sentence.tree and str(sentence.tree),
        )
        fingerprint.update(repr(row).encode())
    return fingerprint.hexdigest()[:16]


@lru_cache(maxsize=8)
def material(
    spec: str,
    coarse: bool,
    words: int,
    held_out: int,
    dictionary: str,
    tag_column: str | None = None,
    draw: int | None = None,
    lexicon: str | None = None,
) -> Material:
    """The text of a condition: the first `words` to train on, the last `held_out`, the dictionary.

    ``draw``: the seed by which the sentences are shuffled first; None leaves them as they stand.
    ``lexicon``: a file of a dictionary, whose tags the words may have besides.
    """
    sentences = list(corpus(spec, coarse, tag_column))
    if draw is not None:
        order = np.random.default_rng(draw).permutation(len(sentences))
        sentences = [sentences[i] for i in order]

    tail = list(first_words(reversed(sentences), held_out))
    rest = sentences[: len(sentences) - len(tail)]
    if not rest or not tail:
        raise CorpusError(
            f"{spec}: too few sentences to train on some and hold out {held_out:,} words; hold out "
            "fewer"
        )

    train = first_words(rest, words)
    listed = TagDictionary.from_corpus(sentences)
    if lexicon is not None:
        listed = fuller(listed, TagDictionary.from_file(lexicon))
    if dictionary != FULL:
        listed = diluted(listed, train, *dilution(dictionary))
    return Material(train, tail[::-1], listed)


def fuller(dictionary: TagDictionary, lexicon: TagDictionary) -> TagDictionary:
    """The dictionary with the tags that its words have in a lexicon, as far as they are its tags.

    >>> read = TagDictionary({"walk": "V", "dog": "N"})
    >>> fuller(read, TagDictionary({"walk": ["N", "UH"]})).lookup("walk")
    ('N', 'V')
    """
    tagset = set(dictionary.tagset)
    words = dictionary.keys() & lexicon.keys()
    return dictionary.updated(
        {word: {*dictionary[word], *tagset.intersection(lexicon[word])} for word in words}
    )


def diluted(
    dictionary: TagDictionary, text: Sequence[Sentence], first: int | None, least: int
) -> TagDictionary:
    """The dictionary without words that are rare in the first sentences; they may have any tag.

    >>> whole = TagDictionary({"a": ["D"], "dog": ["N", "V"]})
    >>> text = [Sentence(["a", "dog"]), Sentence(["a"])]
    >>> diluted(whole, text, None, 2).lookup("a"), diluted(whole, text, 1, 1).lookup("dog")
    (('D',), ('N', 'V'))
    """
    times = Counter(word for sentence in text[:first] for word in sentence.words)
    listed = {word: dictionary[word] for word, count in times.items() if count >= least}
    return TagDictionary(listed, dictionary.tagset, unseen="all")


def dilution(spelt: str) -> tuple[int | None, int]:
    """How many first sentences list words (None: all), and how often a word must be there."""
    if spelt == FULL:
        return None, 1
    rule, _, number = spelt.partition(":")
    if rule not in ("first", "count") or not number.isdecimal() or int(number) < 1:
        raise ParameterError(
            f"dictionary {spelt!r}: give full, first:N (sentences) or count:N (occurrences)"
        )
    if rule == "first":
        return int(number), 1
    return None, int(number)
