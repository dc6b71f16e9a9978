"""The dependency model with valence: a head's children, and when each side stops.

A tree scores root(t) for its root's tag and, for each head and each side, outward from
the head, a run of go · child and then a stop. The stop and go choices see whether the head
is *adjacent*, that is still without a child on that side. Over V tags there are V root,
2V² child and 8V stop features, V(2V + 9) in all: 3,071 for V = 37.

Source: Klein & Manning (2004); Smith & Eisner (2005b), Eq. 12–13.
To try: ``DependencyModel(["DT", "NN"]).names``
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.errors import CorpusError, ParameterError
from fstce.estimation.objective import Multinomials
from fstce.numeric.types import Floats, Ints
from fstce.parameters.tables import NOT_NEGATIVE

Index = NDArray[np.integer[Any]] | int

LEFT = 0
RIGHT = 1
ADJACENT = 0
NOT_ADJACENT = 1
STOP = 0
GO = 1


class DependencyModel:
    """The features of the model: their numbers, names and groups.

    Parameters
    ----------
    tags : iterable of str
        The tagset, in the order of the tags' numbers.

    Raises
    ------
    ParameterError
        There is no tag, or one comes twice.

    Examples
    --------
    >>> model = DependencyModel(["DT", "NN"])
    >>> model.size, model.names[int(model.child(1, 0, LEFT))]
    (26, ('child', 'NN', 'DT', 'left'))
    """

    def __init__(self, tags: Iterable[str]) -> None:
        self.tags: tuple[str, ...] = tuple(tags)
        if not self.tags or len(set(self.tags)) < len(self.tags):
            raise ParameterError("a tagset has at least one tag, and no tag twice")
        self._number = {tag: number for number, tag in enumerate(self.tags)}

    @property
    def n_tags(self) -> int:
        """The number V of tags."""
        return len(self.tags)

    @property
    def size(self) -> int:
        """The number V(2V + 9) of features."""
        return self.n_tags * (2 * self.n_tags + 9)

    def root(self, tag: Index) -> Ints:
        """The number of root(tag)."""
        return np.asarray(tag, dtype=np.int64)

    def child(self, head: Index, child: Index, side: Index) -> Ints:
        """The number of child(head, child, side); arguments broadcast."""
        head, child, side = (np.asarray(x, dtype=np.int64) for x in (head, child, side))
        return self.n_tags * (1 + 2 * head + side) + child

    def stop(self, head: Index, side: Index, valence: Index, choice: Index = STOP) -> Ints:
        """The number of stop(head, side, valence, choice); GO follows STOP."""
        head, side, valence, choice = (
            np.asarray(x, dtype=np.int64) for x in (head, side, valence, choice)
        )
        return self.n_tags * (2 * self.n_tags + 1) + 8 * head + 4 * side + 2 * valence + choice

    @cached_property
    def names(self) -> list[tuple[str, ...]]:
        """The features' names in order of their numbers."""
        pairs = [(tag, side) for tag in self.tags for side in ("left", "right")]
        roots = [("root", tag) for tag in self.tags]
        children = [("child", head, child, side) for head, side in pairs for child in self.tags]
        choices = list(product(("adj", "non"), ("stop", "go")))
        stops = [("stop", head, side, *choice) for head, side in pairs for choice in choices]
        return [*roots, *children, *stops]

    @cached_property
    def group(self) -> Ints:
        """The distribution of each feature: root, child by head and side, stop by the rest."""
        roots_and_children = np.repeat(np.arange(1 + 2 * self.n_tags), self.n_tags)
        return np.append(roots_and_children, 1 + 2 * self.n_tags + np.arange(8 * self.n_tags) // 2)

    def numbers(self, tags: Sequence[str]) -> Ints:
        """The numbers of these tags, shape (len(tags),)."""
        try:
            return np.array([self._number[tag] for tag in tags], dtype=np.int64)
        except KeyError as error:
            raise CorpusError(
                f"the tag {error.args[0]!r} is not among the grammar's {self.n_tags}"
            ) from None

    def log_probabilities(self, counts: Floats) -> Floats:
        """The log of the counts over their group's sum, shape (size,); a group of zeros is uniform.

        >>> model = DependencyModel(["N"])
        >>> counts = np.array([2, 1, 1, 3, 1, 0, 2, 0, 0, 5, 5])
        >>> np.exp(model.log_probabilities(counts)).round(2).tolist()
        [1.0, 1.0, 1.0, 0.75, 0.25, 0.0, 1.0, 0.5, 0.5, 0.5, 0.5]
        """
        return Multinomials(self.group).normalize(counts)

    def tree_counts(self, tags: Sequence[str], heads: Sequence[int]) -> Floats:
        """How often each feature occurs in a tree, shape (size,).

        ``heads``: the head of each word, numbered from 1; 0 for a root.
        """
        tag = self.numbers(tags)
        head = np.asarray(heads, dtype=np.int64) - 1
        child = np.flatnonzero(head >= 0)
        of_child = head[child]
        side = np.where(child > of_child, RIGHT, LEFT)

        counts = np.zeros(self.size)
        np.add.at(counts, self.root(tag[head < 0]), 1.0)
        np.add.at(counts, self.child(tag[of_child], tag[child], side), 1.0)

        # Each side of each word has a stop, a go to its first child and to each later one
        n_children = np.zeros((len(tag), 2), dtype=np.int64)
        np.add.at(n_children, (of_child, side), 1)
        has_child = np.minimum(n_children, 1)
        choices = partial(self.stop, tag[:, None], np.array([LEFT, RIGHT]))
        np.add.at(counts, choices(has_child, STOP), 1.0)
        np.add.at(counts, choices(ADJACENT, GO), has_child)
        np.add.at(counts, choices(NOT_ADJACENT, GO), n_children - has_child)
        return counts

    def klein_manning(self, sentences: Iterable[Sequence[str]], smoothing: float = 0.1) -> Floats:
        """Klein & Manning's harmonic start in Noah Smith's form, as log probabilities.

        Words attach to one another in inverse proportion to their distance, and each is
        the root as often as any other. ``smoothing``: λ ≥ 0, added to every count.
        """
        NOT_NEGATIVE.check(smoothing=smoothing)
        counts = np.zeros(self.size)
        correction = np.zeros(self.size)
        for sentence in sentences:
            self._add_harmonic(self.numbers(sentence), counts, correction)
        counts += smoothing

        # No count shall fall below zero: the correction goes nine tenths of the way there.
        lowered = correction < 0
        room = -counts[lowered] / correction[lowered]
        furthest = min(1.0, float(np.min(room, initial=np.inf)))
        return self.log_probabilities(counts + 0.9 * furthest * correction)

    def _add_harmonic(self, tag: Ints, counts: Floats, correction: Floats) -> None:
        """Add what the words of one sentence, of these tags, attach to one another."""
        n_words = len(tag)
        np.add.at(counts, self.root(tag), 1.0 / max(n_words, 1))

        # share[i, j]: how much word j attaches to word i, (n_words, n_words)
        position = np.arange(n_words)
        distance = np.abs(position[:, None] - position)
        nearness = np.divide(1.0, distance, out=np.zeros(distance.shape), where=distance > 0)
        of_word = np.maximum(nearness.sum(axis=0), 1e-300)  # a word by itself is near to none
        share = nearness / of_word * (n_words - 1) / max(n_words, 1)

        for side, attached in ((LEFT, np.tril(share)), (RIGHT, np.triu(share))):
            np.add.at(counts, self.child(tag[:, None], tag, side), attached)
            np.add.at(counts, self.stop(tag, side, ADJACENT), 1.0)
            children = attached.sum(axis=1)
            np.add.at(counts, self.stop(tag, side, NOT_ADJACENT, GO), children)

            # What has children has a first one: from the later ones' choices to the first one's
            heads = tag[children > 0]
            for choice, change in ((GO, 1.0), (STOP, -1.0)):
                np.add.at(correction, self.stop(heads, side, ADJACENT, choice), change)
                np.add.at(correction, self.stop(heads, side, NOT_ADJACENT, choice), -change)
