"""What a training is made of, before anything is built: sentences, dictionary, criterion, features."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fstce.corpora.dictionary import TagDictionary
from fstce.corpora.rows import check_aligned, checked_counts, dictionary_of, listed, optional_rows
from fstce.corpora.spreadsheet import rows_of
from fstce.errors import CorpusError, ParameterError
from fstce.estimation.estimator import checked_sentences
from fstce.estimation.resources import Resources
from fstce.numeric.rules import is_listable, shown
from fstce.numeric.types import Rows, Sentences
from fstce.tagging.answers import Answers, checked_answers, with_answers, without_noise
from fstce.tagging.criteria import Corpus, Criterion
from fstce.tagging.guessing import GuessingDictionary, with_observed
from fstce.tagging.type_model import TypeEvidence
from fstce.wfsa.compile import Contrast, TrainingData
from fstce.wfsa.features import TagLookup

Dictionary = TagDictionary | Mapping[str, str | Iterable[str]]
Tagged = tuple[Sentences, Iterable[Sequence[str]]]
Text = Any  # Sentences, or a pandas DataFrame


@dataclass(frozen=True)
class TrainingPlan:
    """A training before its automata are built.

    ``dictionary``: the tags of every word. ``evidence``: the sentences and what they are contrasted
    with. ``allowed``: the dictionary as the features see words. ``features``: of the contrast, by
    name.
    """

    criterion: Criterion
    dictionary: TagDictionary
    evidence: Sequence[TrainingData]
    allowed: TagLookup
    order: int
    features: Mapping[str, Any]

    def build(self, resources: Resources) -> Contrast:
        """The automata and the features."""
        tags = self.dictionary.tagset
        return Contrast(self.evidence, self.allowed, tags, self.order, **self.features, resources=resources)


def training_corpora(
    sentences: Text,
    tags: Iterable[Sequence[str]] | None,
    labelled: Tagged | None,
    counts: Sequence[int] | None,
) -> tuple[Corpus, Corpus | None]:
    """What is learnt from, and the labelled sentences beside it."""
    text, own = rows_of(sentences)
    rows = checked_sentences(text)
    gold = optional_rows(own if tags is None else tags, "tags")
    corpus = Corpus(rows, gold, checked_counts(counts, len(rows)))
    return corpus, None if labelled is None else _pair(labelled)


def training_entries(
    dictionary: Dictionary | None,
    corpus: Corpus,
    labelled: Corpus | None,
    answers: Answers | None,
    predict_unknown: bool,
) -> TagDictionary:
    """The tags of every word: listed without noise, answered, observed in labelled sentences, predicted."""
    listed_words = without_noise(_dictionary(labelled or corpus, dictionary))
    if answers is not None:
        listed_words = with_answers(listed_words, checked_answers(answers))
    if labelled is not None:  # before tags are predicted, which may be those of the sentences alone
        listed_words = with_observed(listed_words, labelled.sentences, labelled.tags or (), unlisted=False)
    entries = predicting(listed_words, corpus.sentences) if predict_unknown else listed_words
    return entries if labelled is None else with_observed(entries, labelled.sentences, labelled.tags or ())


def predicting(dictionary: TagDictionary, rows: Rows) -> TagDictionary:
    """The dictionary with an unknown-word model for words that it does not list, if it lists some."""
    own = dictionary.listed if isinstance(dictionary, GuessingDictionary) else dictionary
    return GuessingDictionary(own, TypeEvidence(own, rows)) if len(own) else own


def _pair(labelled: Tagged) -> Corpus:
    if not is_listable(labelled) or len(parts := list(labelled)) != 2:
        raise CorpusError(f"labelled={shown(labelled)}: give a pair, sentences and their tags")
    return Corpus(checked_sentences(parts[0]), listed(parts[1], "tags", rows=True))


def _dictionary(corpus: Corpus, dictionary: Dictionary | None) -> TagDictionary:
    if dictionary is not None:
        return TagDictionary.coerce(dictionary)
    if corpus.tags is None:
        raise ParameterError("give a dictionary: the tags that each word may take (or tags to read one from)")
    check_aligned(corpus.sentences, corpus.tags)
    return dictionary_of(corpus.sentences, corpus.tags)
