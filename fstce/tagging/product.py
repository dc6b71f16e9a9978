"""Products of taggers: their posteriors, multiplied."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

import numpy as np

from fstce.corpora.dictionary import TagDictionary
from fstce.errors import ParameterError
from fstce.estimation.model import Answering, Gold
from fstce.evaluation.tagging import accuracy
from fstce.numeric.kernels import places
from fstce.numeric.types import Floats, Sentences
from fstce.parameters.rules import Table, check
from fstce.storage.state import State
from fstce.tagging.parameters import TAGGER_PRODUCT
from fstce.tagging.readings import ReadingTags
from fstce.tagging.tagger import Tagger


class TaggerProduct(Answering):
    """The product of trained taggers' posteriors.

    Attributes
    ----------
    tags_ : tuple of str
        The tagset; columns of `predict_proba`.
    dictionary_ : TagDictionary
        The first member's.

    Raises
    ------
    ParameterError
        There is none.

    Examples
    --------
    Those of the methods go on with this product.

    >>> from fstce import Tagger, TaggerProduct
    >>> text = [["we", "fish"], ["we", "swim"]]
    >>> tags = {"we": "P", "fish": ("N", "V"), "swim": "V"}
    >>> members = [Tagger(name, order=2) for name in ("trans1", "length")]
    >>> product = TaggerProduct([tagger.fit(text, dictionary=tags) for tagger in members])
    >>> product.predict([["we", "fish"]])
    [['P', 'V']]
    """

    rules: ClassVar[Table] = TAGGER_PRODUCT
    KIND: ClassVar[str] = "tagger product"
    GOLD: ClassVar[str] = Tagger.GOLD
    _rows = staticmethod(Tagger._rows)
    _share_right = staticmethod(accuracy)
    SIZES: ClassVar[Mapping[str, str]] = {"tags_": "tags", "taggers": "taggers"}

    def __init__(self, taggers: Sequence[Tagger]) -> None:
        check(TAGGER_PRODUCT, taggers=taggers)
        self.taggers = taggers

    @property
    def tags_(self) -> tuple[str, ...]:
        """All members' tags; where some are of whole readings of a stream, theirs.

        Examples
        --------
        >>> product.tags_
        ('N', 'P', 'V')
        """
        for tagger in self.taggers:
            tagger._check_fitted("tags_")
        rule = self.reading_tags
        members = [tagger for tagger in self.taggers if tagger.reading_tags == rule]
        return tuple(sorted({tag for tagger in members for tag in tagger.tags_}))

    @property
    def dictionary_(self) -> TagDictionary:
        """The tags of every word, to the first member.

        Examples
        --------
        >>> product.dictionary_["we"]
        ('P',)
        """
        self.taggers[0]._check_fitted("dictionary_")
        return self.taggers[0].dictionary_

    @property
    def order(self) -> int:
        """The length of a tag n-gram, the longest of the members.

        Examples
        --------
        >>> TaggerProduct([Tagger(order=2), Tagger(order=3)]).order
        3
        """
        return max(tagger.order for tagger in self.taggers)

    @property
    def reading_tags(self) -> str | Mapping[str, str]:
        """The tags of a stream's readings: whole ones if a member's are, else the first's."""
        rules = [tagger.reading_tags for tagger in self.taggers]
        return "full" if "full" in rules else rules[0]

    def predict_proba(self, sentences: Sentences) -> list[Floats]:
        """Π of the members' posteriors, normalized: for each sentence shape (words, tags).

        Of a tag that a member lacks it believes what the others do on the mean; of a whole reading
        what it does of the reading's first symbol, if that is its tag.
        """
        rows = self._rows(sentences, least=0)
        tables = zip(*(tagger.predict_proba(rows) for tagger in self.taggers), strict=True)
        tags = self.tags_
        if all(tagger.tags_ == tags for tagger in self.taggers):
            return [multiplied(members) for members in tables]
        columns = [self._columns(tagger) for tagger in self.taggers]
        return [multiplied(_widened(members, columns)) for members in tables]

    def _columns(self, tagger: Tagger) -> list[int]:
        """For each tag a member's column, one behind all where it has none."""
        names: Iterable[str | None] = self.tags_
        if tagger.reading_tags != self.reading_tags:
            names = map(ReadingTags(tagger.reading_tags).of_full, self.tags_)
        place = places(tagger.tags_)
        return [place.get(name or "", len(place)) for name in names]

    def predict(self, sentences: Sentences) -> list[list[str]]:
        """The tags of each sentence's words under the product: those of the greatest.

        Parameters
        ----------
        sentences : iterable of sequences of str

        Returns
        -------
        list of lists of str

        Examples
        --------
        >>> product.predict([["we"]])
        [['P']]
        """
        self._check_parameters()
        tag = self.tags_.__getitem__
        tables = self.predict_proba(sentences)
        return [list(map(tag, table.argmax(axis=1).tolist())) for table in tables]

    def score(self, sentences: Sentences, gold: Gold) -> float:
        """The share of right tags, from 0 to 1.

        Parameters
        ----------
        sentences : iterable of sequences of str
        gold : iterable of sequences of str
            The right tags.

        Returns
        -------
        float

        Examples
        --------
        >>> product.score([["we"]], [["P"]])
        1.0
        """
        return self._accuracy(self._rows(sentences), gold)

    def to_state(self) -> State:
        parameters = self.get_params()
        del parameters["taggers"]
        members = (tagger._whole_state() for tagger in self.taggers)
        return State.of_members(self.KIND, parameters, members)

    @classmethod
    def from_state(cls, state: State) -> TaggerProduct:
        taggers = list(map(Tagger._of_whole_state, state.members(Tagger.KIND)))
        return cls.of_parameters(state.entries, taggers=taggers)

    def _parts(self) -> Sequence[Tagger]:
        return self.taggers


def the_one(model: Tagger | TaggerProduct, asked: str) -> Tagger:
    """The tagger; raises ParameterError of a product, which lacks what is asked for."""
    if isinstance(model, TaggerProduct):
        raise ParameterError(
            f"{asked}: a product of taggers is no one machine; train one (of a stream with "
            "--reading-tags first)"
        )
    return model


def multiplied(tables: Sequence[Floats]) -> Floats:
    """Π of the members' probabilities (words, tags), normalized; the mean where all are zero."""
    with np.errstate(divide="ignore"):
        logs = np.asarray(sum(np.log(table) for table in tables))
    best = logs.max(axis=1, keepdims=True)
    possible = np.isfinite(best)
    product = np.exp(logs - np.where(possible, best, 0.0))
    # Where every answer has probability zero for some member, the mean decides.
    weight = np.where(possible, product, sum(tables))
    return np.asarray(weight / weight.sum(axis=1, keepdims=True))


def _widened(tables: Sequence[Floats], columns: Sequence[Sequence[int]]) -> list[Floats]:
    """The members' tables over all tags, shape (words, tags), of which these are their columns.

    Others' geometric mean fills gaps.
    """
    gap = np.full((len(tables[0]), 1), np.nan)
    pairs = zip(tables, columns, strict=True)
    wide = [np.column_stack((table, gap))[:, column] for table, column in pairs]
    with np.errstate(divide="ignore"):
        logs = np.log(wide)
    return list(np.exp(np.where(np.isnan(logs), np.nanmean(logs, axis=0), logs)))
