"""What a tagger with features of tokens sees of its sentences: words with their neighbors.

The features ``context`` make a symbol of each word and its two neighbors. They are for
sentences that are observed, where every word knows its neighbors: a supervised chain
(Lafferty et al. 2001). In a neighborhood a word's neighbors differ from path to path, which
its lattice does not tell apart; there such features are refused.

Words seen once say nothing of unknown words if their own tags are all that they may take:
numerator and denominator agree on each of their features. In training rare words may take
every tag of an open class, as if they were not listed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fstce.corpora.dictionary import TagDictionary
from fstce.errors import CorpusError, ParameterError
from fstce.grammars import token_features
from fstce.numeric.types import Floats, Rows
from fstce.tagging.parameters import CONTEXT
from fstce.wfsa.features import Guess, TagFeatures, TagLookup

RARE = 4  # words seen at most so often


@dataclass(frozen=True)
class TokenFeatures:
    """The features of tokens that a tagger has besides those of tags; false where it has none.

    ``templates``: of ``form``, ``context`` and ``spelling``. ``gazetteer``: names of lists by the words on
    them.
    """

    templates: tuple[str, ...] = ()
    gazetteer: Mapping[str, tuple[str, ...]] | None = None

    @classmethod
    def of(
        cls, features: Sequence[str], gazetteer: TagDictionary | Mapping[str, Any] | None, spelling: bool
    ) -> TokenFeatures:
        """Those that a tagger's parameters ask for; spelling alone has the features of the paper."""
        if not features and gazetteer is None:
            return cls()
        templates = (*features, *(("spelling",) if spelling else ()))
        listed = {} if gazetteer is None else TagDictionary.coerce(gazetteer).to_dict()["words"]
        return cls(templates, {word: tuple(names) for word, names in listed.items()})

    def __bool__(self) -> bool:
        return bool(self.templates) or self.gazetteer is not None

    def __call__(self, token: str) -> tuple[str, ...]:
        """The names of a token's features."""
        return token_features.build(token, self.templates, self.gazetteer or {})

    @property
    def in_context(self) -> bool:
        """Whether they look at a word's neighbors."""
        return any(name in CONTEXT for name in self.templates)

    def lookup(self, dictionary: TagDictionary) -> TagLookup:
        """The dictionary as one of these tokens."""
        return OfTokens(dictionary) if self.in_context else dictionary

    def guess(self, words: Guess | None) -> Guess | None:
        """What is believed of words as belief about these tokens."""
        return words if words is None or not self.in_context else OfTokens(words)

    def described(self, features: TagFeatures) -> TagFeatures:
        """A model's features, which name those of tokens as these do."""
        return replace(features, guess=self.guess(features.guess), describe=self) if self else features

    def tokens(self, rows: Rows) -> Rows:
        """The sentences as tokens: the words themselves, or with their neighbors."""
        if not self.in_context:
            return rows
        for number, row in enumerate(rows, 1):
            strange = next((word for word in row if token_features.SEPARATOR in word), None)
            if strange is not None:
                raise CorpusError(
                    f"sentence {number}: the word {strange!r} holds {token_features.SEPARATOR}, which stands "
                    "between the words of a token; respell it, or leave out the features of the context"
                )
        return [
            [
                token_features.in_context(*three)
                for three in zip(["", *row[:-1]], row, [*row[1:], ""], strict=True)
            ]
            for row in map(list, rows)
        ]


@dataclass(frozen=True)
class OfTokens:
    """What is known of words as knowledge of tokens in context: a dictionary, or what is believed."""

    words: Any

    def lookup(self, token: str) -> tuple[str, ...]:
        """The tags that a token's word may take."""
        return tuple(self.words.lookup(token_features.middle(token)))

    def log_scores(self, tokens: Sequence[str]) -> Floats:
        """As of the tokens' words."""
        return np.asarray(self.words.log_scores([token_features.middle(token) for token in tokens]))


def training_dictionary(dictionary: TagDictionary, sentences: Rows, gold: Rows, rare: int) -> TagDictionary:
    """The tags that words may take in supervised training: rare words those of open classes as well.

    ``rare``: words seen at most so often count as unknown.
    """
    counted = Counter(word for row in sentences for word in row)
    observed: defaultdict[str, set[str]] = defaultdict(set)
    for row, tags in zip(sentences, gold, strict=True):
        for word, tag in zip(row, tags, strict=True):
            observed[word].add(tag)
    unknown = set(dictionary.open_class if dictionary.unseen == "open" else dictionary.tagset)
    listed = {
        word: dictionary[word] if word in dictionary and count > rare else unknown | observed[word]
        for word, count in counted.items()
    }
    return TagDictionary(listed, dictionary.tagset, dictionary.open_class, dictionary.unseen)


def check_words_alone(features: TagFeatures) -> None:
    """Raise ParameterError where a word's features look at its neighbors."""
    if isinstance(features.describe, TokenFeatures) and features.describe.in_context:
        raise ParameterError(
            "the features of the context look at the words next to a word, which a machine or a "
            "neighborhood of words does not know; train with features form alone"
        )
