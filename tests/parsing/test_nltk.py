"""The dependency parser under NLTK's interface."""

import sys

import pytest

from fstce import DependencyParser
from fstce.errors import CorpusError, MissingToolError, NotFittedError
from fstce.estimation.nltk_views import NltkParser, nltk_view

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
