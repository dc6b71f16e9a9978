"""Taggers and parsers under NLTK's interfaces."""

import sys

import pytest

from fstce import DependencyParser, TagDictionary, Tagger
from fstce.corpora import sample
from fstce.errors import CorpusError, MissingToolError, NotFittedError
from fstce.estimation.nltk_views import NltkParser, NltkTagger, nltk_view

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


TAGGED = (
    (("a", "D"), ("dog", "N"), ("barks", "V")),
    (("dogs", "N"), ("see", "V"), ("a", "D"), ("new york", "N")),
)


@pytest.fixture(scope="module")
def parser():
    return DependencyParser().fit([[tag for _, tag in row] for row in TAGGED])


@pytest.fixture
def parser_view(parser):
    pytest.importorskip("nltk")
    return parser.as_nltk()


class TestParser:
    """The dependency parser as an ``nltk.parse.api.ParserI``."""

    def test_is_an_nltk_parser(self, parser_view, parser):
        from nltk.parse.api import ParserI

        assert isinstance(parser_view, ParserI)
        assert repr(parser_view) == f"<NLTK view of {parser!r}>"
        assert parser_view.grammar() is None

    def test_graphs_have_the_words_tags_and_heads(self, parser_view, parser):
        for row in TAGGED:
            (graph,) = parser_view.parse(row)
            nodes = [graph.nodes[address] for address in range(1, len(row) + 1)]
            assert [(node["word"], node["tag"]) for node in nodes] == list(row)
            (heads,) = parser.predict([[tag for _, tag in row]])
            assert tuple(node["head"] for node in nodes) == heads
            assert graph.root["address"] == heads.index(0) + 1
            assert not graph.contains_cycle()

    def test_many_sentences(self, parser_view):
        graphs = [next(trees) for trees in parser_view.parse_sents(TAGGED)]
        assert [graph.to_conll(4) for graph in graphs] == [
            parser_view.parse_one(row).to_conll(4) for row in TAGGED
        ]

    def test_an_empty_sentence_has_no_tree(self, parser_view):
        assert list(parser_view.parse([])) == []
        assert parser_view.parse_one([]) is None

    def test_nltks_evaluation_agrees_with_ours(self, parser_view, parser):
        from nltk.parse import DependencyEvaluator, DependencyGraph

        gold = [(2, 3, 0), (0, 1, 4, 2)]
        graphs = [
            DependencyGraph(
                "\n".join(
                    f"{w}\t{t}\t{h}\t{'dep' if h else 'ROOT'}"
                    for (w, t), h in zip(row, heads, strict=True)
                ),
                cell_separator="\t",
            )
            for row, heads in zip(TAGGED, gold, strict=True)
        ]
        found = [parser_view.parse_one(row) for row in TAGGED]
        unlabelled, _ = DependencyEvaluator(found, graphs).eval()
        rows = [[tag for _, tag in row] for row in TAGGED]
        assert unlabelled == pytest.approx(parser.score(rows, gold))
        assert 0 < unlabelled < 1

    @pytest.mark.parametrize("sentence", [["a", "dog"], [("a", "D", "x")], [["ab", "cd"]]])
    def test_words_without_tags(self, parser_view, sentence):
        with pytest.raises(CorpusError, match=r"no \(word, tag\) pair; tag the words first"):
            parser_view.parse_one(sentence)

    def test_untrained(self):
        with pytest.raises(NotFittedError, match="not trained yet"):
            DependencyParser().as_nltk()

    def test_without_nltk(self, parser, monkeypatch):
        monkeypatch.setitem(sys.modules, "nltk.parse.api", None)
        with pytest.raises(MissingToolError, match=r"pip install fstce\[nltk\]"):
            nltk_view(NltkParser, parser)
