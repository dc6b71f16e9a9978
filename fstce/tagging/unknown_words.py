"""The tags of words that the dictionary does not list, predicted from those that it lists.

An unknown-word model is a softmax regression P(t | w) over word *types*: the form of the word
(``grammars.word_form``), the tags of listed words that differ from it in capitals alone and, where
the word occurs in the raw text, the frequent words that stand next to it there. It learns from the
dictionary alone, each listed word counting once and its tags sharing that count, so that no token
is ever labeled:

    max over W of  Σ_w Σ_t ∈ tags(w)  log P(t | w) / |tags(w)|  −  ‖W‖² / 2,
    P(t | w) ∝ exp(W_t · f(w)).

Only tags that unknown words may take have a column, and only words with such a tag are learned
from.

A tagger uses P(t | w) twice. An unknown word may take the fewest tags whose probabilities reach a
mass m, and each of them scores log P(t | w) besides its weights: what a Gaussian prior with mean
log P(t | w) on the word's emission weights does, and what is left of it for words that training did
not see.

Source: tag dictionary generalization (Garrette & Baldridge 2013).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fstce.corpora.dictionary import TagDictionary, dictionary_of
from fstce.errors import DictionaryError
from fstce.estimation.log_linear import indicators, log_softmax, numbered, softmax_regression
from fstce.grammars import word_form
from fstce.numeric.kernels import places
from fstce.numeric.types import Floats, Ints, Rows
from fstce.processes.memory import memory
from fstce.storage.memo import remembered

if TYPE_CHECKING:
    import scipy.sparse as sp

FREQUENT = 200
# The neighbors of a word that occurs n times weigh √(n / (n + DOUBT)): listed words, of which
# they are learned, mostly occur more often than those that are predicted.
DOUBT = 3.0
START = "<s>"
END = "</s>"
OTHER = "<unk>"
COVERAGE = 0.95
MOST = 8  # tags of an unknown word: a tagset of a thousand would have it take hundreds
MANY = 100  # tags, for more of which endings are counted: a regression weighs each feature and tag
LONGEST = 5  # letters of an ending
UNSEEN = "?"  # the ending of no word
DOUBT_OF_ENDING = 1.0  # words that the ending a letter shorter counts for
_REMEMBERED = 100_000
BYTES_A_TAG = 40  # that an unknown word may have, while words are predicted, measured
_BLOCK = 200  # words whose weights lie side by side at a time
RARE = 4  # words seen at most so often
MOST_LISTED = 100_000  # words that are learned from: two million took 9 GB


@dataclass(frozen=True)
class UnknownWordModel:
    """P(t | w) of words by their form and their neighbors; F features, T tags.

    ``tags``: the columns: the tags that an unknown word may take. ``names``: the features; those of
    neighbors are ``left=the``, ``right=<s>`` and so on. ``weights`` is (F, T). ``seen`` (T,): log
    P(t | w) of the unknown words of the raw text, whose neighbors are known. ``describe``: the
    features of a word by itself.

    >>> dictionary = TagDictionary({"walking": "V", "talking": "V", "table": "N", "cable": "N"})
    >>> model = UnknownWordData(dictionary, [["a", "gable"]]).model
    >>> [model.tags[t] for t in model.log_probabilities(["barking", "gable"]).argmax(axis=1)]
    ['V', 'N']
    """

    tags: tuple[str, ...]
    names: tuple[str, ...]
    weights: Floats
    seen: Mapping[str, Floats]
    describe: Callable[[str], tuple[str, ...]]

    def log_probabilities(self, words: Sequence[str]) -> Floats:
        """log P(t | w), nats, shape (words, T)."""
        new = [word for word in words if word not in self.seen]
        logs = dict(zip(new, log_softmax(self._scores([*map(self.describe, new)])), strict=True))
        logs |= {word: self.seen[word] for word in words if word in self.seen}
        return np.array([logs[word] for word in words]).reshape(len(words), len(self.tags))

    def _scores(self, described: Sequence[tuple[str, ...]]) -> Floats:
        """The sum of the weights of each word's features, shape (words, T)."""
        scores = np.zeros((len(described), len(self.tags)))
        for begin in range(0, len(described), _BLOCK):
            feature, sizes = numbered(described[begin : begin + _BLOCK], self._number)
            has_some = np.flatnonzero(sizes)
            if len(has_some):
                first = (np.cumsum(sizes) - sizes)[has_some]
                scores[begin + has_some] = np.add.reduceat(self.weights[feature], first)
        return scores

    @cached_property
    def _number(self) -> dict[str, int]:
        """The row of each feature; words are mostly asked for one at a time."""
        return places(self.names)


