"""The tagger under NLTK's interface."""

import sys

import pytest

from fstce import TagDictionary, Tagger
from fstce.corpora import sample
from fstce.errors import CorpusError, MissingToolError, NotFittedError
from fstce.estimation.nltk_views import NltkTagger, nltk_view

SENTENCES = sample()
TRAINING = [sentence for sentence in SENTENCES if len(sentence) <= 9][:60]
HELD_OUT = SENTENCES[100:120]


@pytest.fixture(scope="module")
def tagger():
    dictionary = TagDictionary.from_corpus(SENTENCES, first=150)
    return Tagger(order=2, max_iterations=5).fit(TRAINING, dictionary=dictionary)


@pytest.fixture
def view(tagger):
    pytest.importorskip("nltk")
    return nltk_view(NltkTagger, tagger)


def test_is_an_nltk_tagger(view, tagger):
    from nltk.tag.api import TaggerI

    assert isinstance(view, TaggerI)
    assert isinstance(tagger.as_nltk(), TaggerI)
    assert repr(view) == f"<NLTK view of {tagger!r}>"


def test_tags_of_one_sentence(view, tagger):
    sentence = HELD_OUT[0]
    assert view.tag(sentence) == list(
        zip(sentence.words, tagger.predict([sentence])[0], strict=True)
    )


def test_tags_of_many_sentences_in_one_batch(view, tagger, monkeypatch):
    expected, batches = tagger.predict(HELD_OUT), []
    monkeypatch.setattr(tagger, "predict", lambda rows: batches.append(rows) or expected)
    found = view.tag_sents(iter(HELD_OUT))
    assert [[tag for _, tag in row] for row in found] == expected
    assert [[word for word, _ in row] for row in found] == [list(sentence) for sentence in HELD_OUT]
    assert len(batches) == 1


def test_empty_sentences_have_no_tags(view):
    words = list(HELD_OUT[0])
    assert view.tag([]) == []
    assert view.tag_sents([]) == []
    assert view.tag_sents([[], words, []]) == [[], view.tag(words), []]


def test_inherited_accuracy_is_ours(view, tagger):
    gold = [list(zip(sentence.words, sentence.tags, strict=True)) for sentence in HELD_OUT]
    expected = tagger.score(HELD_OUT, [sentence.tags for sentence in HELD_OUT])
    assert 0 < expected < 1
    assert view.accuracy(gold) == pytest.approx(expected)


def test_words_are_checked_as_ever(view):
    with pytest.raises(CorpusError, match="white space"):
        view.tag(["two words"])


def test_untrained():
    with pytest.raises(NotFittedError, match="not trained yet"):
        Tagger().as_nltk()


def test_without_nltk(tagger, monkeypatch):
    monkeypatch.setitem(sys.modules, "nltk.tag.api", None)
    with pytest.raises(MissingToolError, match=r"pip install fstce\[nltk\]"):
        nltk_view(NltkTagger, tagger)
