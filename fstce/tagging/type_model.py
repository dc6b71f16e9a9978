"""Tags of words that the dictionary does not list, guessed from those that it lists.

A type model is a softmax regression P(t | w) over word *types*: the form of the word
(``grammars.word_form``) and, where the word occurs in the raw text, the frequent words that
stand beside it there. It learns from the dictionary alone, each listed word counting once
and its tags sharing that count, so that no token is ever labelled:

    max over W of  Σ_w Σ_t ∈ tags(w)  log P(t | w) / |tags(w)|  −  ‖W‖² / 2σ²,
    P(t | w) ∝ exp(W_t · f(w)).

The tagger uses it twice for an unlisted word. The word may take the fewest tags whose
probabilities reach a mass m, and each of them scores κ log P(t | w) beside its weights:
what a Gaussian prior with mean κ log P(t | w) on the word's emission weights does, and what
is left of it for words that training did not see.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from threadpoolctl import threadpool_limits

from fstce.corpora.dictionary import TagDictionary
from fstce.errors import DictionaryError
from fstce.grammars import word_form
from fstce.numeric.types import Floats, Rows

MASS = 0.95
KAPPA = 1.0
SIGMA2 = 1.0
ITERATIONS = 40
FREQUENT = 200
START, END, OTHER = "<s>", "</s>", "<unk>"
_REMEMBERED = 100_000


@dataclass(frozen=True)
class TypeModel:
    """P(t | w) of words by their form and their neighbours; F features, T tags.

    Attributes
    ----------
    tags : tuple of str
        The columns.
    names : tuple of str
        The features; those of neighbours are ``left=the``, ``right=<s>`` and so on.
    weights : ndarray, shape (F, T)
    seen : mapping of str to ndarray, shape (T,)
        log P(t | w) of the unlisted words of the raw text, whose neighbours are known.

    Examples
    --------
    >>> dictionary = TagDictionary({"walking": "V", "talking": "V", "table": "N", "cable": "N"})
    >>> model = type_model(dictionary, [["a", "gable"]])
    >>> [model.tags[t] for t in model.log_probabilities(["barking", "gable"]).argmax(axis=1)]
    ['V', 'N']
    """

    tags: tuple[str, ...]
    names: tuple[str, ...]
    weights: Floats
    seen: Mapping[str, Floats]

    def log_probabilities(self, words: Sequence[str]) -> Floats:
        """log P(t | w), nats, shape (words, T)."""
        found = _log_softmax(_matrix([_form(word) for word in words], self._number) @ self.weights)
        for i, word in enumerate(words):
            if word in self.seen:
                found[i] = self.seen[word]
        return found

    @cached_property
    def _number(self) -> dict[str, int]:
        """The row of each feature; words are mostly asked for one at a time."""
        return {name: i for i, name in enumerate(self.names)}

    def to_arrays(self) -> dict[str, Floats]:
        """The numbers, for a file: the weights, and a row for each seen word."""
        rows = np.array(list(self.seen.values())).reshape(len(self.seen), len(self.tags))
        return {"weights": self.weights, "seen": rows}


def type_model(dictionary: TagDictionary, sentences: Rows) -> TypeModel:
    """The type model of a dictionary's words, with the neighbours that they have in raw text.

    Parameters
    ----------
    dictionary : TagDictionary
        Its listed words are what is learnt from.
    sentences : sequence of sequences of str
        Raw text.

    Returns
    -------
    TypeModel

    Raises
    ------
    DictionaryError
        The dictionary lists no word.
    """
    words = list(dictionary)
    if not words:
        raise DictionaryError("the dictionary lists no word, so that no tags can be guessed; list some words")
    beside = _neighbors(sentences)
    rows = [{**_form(word), **beside.get(word, {})} for word in words]
    counted = Counter(name for row in rows for name in row)
    names = tuple(sorted(name for name, count in counted.items() if count > 1))
    number = {name: i for i, name in enumerate(names)}
    tag = {name: t for t, name in enumerate(dictionary.tagset)}
    target = np.zeros((len(words), len(tag)))
    for i, word in enumerate(words):
        own = [tag[name] for name in dictionary[word]]
        target[i, own] = 1 / len(own)
    weights = _regression(_matrix(rows, number), target)
    unlisted = [word for word in beside if word not in dictionary]
    own_rows = [{**_form(word), **beside[word]} for word in unlisted]
    scores = _log_softmax(_matrix(own_rows, number) @ weights)
    return TypeModel(dictionary.tagset, names, weights, dict(zip(unlisted, scores, strict=True)))


class GuessingDictionary(TagDictionary):
    """A tagging dictionary that guesses the tags of the words that it does not list.

    Parameters
    ----------
    listed : TagDictionary
    model : TypeModel
        Over the tagset of `listed`.
    mass : float
        An unlisted word takes the fewest tags whose probabilities reach it, of those that
        the dictionary's rule for unlisted words allows.
    kappa : float
        The weight of log P(t | w) in the score of an unlisted word.

    Examples
    --------
    >>> listed = TagDictionary({"walking": "V", "talking": "V", "table": "N", "cable": "N"})
    >>> guessing = GuessingDictionary(listed, type_model(listed, []), mass=0.5)
    >>> guessing.lookup("table"), guessing.lookup("barking")
    (('N',), ('V',))
    """

    def __init__(
        self, listed: TagDictionary, model: TypeModel, mass: float = MASS, kappa: float = KAPPA
    ) -> None:
        super().__init__(listed, listed.tagset, listed.open_class, listed.unseen)
        self.listed, self.model, self.mass, self.kappa = listed, model, mass, kappa
        self._allowed = np.isin(np.array(listed.tagset), self._unseen_tags())
        self._guessed: dict[str, Floats] = {}

    def lookup(self, word: str) -> tuple[str, ...]:
        """The tags that a word may take, sorted, listed or guessed."""
        if word in self:
            return self[word]
        probability = np.exp(self._log(word))
        best = np.argsort(-probability, kind="stable")
        # the k most probable tags, k least with Σ P ≥ m
        k = int(np.searchsorted(np.cumsum(probability[best]), self.mass - 1e-12)) + 1
        return tuple(sorted(self.tagset[t] for t in best[:k] if probability[t] > 0))

    def log_scores(self, words: Sequence[str]) -> Floats:
        """κ log P(t | w) of unlisted words, zero for listed ones; nats, shape (words, T)."""
        zero = np.zeros(len(self.tagset))
        self._guess([word for word in words if word not in self])
        rows = [zero if word in self else self.kappa * self._log(word) for word in words]
        return np.array(rows).reshape(len(rows), len(zero))

    def _log(self, word: str) -> Floats:
        if word not in self._guessed:
            self._guess([word])
        return self._guessed[word]

    def _guess(self, words: Iterable[str]) -> None:
        """Remember log P(t | w) over the tags that are allowed."""
        new = list(dict.fromkeys(word for word in words if word not in self._guessed))
        if not new:
            return
        if len(self._guessed) + len(new) > _REMEMBERED:
            self._guessed.clear()
        scores = np.where(self._allowed, self.model.log_probabilities(new), -np.inf)
        self._guessed.update(zip(new, _log_softmax(scores), strict=True))


def with_observed(dictionary: TagDictionary, sentences: Rows, gold: Rows) -> TagDictionary:
    """The dictionary in which no unlisted word lacks a tag that it is observed with.

    Such a word is listed, with these tags beside those that it would have been allowed.

    Parameters
    ----------
    dictionary : TagDictionary
    sentences, gold : sequences of sequences of str
        Tagged sentences; a tag outside the tagset is left to whoever checks them.

    Examples
    --------
    >>> listed = TagDictionary({"walking": "V", "table": "N", "the": "D"}, open_class=["N", "V"])
    >>> with_observed(listed, [["the", "such"]], [["D", "D"]])["such"]
    ('D', 'N', 'V')
    """
    observed: defaultdict[str, set[str]] = defaultdict(set)
    for row, tags in zip(sentences, gold, strict=False):
        for word, tag in zip(row, tags, strict=False):
            if word not in dictionary and tag in dictionary.tagset:
                observed[word].add(tag)
    allowed = {word: set(dictionary.lookup(word)) for word in observed}
    new = {word: tags | allowed[word] for word, tags in observed.items() if not tags <= allowed[word]}
    if not new:
        return dictionary
    old = dictionary.listed if isinstance(dictionary, GuessingDictionary) else dictionary
    listed = TagDictionary({**old, **new}, old.tagset, old.open_class, old.unseen)
    if not isinstance(dictionary, GuessingDictionary):
        return listed
    return GuessingDictionary(listed, dictionary.model, dictionary.mass, dictionary.kappa)


def _form(word: str) -> dict[str, float]:
    return dict.fromkeys(word_form.build(word), 1.0)


def _neighbors(sentences: Rows) -> dict[str, dict[str, float]]:
    """For each word √(relative frequency) of each frequent word to its left and to its right."""
    counted = Counter(word for sentence in sentences for word in sentence)
    frequent = {word for word, _ in counted.most_common(FREQUENT)}
    beside: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for sentence in sentences:
        shown = [word if word in frequent else OTHER for word in sentence]
        for word, left, right in zip(sentence, [START, *shown], [*shown[1:], END], strict=False):
            beside[word].update((f"left={left}", f"right={right}"))
    return {
        word: {name: (count / counted[word]) ** 0.5 for name, count in found.items()}
        for word, found in beside.items()
    }


def _matrix(rows: Sequence[Mapping[str, float]], number: Mapping[str, int]) -> sp.csr_matrix:
    """The known features of each row, shape (rows, F)."""
    entries = [
        (i, number[name], value)
        for i, row in enumerate(rows)
        for name, value in row.items()
        if name in number
    ]
    row, column, value = zip(*entries, strict=True) if entries else ((), (), ())
    shape = (len(rows), len(number))
    return sp.csr_matrix((np.array(value, dtype=np.float64), (row, column)), shape=shape)


def _regression(features: sp.csr_matrix, target: Floats) -> Floats:
    """The weights of the softmax regression, shape (F, T), by L-BFGS from zero."""
    from scipy.optimize import minimize  # takes half a second; applying a model need not wait

    shape = (features.shape[1], target.shape[1])
    transpose = features.T.tocsr()

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(shape)
        log_p = _log_softmax(features @ weights)
        # ∂/∂W Σ_w Σ_t target(w, t) log P(t | w) = fᵀ (target − P), shape (F, T)
        gradient = transpose @ (target - np.exp(log_p)) - weights / SIGMA2
        return float(flat @ flat) / (2 * SIGMA2) - float((target * log_p).sum()), -gradient.ravel()

    with threadpool_limits(1, "blas"):  # for the same bits with any number of threads
        start = np.zeros(shape[0] * shape[1])
        found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": ITERATIONS})
    return np.asarray(found.x).reshape(shape)


def _log_softmax(scores: Floats) -> Floats:
    """log P of each row's entries, shape as `scores`; −inf stays."""
    shifted = scores - scores.max(axis=1, keepdims=True, initial=-np.inf)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))