class UnknownWordData:
    """Data of an unknown-word model, and the model, learned when it is first asked for.

    A text whose words are all listed needs none, and its tagger is trained in a third of the time.
    The text is counted at once, so that later changes to its lists change no prediction.

    ``dictionary``: its listed words are what is learned from.

    >>> data = UnknownWordData(TagDictionary({"walking": "V", "table": "N"}), [["a", "gable"]])
    >>> data.model.tags, list(data.model.seen)
    (('N', 'V'), ['a', 'gable'])
    """

    def __init__(self, dictionary: TagDictionary, sentences: Rows) -> None:
        self.dictionary = dictionary
        self._neighbors = Neighbors.of_text(sentences, FREQUENT)

    @cached_property
    def model(self) -> UnknownWordModel | EndingModel:
        """The unknown-word model of the listed words; of many tags one of endings."""
        if len(self.dictionary.oov_tags) > MANY:
            return EndingModel(self.dictionary)
        return self._regression()

    def _regression(self) -> UnknownWordModel:
        tags = self.dictionary.oov_tags
        listed, target = _shares_of_tags(self.dictionary, self._learned_from())
        describe = Description(self.dictionary)
        described = [describe(word) for word in listed]
        forms = places(dict.fromkeys(chain.from_iterable(described)))
        features = self._features(listed, described, forms)
        # What one word alone has says nothing of another.
        common = np.flatnonzero(features.getnnz(axis=0) > 1)
        weights = softmax_regression(features[:, common], target.toarray())

        oov = [word for word in self._neighbors.row if word not in self.dictionary]
        features = self._features(oov, [describe(word) for word in oov], forms)
        seen = dict(zip(oov, log_softmax(features[:, common] @ weights), strict=True))
        sides = (f"{side}={word}" for side in ("left", "right") for word in self._neighbors.column)
        names = [*forms, *sides]
        common_names = tuple(names[f] for f in common.tolist())
        return UnknownWordModel(tags, common_names, weights, seen, describe)

    def _learned_from(self) -> list[str]:
        """The listed words; of very many those of the text, and some of the others."""
        if len(self.dictionary) <= MOST_LISTED:
            return list(self.dictionary)
        of_text = [word for word in self._neighbors.row if word in self.dictionary]
        others = [word for word in self.dictionary if word not in self._neighbors.row]
        return of_text + spaced(others)

    def _features(
        self, words: Sequence[str], described: Sequence[tuple[str, ...]], forms: Mapping[str, int]
    ) -> sp.csr_matrix:
        """Form and neighbors of each word, shape (words, forms + neighbors)."""
        shares = self._neighbors.shares(words)
        from scipy.sparse import hstack  # takes a tenth of a second, which tagging need not

        return hstack([indicators(described, forms), shares], format="csr")


