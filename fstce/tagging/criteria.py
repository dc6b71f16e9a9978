"""What a tagger is trained to maximize, by name, and what of: sentences, dictionary, features.

======================  ======================  ====================  =========================
criterion               numerator               denominator           source
======================  ======================  ====================  =========================
contrastive             x, all taggings         the neighborhood     2005a, Eq. 7
em                      x, all taggings         locally normalized    Merialdo (1994)
joint                   x and its tags          locally normalized    relative frequencies
conditional             x and its tags          x, all taggings       Lafferty et al. (2001)
supervised-contrastive  x and its tags          the neighborhood     2005b, Table 1
======================  ======================  ====================  =========================

``contrastive`` with a few tagged sentences with the raw ones adds their conditional
likelihood (2005a, §6); ``em`` with them adds their joint likelihood.

The neighborhood ``auto`` is the mean of the weights of three models: contrasts with words of like
frequency and other tags (SUB1BAND) and with another order of words (TRANS1), which have spelling
features, and an HMM by EM (:mod:`fstce.estimation.objective`). The first counts as much as the two
others together. They fail on different corpora: see docs/results/answers.md. Where the dictionary
lists less than half of the text, SUB1BAND exchanges all its words, not those of the dictionary
alone, and the HMM counts as much as both contrasts.
The HMM is left out where features of tokens are asked for, which no HMM has.

A tagger with features of tokens (:class:`TokenFeatures`) sees words with their neighbors: the
features ``context`` make a symbol of each word and its two neighbors. They are for sentences that
are observed, where every word knows its neighbors: a supervised chain (Lafferty et al. 2001). In a
neighborhood a word's neighbors differ from path to path, which its lattice does not tell apart;
there they are refused.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from fstce.corpora.coverage import HALF, Coverage, without_slips
from fstce.corpora.dictionary import TagDictionary, dictionary_of
from fstce.corpora.vocabulary import Vocabulary
from fstce.corpora.words import (
    check_aligned,
    checked_counts,
    checked_sentences,
    listed,
    optional_rows,
)
from fstce.errors import CorpusError, ParameterError
from fstce.estimation.objective import (
    AveragedObjective,
    Expert,
    GaussianPrior,
    Likelihood,
    Multinomials,
    Objective,
    Scaled,
)
from fstce.estimation.resources import Resources
from fstce.grammars import token_features
from fstce.neighborhoods.base import Neighborhood
from fstce.neighborhoods.registry import AUTO, neighborhood
from fstce.numeric.types import Floats, Rows, Sentences, Words
from fstce.parameters.rules import is_listable, shown
from fstce.tagging.answers import NOISE, Answers, checked_answers, with_answers
from fstce.tagging.parameters import KINDS_OF_FEATURES, TAGGER
from fstce.tagging.readings import OfReadings, ReadingTags
from fstce.tagging.unknown_words import (
    RARE,
    UnknownWordData,
    UnknownWordDictionary,
    training_dictionary,
    with_observed,
)
from fstce.wfsa.compile import Contrast, TrainingData
from fstce.wfsa.features import TagFeatures, word_of
from fstce.wfsa.parts import TagParts

Dictionary = TagDictionary | Mapping[str, str | Iterable[str]]
Tagged = tuple[Sentences, Sentences]
Parts = str | Mapping[str, Sequence[str]]

CRITERIA = TAGGER["criterion"].choices
LOCAL = ("em", "joint")
SHARES = {"sub1band": 1.0, "trans1": 0.5}  # of the contrasts of auto, and
HMM = 0.5  # that of its HMM
OF_PARTS = ("length",)  # of auto, where tags have parts
PAIRS = 0.1  # the variance of the weights of pairs of parts, as a share of that of words'
SWAPPED = 2  # tags a word, and
MOST_OF_FEW = 10  # tags, more than which are words
SUPERVISED = ("joint", "conditional", "supervised-contrastive")


class Corpus(NamedTuple):
    """Sentences, their tags where they are observed, and how often each occurs, if not once."""

    sentences: Rows
    tags: Rows | None = None
    counts: Sequence[int] | None = None


@dataclass(frozen=True)
class Criterion:
    """A criterion that training maximizes.

    ``contrasts``: the denominators, where the criterion does not say them; they share the weight.
    ``alpha``: the weight of raw sentences against labeled ones. ``auto``: whether models by EM and
    by each of the contrasts are averaged, and ``hmm``: how much the former counts.
    """

    name: str
    contrasts: tuple[str | Neighborhood, ...]
    sigma2: float | Mapping[str, float] | None
    smoothing: float
    alpha: float
    auto: bool = False
    hmm: float = HMM


def criterion_of(parameters: Mapping[str, Any]) -> Criterion:
    """The criterion of a tagger of these parameters."""
    settings = {name: parameters[name] for name in ("sigma2", "smoothing", "alpha")}
    name = parameters["criterion"]
    if not is_auto(parameters["neighborhood"]):
        return Criterion(name, (parameters["neighborhood"],), **settings)
    if parameters["parts"] is not None:
        return Criterion(name, OF_PARTS, **settings)
    return Criterion(name, tuple(SHARES), auto=name == "contrastive", **settings)


def is_auto(kind: str | Neighborhood) -> bool:
    """Whether a neighborhood is left to the tagger."""
    return isinstance(kind, str) and kind.strip().lower() == AUTO


def check_tags(criterion: Criterion, corpus: Corpus, labelled: Corpus | None = None) -> None:
    """Raise ParameterError where a criterion lacks its tags, or allows no labeled sentences."""
    has_more = corpus.counts is not None or labelled is not None
    if criterion.name in SUPERVISED and (corpus.tags is None or has_more):
        raise ParameterError(
            f"the criterion {criterion.name!r} learns from tags: give those of every sentence, "
            "without counts and without other labeled sentences"
        )


def training_data(
    criterion: Criterion,
    corpus: Corpus,
    dictionary: TagDictionary,
    labelled: Corpus | None = None,
) -> list[TrainingData]:
    """The training data of a corpus, and of labeled sentences with it, under a criterion."""
    check_tags(criterion, corpus, labelled)
    observed = None if criterion.name in LOCAL else neighborhood("identity")
    contrasts = [observed]
    if criterion.name not in (*LOCAL, "conditional"):
        contrasts = [over_text(kind, corpus.sentences, dictionary) for kind in criterion.contrasts]

    gold = corpus.tags if criterion.name in SUPERVISED else None
    whole = 1.0 if labelled is None else criterion.alpha
    share = whole / len(contrasts)
    rows = [
        TrainingData(corpus.sentences, contrast, gold, share, 0.0, corpus.counts)
        for contrast in contrasts
    ]
    rows[0] = replace(rows[0], shown=whole)  # the sentences themselves once
    if labelled is not None:
        rows.insert(0, TrainingData(labelled.sentences, observed, labelled.tags))
    return rows


def over_text(kind: str | Neighborhood, sentences: Rows, dictionary: TagDictionary) -> Neighborhood:
    """The neighborhood over the words of a text, if it wants some."""
    contrast = neighborhood(kind)
    if not contrast.wants_vocabulary:
        return contrast
    return contrast.with_vocabulary(vocabulary_of(sentences, dictionary))


def vocabulary_of(sentences: Rows, dictionary: TagDictionary) -> Vocabulary:
    """The tokens of a text, counted; those of listed words with the tags that they may take.

    Where few are listed all tokens with their tags.
    """
    counts = Vocabulary.of(sentences)
    are_all = lists_little(dictionary, counts)
    exchanged = [token for token in counts if are_all or word_of(token) in dictionary]
    tags = OfReadings(dictionary).lookup_all(exchanged)
    return Vocabulary(counts, dict(zip(exchanged, tags, strict=True)))


def lists_little(dictionary: TagDictionary, counts: Vocabulary) -> bool:
    """Whether a dictionary lists less than half of the tokens of a text, which are counted."""
    n_listed = (n for token, n in counts.items() if word_of(token) in dictionary)
    return sum(n_listed) < HALF * counts.total()


def objective(criterion: Criterion, contrast: Contrast) -> Objective | Likelihood:
    """The function of θ that training maximizes."""
    if criterion.name in LOCAL:
        return Likelihood(
            contrast.terms, Multinomials(contrast.features.group), criterion.smoothing
        )

    prior = _prior(criterion.sigma2, contrast.features)
    together = Objective(contrast.numerators, prior, contrast.denominators)
    if not criterion.auto:
        return together

    # of labeled sentences the denominators stand before those of the contrasts, which share the
    # weight
    n = len(SHARES)
    labelled, parts = contrast.denominators[:-n], contrast.denominators[-n:]
    members = []
    for (name, share), part in zip(SHARES.items(), parts, strict=True):
        own = Objective(contrast.numerators, prior, [*labelled, Scaled(part, n)])
        members.append(Expert(name, share, own))
    if contrast.features.has_words:
        hmm = Multinomials(contrast.features.group)
        likelihood = Likelihood(contrast.numerators, hmm, criterion.smoothing)
        members.insert(0, Expert("hmm", criterion.hmm, likelihood))
    return AveragedObjective(together, members)


def _prior(sigma2: float | Mapping[str, float] | None, features: TagFeatures) -> GaussianPrior:
    """The Gaussian prior on the weights, of one variance or of one for each kind of feature."""
    share_of_kind: dict[str, float] = {}
    if features.parts is not None:
        share_of_kind = {"ngram": PAIRS}
    if isinstance(sigma2, Mapping):
        share_of_kind |= sigma2
        sigma2 = 1.0
    if not share_of_kind:
        return GaussianPrior(sigma2)

    sizes = (features.first_word, len(features.word), len(features.spelling))
    shares = np.repeat([share_of_kind.get(kind, 1.0) for kind in KINDS_OF_FEATURES], sizes)
    return GaussianPrior(sigma2, shares=shares)


def compiled(
    parameters: Mapping[str, Any],
    corpus: Corpus,
    labelled: Corpus | None,
    dictionary: Dictionary | None,
    answers: Answers | None,
    resources: Resources,
) -> tuple[Criterion, TagDictionary, Contrast]:
    """A tagger's parameters compiled over sentences, and over labeled ones if there are any.

    Returns the criterion, the tags of every word, and the automata with their features.
    """
    described = TokenFeatures.of(
        parameters["features"], parameters["gazetteer"], parameters["spelling"]
    )
    criterion = criterion_of(parameters)
    check_tags(criterion, corpus, labelled)
    is_supervised = criterion.name in SUPERVISED
    # The features of a supervised chain say more of an unknown word than the dictionary's types do.
    is_predicting = parameters["unknown_word_model"] and not (is_supervised and described)

    reading = ReadingTags(parameters["reading_tags"])
    if dictionary is None:
        dictionary = reading.dictionary(corpus.sentences)
    entries = _entries(dictionary, corpus, labelled, answers, reading, is_predicting)
    if is_supervised and is_predicting:
        entries = _with_gold(entries, corpus)
    if criterion.auto and lists_little(entries, Vocabulary.of(corpus.sentences)):
        criterion = replace(criterion, hmm=sum(SHARES.values()))
    allowed = entries
    if is_supervised and described and corpus.tags is not None:
        rare = parameters["rare"] or RARE
        allowed = training_dictionary(entries, corpus.sentences, corpus.tags, rare)

    if criterion.auto and described:
        warnings.warn(
            "features: auto is without its HMM, which has no features of tokens; compare with a "
            "training without them",
            stacklevel=4,
        )
    has_hmm = criterion.name in LOCAL or (criterion.auto and not described)
    seen = described.tokens(reading.tokens(corpus.sentences, entries.tagset))
    believed = entries if isinstance(entries, UnknownWordDictionary) else None
    contrast = Contrast(
        training_data(criterion, corpus._replace(sentences=seen), entries, labelled),
        OfReadings(described.of_words(allowed)),
        entries.tagset,
        parameters["order"],
        spelling=described or parameters["spelling"] or criterion.auto,
        oov=parameters["oov"] or has_hmm,
        rare=parameters["rare"],
        dense=has_hmm,
        fixed=described.of_words(believed),
        observed=bool(described) and criterion.name == "conditional",
        listed=entries if parameters["listed_only"] else None,
        parts=parts_of(entries.tagset, parameters["parts"]),
        resources=resources,
    )
    return criterion, entries, contrast


def parts_of(tags: Sequence[str], split: Parts | None) -> TagParts | None:
    """The parts of the tags, which a separator or a mapping says.

    None where none does.
    """
    if split is None:
        return None
    parts: Iterable[Iterable[str]]
    if isinstance(split, str):
        parts = (filter(None, tag.split(split)) for tag in tags)
    else:
        parts = (split.get(tag, (tag,)) for tag in tags)
    return TagParts.of([*map(tuple, parts)])


def training_corpora(
    sentences: Sentences,
    tags: Sentences | None,
    labelled: Tagged | None,
    counts: Sequence[int] | None,
) -> tuple[Corpus, Corpus | None]:
    """The corpus to learn from, and the labeled sentences with it."""
    rows = checked_sentences(sentences)
    gold = optional_rows(tags, "tags")
    check_not_swapped(rows, gold)
    corpus = Corpus(rows, gold, checked_counts(counts, len(rows)))
    if labelled is None:
        return corpus, None
    if not is_listable(labelled) or len(parts := list(labelled)) != 2:
        raise CorpusError(f"labelled={shown(labelled)}: give a pair, sentences and their tags")
    return corpus, Corpus(checked_sentences(parts[0]), listed(parts[1], "tags", rows=True))


def check_not_swapped(rows: Rows, gold: Rows | None) -> None:
    """Raise CorpusError where the tags are many and the words few, as in ``fit(tags, words)``."""
    words = {word for row in rows for word in row}
    tags = {tag for row in gold or () for tag in row}
    if len(tags) > max(SWAPPED * len(words), MOST_OF_FEW):
        raise CorpusError(
            f"{len(words):,} different words have {len(tags):,} different tags: give the words "
            "first, and then their tags"
        )


def _entries(
    dictionary: Dictionary | None,
    corpus: Corpus,
    labelled: Corpus | None,
    answers: Answers | None,
    reading: ReadingTags,
    predict_unknown: bool,
) -> TagDictionary:
    """The tags of every word: listed, answered, observed in labeled sentences, predicted."""
    tagged = labelled or corpus
    if dictionary is not None:
        listed_words = TagDictionary.coerce(dictionary)
        # Where other words may take every tag, the dictionary was diluted so that little is known.
        is_diluted = listed_words.unseen == "all"
        if not (is_diluted or isinstance(listed_words, UnknownWordDictionary)):
            listed_words = listed_words.for_text(corpus.sentences)
            if len(listed_words):  # one of a tagset alone says that all words are open
                Coverage.of(listed_words, corpus.sentences).check("the dictionary")
    elif tagged.tags is not None:
        check_aligned(tagged.sentences, tagged.tags)
        listed_words = dictionary_of(tagged.sentences, tagged.tags)
    else:
        raise ParameterError(
            "give a dictionary: the tags that each word may take (or tags to read one from)"
        )

    if listed_words.counts:
        listed_words = without_slips(listed_words, NOISE)
    if answers is not None:
        said = checked_answers(answers, listed_words.tagset)
        said = reading.answers(said, corpus.sentences, listed_words.tagset)
        listed_words = with_answers(listed_words, said)
    if labelled is not None:  # before tags are predicted, which may be those of the sentences alone
        listed_words = with_observed(
            listed_words, labelled.sentences, labelled.tags or (), oov=False
        )

    if predict_unknown and len(listed_words):
        if isinstance(listed_words, UnknownWordDictionary):
            listed_words = listed_words.listed
        data = UnknownWordData(listed_words, corpus.sentences)
        listed_words = UnknownWordDictionary(listed_words, data)
    if labelled is None:
        return listed_words
    return with_observed(listed_words, labelled.sentences, labelled.tags or ())


def _with_gold(dictionary: TagDictionary, corpus: Corpus) -> TagDictionary:
    """The dictionary in which no unlisted word lacks a tag of the corpus that it might have."""
    sides = (chain.from_iterable(rows) for rows in (corpus.sentences, corpus.tags or ()))
    pairs = zip(*sides, strict=False)
    new = [(w, t) for w, t in pairs if w not in dictionary and t in dictionary.tagset]
    return with_observed(dictionary, [[word for word, _ in new]], [[tag for _, tag in new]])


@dataclass(frozen=True)
class TokenFeatures:
    """The features of tokens that a tagger has besides those of tags; false where it has none.

    ``templates``: of ``form``, ``context`` and ``spelling``. ``gazetteer``: names of lists by the
    words on them.
    """

    templates: tuple[str, ...] = ()
    gazetteer: Mapping[str, tuple[str, ...]] | None = None

    @classmethod
    def of(
        cls,
        features: Sequence[str],
        gazetteer: TagDictionary | Mapping[str, Any] | None,
        spelling: bool,
    ) -> TokenFeatures:
        """The features that a tagger's parameters ask for.

        Spelling alone has the features of the paper.
        """
        if not features and gazetteer is None:
            return cls()
        templates = (*features, *["spelling"] * spelling)
        if gazetteer is None:
            return cls(templates)
        return cls(templates, dict(TagDictionary.coerce(gazetteer)))

    def __bool__(self) -> bool:
        return bool(self.templates) or self.gazetteer is not None

    def __call__(self, token: str) -> tuple[str, ...]:
        """The names of a token's features."""
        return token_features.build(token, self.templates, self.gazetteer or {})

    @property
    def in_context(self) -> bool:
        """Whether they look at a word's neighbors."""
        return "context" in self.templates

    def of_words(self, words: Any) -> Any:
        """A dictionary, or beliefs about words if there are any, as those of these tokens."""
        return OfTokens(words) if self.in_context and words is not None else words

    def described(self, features: TagFeatures) -> TagFeatures:
        """A model's features, which name those of tokens as these do."""
        if not self:
            return features
        return replace(features, fixed=self.of_words(features.fixed), describe=self)

    def tokens(self, rows: Rows) -> Rows:
        """The sentences as tokens: the words themselves, or with their neighbors."""
        if not self.in_context:
            return rows
        for number, row in enumerate(rows, 1):
            strange = next((word for word in row if token_features.SEPARATOR in word), None)
            if strange is not None:
                raise CorpusError(
                    f"sentence {number}: the word {strange!r} holds {token_features.SEPARATOR}, "
                    "which stands between the words of a token; respell it, or leave out the "
                    "features of the context"
                )
        return list(map(_in_context, rows))


def _in_context(row: Words) -> list[str]:
    """The words of a sentence as tokens with their neighbors, and their own readings."""
    words = [*map(word_of, row)]
    tokens = map(token_features.in_context, ["", *words[:-1]], words, [*words[1:], ""])
    rows = zip(tokens, words, row, strict=True)
    return [token + symbol.removeprefix(word) for token, word, symbol in rows]


@dataclass(frozen=True)
class OfTokens:
    """Knowledge of words as knowledge of tokens in context.

    A dictionary, or what is believed.
    """

    words: Any

    def lookup_all(self, tokens: Words) -> list[tuple[str, ...]]:
        """The tags that each token's word may take."""
        return list(self.words.lookup_all([*map(token_features.middle, tokens)]))

    def log_scores(self, tokens: Words) -> Floats:
        """The log scores of the tokens' words."""
        return np.asarray(self.words.log_scores([token_features.middle(token) for token in tokens]))


def check_words_alone(features: TagFeatures) -> None:
    """Raise ParameterError where a word's features look at its neighbors."""
    if isinstance(features.describe, TokenFeatures) and features.describe.in_context:
        raise ParameterError(
            "the features of the context look at the words next to a word, which a machine or a "
            "neighborhood of words does not know; train with features form alone"
        )