class EndingModel:
    """P(t | w) of words by their endings, for tagsets of a morphological analyser.

    An ending counts the listed words that have it, each once, shared by its tags; from the empty
    one to that of five letters, P_k(t) = (n_k(t) + c P_{k−1}(t)) / (n_k + c) (Brants 2000). Words
    with a capital count apart.

    >>> dictionary = TagDictionary({"walking": "V", "talking": "V", "table": "N", "cable": "N"})
    >>> model = EndingModel(dictionary)
    >>> [model.tags[t] for t in model.log_probabilities(["barking", "gable"]).argmax(axis=1)]
    ['V', 'N']
    """

    def __init__(self, dictionary: TagDictionary) -> None:
        self.tags: tuple[str, ...] = dictionary.oov_tags
        words, shares = _shares_of_tags(dictionary, spaced(dictionary))
        endings = [*map(_endings, words)]
        self._row = places(dict.fromkeys((*chain.from_iterable(endings), UNSEEN)))
        self._counts = (indicators(endings, self._row).T @ shares).tocsr()
        self._sizes = np.asarray(self._counts.sum(axis=1))

    def log_probabilities(self, words: Sequence[str]) -> Floats:
        """log P(t | w), nats, shape (words, T)."""
        probability = np.full((len(words), len(self.tags)), 1 / len(self.tags))
        for endings in zip_longest(*map(_endings, words), fillvalue=UNSEEN):
            row = [self._row.get(ending, -1) for ending in endings]
            counts = self._counts[row].toarray() + DOUBT_OF_ENDING * probability
            probability = counts / (self._sizes[row] + DOUBT_OF_ENDING)
        return np.log(probability)


def _shares_of_tags(
    dictionary: TagDictionary, words: Iterable[str]
) -> tuple[list[str], sp.csr_matrix]:
    """The listed words with a tag that unknown words may take, and its share, (words, T)."""
    tags = places(dictionary.oov_tags)
    learned_from = [word for word in words if not tags.keys().isdisjoint(dictionary[word])]
    shares = indicators(map(dictionary.__getitem__, learned_from), tags)
    sizes = np.diff(shares.indptr)
    shares.data /= np.repeat(sizes, sizes)
    return learned_from, shares


def _endings(word: str) -> list[str]:
    """The endings of a word, shortest first; but for that of no letter they tell capitals apart."""
    mark = "^" if word[:1].isupper() else "_"
    letters = word.casefold()
    return [
        "",
        *(mark + letters[len(letters) - k :] for k in range(min(LONGEST, len(letters)) + 1)),
    ]


class Description:
    """The features of a word: its form, and the tags of listed words in other capitals."""

    def __init__(self, listed: TagDictionary) -> None:
        self._listed = listed
        self._with_capitals: dict[str, list[str]] = {}  # by what they are without
        for word in listed:
            if (folded := word.casefold()) != word:
                self._with_capitals.setdefault(folded, []).append(word)

    def __call__(self, word: str) -> tuple[str, ...]:
        folded = word.casefold()
        alike = (folded, *self._with_capitals.get(folded, ()))
        others = (other for other in alike if other != word and other in self._listed)
        tags = dict.fromkeys(tag for other in others for tag in self._listed[other])
        return *word_form.folded(word), *(f"other-case={tag}" for tag in tags)


def in_capitals(words: Iterable[str]) -> defaultdict[str, list[str]]:
    """The words by what they have in common but for capitals."""
    variants = defaultdict(list)
    for word in words:
        variants[word.casefold()].append(word)
    return variants


def spaced(words: Collection[str]) -> list[str]:
    """As many of some words as an unknown-word model is learned of, evenly spaced."""
    return list(islice(words, 0, None, -(-len(words) // MOST_LISTED) or 1))


class Neighbors(NamedTuple):
    """The words that stand next to each word of a text.

    ``row``: the number of each word. ``column``: that of each neighbor: frequent words, what stands
    for others, ends of a sentence. ``counts`` (words + 1, 2 · columns): how often a word has a
    neighbor to its left, then to its right; the last row, of words that the text lacks, is empty.
    """

    row: Mapping[str, int]
    column: Mapping[str, int]
    counts: sp.csr_matrix

    @classmethod
    def of_text(cls, sentences: Rows, n_frequent: int) -> Neighbors:
        """The neighbors in sentences, with so many frequent words."""
        from scipy.sparse import csr_matrix  # takes a tenth of a second, which tagging need not

        rows = [sentence for sentence in sentences if len(sentence)]
        counted = Counter(chain.from_iterable(rows))
        row = places(counted)
        frequent = [word for word, _ in counted.most_common(n_frequent)]
        column = places(dict.fromkeys((OTHER, START, END, *frequent)))
        neighbor = np.array([column.get(word, column[OTHER]) for word in row], dtype=np.int64)
        ids = np.array([row[word] for sentence in rows for word in sentence], dtype=np.int64)
        sizes = np.array([len(sentence) for sentence in rows], dtype=np.int64)
        ends = np.cumsum(sizes)
        left, right = np.roll(neighbor[ids], 1), np.roll(neighbor[ids], -1)
        left[ends - sizes], right[ends - 1] = column[START], column[END]
        pairs = np.concatenate((ids, ids)), np.concatenate((left, right + len(column)))
        shape = (len(row) + 1, 2 * len(column))
        counts = csr_matrix((np.ones(2 * len(ids)), pairs), shape=shape)  # equal places add up
        return cls(row, column, counts)

    def shares(self, words: Sequence[str]) -> sp.csr_matrix:
        """√(n(w, neighbor) / (n(w) + DOUBT)), shape (words, 2 · columns)."""
        shares = self.counts[[self.row.get(word, len(self.row)) for word in words]]
        tokens = np.asarray(shares.sum(axis=1)).ravel() / 2  # each has two neighbors
        shares.data = np.sqrt(shares.data / (np.repeat(tokens, np.diff(shares.indptr)) + DOUBT))
        return shares


class _Prediction(NamedTuple):
    """The tags that an unknown word may take, and log P(t | w) of all tags, shape (T,)."""

    tags: tuple[str, ...]
    log_probability: Floats


class UnknownWordDictionary(TagDictionary):
    """A tagging dictionary that predicts the tags of the words that it does not list.

    ``source``: an unknown-word model over tags of `listed`, or what it is learned from as soon as
    an unknown word is asked for. An unknown word takes the fewest tags whose probabilities reach
    0.95, eight at most, of those that the dictionary's rule for unknown words allows, and scores
    log P(t | w); where endings predict, all tags of a word score alike.

    >>> listed = TagDictionary({"walking": "V", "talking": "V", "table": "N", "cable": "N"})
    >>> predicting = UnknownWordDictionary(listed, UnknownWordData(listed, []))
    >>> predicting.lookup("table"), predicting.lookup("barking")
    (('N',), ('N', 'V'))
    """

    def __init__(
        self, listed: TagDictionary, source: UnknownWordModel | EndingModel | UnknownWordData
    ) -> None:
        vars(self).update(vars(listed))  # which has checked it
        self.listed = listed
        self.source = source
        self._predicted: dict[str, _Prediction] = {}

    @property
    def model(self) -> UnknownWordModel | EndingModel:
        """The unknown-word model; it is learned here if it has not been."""
        return self.source.model if isinstance(self.source, UnknownWordData) else self.source

    def lookup(self, word: str) -> tuple[str, ...]:
        """The tags that a word may take, sorted, listed or predicted."""
        return self.lookup_all([word])[0]

    def lookup_all(self, words: Sequence[str]) -> list[tuple[str, ...]]:
        """The tags that each of the words may take, predicted in one pass."""
        listed = self._tags
        predicted = iter(self._predictions([word for word in words if word not in listed]))
        return [listed[word] if word in listed else next(predicted).tags for word in words]

    def log_scores(self, words: Sequence[str]) -> Floats:
        """log P(t | w) of unknown words, zero for listed ones; nats, shape (words, T)."""
        scores = np.zeros((len(words), len(self.tagset)))
        unknown = [i for i, word in enumerate(words) if word not in self._tags]
        # What endings say of a word's tags is too little.
        if unknown and not isinstance(self.model, EndingModel):
            predicted = self._predictions([words[i] for i in unknown])
            scores[unknown] = [each.log_probability for each in predicted]
        return scores

    def _predictions(self, words: Sequence[str]) -> list[_Prediction]:
        """What is predicted of unknown words, kept for the next time that they are asked for."""
        return remembered(self._predicted, words, _REMEMBERED, self._predict)

    def _predict(self, words: list[str]) -> Iterator[_Prediction]:
        nbytes = BYTES_A_TAG * len(words) * len(self.tagset)
        if nbytes > memory():
            raise DictionaryError(
                f"{len(words):,} unknown words that may have {len(self.tagset):,} tags take about "
                f"{nbytes / 1e9:.1f} GB, more than there is room for; list them in the dictionary, "
                "project the tags to a coarser set, or do without an unknown-word model"
            )

        scores = np.full((len(words), len(self.tagset)), -np.inf)
        columns, allowed = self._columns
        scores[:, allowed] = self.model.log_probabilities(words)[:, columns]
        logs = log_softmax(scores)

        # the k most probable tags, k least with Σ P ≥ COVERAGE; (words, MOST)
        probability = np.exp(logs)
        best_first = np.argsort(-probability, axis=1, kind="stable")[:, :MOST]
        best = np.take_along_axis(probability, best_first, axis=1)
        k = 1 + (np.cumsum(best, axis=1) < COVERAGE - 1e-12).sum(axis=1)
        k = np.minimum(k, (best > 0).sum(axis=1))
        for row, tags, n in zip(logs, best_first.tolist(), k.tolist(), strict=True):
            yield _Prediction(tuple(self.tagset[t] for t in sorted(tags[:n])), row)

    @cached_property
    def _columns(self) -> tuple[Ints, Ints]:
        """Of the tags that unknown words may take the model's columns, and those of the tagset."""
        of_model, of_tagset = places(self.model.tags), places(self.tagset)
        tags = self.oov_tags
        return np.array([of_model[tag] for tag in tags]), np.array([of_tagset[t] for t in tags])


def with_observed(
    dictionary: TagDictionary, sentences: Rows, gold: Rows, *, oov: bool = True
) -> TagDictionary:
    """The dictionary in which each word has the tags that it is observed with, too.

    ``sentences``, ``gold``: tagged sentences. ``oov``: whether unknown words are listed that lack a
    tag of the tagset; words with a tag outside it always are, and it joins the tagset.

    >>> listed = TagDictionary({"walking": "V", "table": "N", "the": "D"}, open_class=["N", "V"])
    >>> found = with_observed(listed, [["the", "such", "table"]], [["D", "D", "X"]])
    >>> found["such"], found["table"], found.tagset
    (('D', 'N', 'V'), ('N', 'X'), ('D', 'N', 'V', 'X'))
    """
    new: dict[str, set[str]] = {}
    for row, tags in zip(sentences, gold, strict=False):
        for word, tag in zip(row, tags, strict=False):
            asked = oov or word in dictionary or tag not in dictionary.tagset
            if asked and tag not in dictionary.lookup(word):
                new.setdefault(word, {*dictionary.lookup(word)}).add(tag)
    if not new:
        return dictionary
    if not isinstance(dictionary, UnknownWordDictionary):
        return dictionary.updated(new)
    return UnknownWordDictionary(dictionary.listed.updated(new), dictionary.source)


def training_dictionary(
    dictionary: TagDictionary, sentences: Rows, gold: Rows, rare: int
) -> TagDictionary:
    """The tags of words in supervised training: rare words have those of open classes, too.

    ``rare``: words seen at most so often count as unknown. If their own tags were all that they may
    take, numerator and denominator would agree on each of their features, and they say nothing of
    unknown words.
    """
    counted = Counter(word for row in sentences for word in row)
    open_tags = dictionary.oov_tags
    listed = {}
    for word, observed in dictionary_of(sentences, gold).items():
        is_known = word in dictionary and counted[word] > rare
        listed[word] = dictionary[word] if is_known else (*open_tags, *observed)
    return TagDictionary(listed, dictionary.tagset, dictionary.open_class, dictionary.unseen)
