"""Explanations against the enumeration of all (sentence, tagging) pairs."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path as File

import numpy as np
import pytest
from oracles import log_sum, tagged_features, taggings
from oracles_trees import Path, paths_of, projective_trees, tree_features
from parsing_cases import weighing
from tagging_cases import CORPUS, DICTIONARY, ORDERS, random_theta

from fstce import DependencyParser, Neighborhood, Tagger, TaggerProduct, neighborhood
from fstce.errors import CorpusError, NeighborhoodError, NotFittedError, ParameterError
from fstce.explanation.explain import arc_posteriors, explain
from fstce.explanation.page import (
    Comparison,
    Explanation,
    contribution_table,
    neighbor_table,
    reading_table,
)
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import SIGMA_ID
from fstce.tagging.explained import TaggerModel
from fstce.transducers import identity
from fstce.wfsa.features import TagFeatures

X = ("The", "dogs", "run", "B52s")
NASTY = ("<b>", "a&b", '"q"', "ε?", "猫")
CELLS = np.array([[1, 0, 0], [0.25, 0.75, 0], [0.5, 0.5, 0], [1, 0, 0], [0, 1, 0.001]])
Words = tuple[str, ...]
Features = Counter[tuple[str, ...]]
ALL = 10_000


class Brute:
    """Every structure of every path of a lattice, with its features and its log weight."""

    def __init__(
        self,
        lattice: Lattice,
        structures: Callable[[Words], list[Features]],
        weights: dict[tuple[str, ...], float],
    ) -> None:
        self.rows: list[tuple[Path, Features, float]] = []
        for path in paths_of(lattice.arrays, lattice.symbols):
            for found in structures(path.tags):
                score = sum(weights.get(name, 0.0) * n for name, n in found.items())
                self.rows.append((path, found, path.weight + score))
        self.log_z = log_sum(w for *_, w in self.rows)

    def strings(self) -> dict[Words, float]:
        """log p(y | N(x)) of each string."""
        weights = defaultdict(list)
        for path, _, w in self.rows:
            weights[path.tags].append(w - self.log_z)
        return {words: log_sum(values) for words, values in weights.items()}

    def within(self, words: Words | None) -> list[tuple[Path, Features, float]]:
        """The structures of one string or of all, with their probabilities."""
        rows = [row for row in self.rows if words in (None, row[0].tags)]
        log_z = log_sum(w for *_, w in rows)
        return [(path, found, math.exp(w - log_z)) for path, found, w in rows]

    def expected(self, words: Words | None) -> Features:
        """E[f] over one string or all."""
        total: Features = Counter()
        for _, found, p in self.within(words):
            for name, n in found.items():
                total[name] += p * n
        return total

    def entropy(self, words: Words | None) -> float:
        """Of the structures of one string or of all."""
        return -math.fsum(p * math.log(p) for *_, p in self.within(words) if p > 0)

    def arcs(self, n: int) -> np.ndarray:
        """The probability of each arc."""
        mass = np.zeros(n)
        for path, _, p in self.within(None):
            mass[list(path.arcs)] += p
        return mass


def tagged(words: Words, order: int, known: frozenset[str] | None = None) -> list[Features]:
    """The features of every tagging; words that are not known are ``<unk>``, where some are."""
    found = [tagged_features(words, tags, order) for tags in taggings(words, DICTIONARY)]
    return [
        Counter({_renamed(name, known): n for name, n in features.items() if name[0] != "spelling"})
        for features in found
    ]


def _renamed(name: tuple[str, ...], known: frozenset[str] | None) -> tuple[str, ...]:
    unknown = known is not None and name[0] == "word" and name[1] not in known
    return ("word", "<unk>", name[2]) if unknown else name


def tagger_of(
    kind: str | Neighborhood = "trans1", order: int = 2, seed: int = 0, **options: object
) -> Tagger:
    """A tagger with random weights."""
    tagger = Tagger(neighborhood="trans1", order=order, **options, unknown_word_model=False)
    tagger.compile(CORPUS, dictionary=DICTIONARY)
    tagger.theta_ = random_theta(tagger.features_, seed)
    return tagger.set_params(neighborhood=kind)


def named_weights(tagger: Tagger) -> dict[tuple[str, ...], float]:
    return dict(zip(tagger.features_.names, tagger.theta_.tolist(), strict=True))


class Made(Neighborhood):
    """A neighborhood whose lattice a function changes or makes."""

    def __init__(self, make: Callable[[Lattice], Lattice]) -> None:
        super().__init__(identity.build, "made")
        self.make = make

    def expand(self, sentences, symbols, numbers=None) -> Iterator[Lattice]:
        return map(self.make, neighborhood("trans1").expand(sentences, symbols, numbers))


def weighted(lattice: Lattice) -> Lattice:
    rng, arrays = np.random.default_rng(1), lattice.arrays
    final = np.where(np.isfinite(arrays.final), 0.5, np.inf)
    return Lattice(
        arrays._replace(weight=rng.normal(size=len(arrays.weight)), final=final),
        lattice.symbols,
        "weighted",
    )


def doubled(lattice: Lattice) -> Lattice:
    """The first word, or any word beside it: strings with two paths."""
    arrays = lattice.arrays
    first = np.searchsorted(arrays.source, 1)
    again = lambda column, value: np.insert(column, first, value).astype(column.dtype)  # noqa: E731
    columns = {
        "source": again(arrays.source, 0),
        "ilabel": again(arrays.ilabel, SIGMA_ID),
        "olabel": again(arrays.olabel, SIGMA_ID),
        "weight": again(arrays.weight, 0),
        "next": again(arrays.next, arrays.next[0]),
    }
    return Lattice(arrays._replace(**columns), lattice.symbols, "doubled")


EXPLAIN = import_module("fstce.explanation.explain")  # the package has the function of that name
KINDS = ["trans1", "del1subseq", "delortrans1", "identity", "length", "half:first"]


def check_comparison(
    found: Comparison, brute: Brute, own: Words, other: Words | None, theta
) -> None:
    """A comparison is what enumeration says, feature by feature, and adds up."""
    x, y = brute.expected(own), brute.expected(other)
    differing = {name for name in x | y if name in theta and abs(x[name] - y[name]) > 1e-9}
    assert {one.name for one in found.contributions if abs(one.own - one.other) > 1e-9} == differing
    for one in found.contributions:
        assert (one.own, one.other) == pytest.approx((x[one.name], y[one.name]), abs=1e-9)
        assert one.weight == theta[one.name]
        assert one.nats == pytest.approx((x[one.name] - y[one.name]) * theta[one.name], abs=1e-9)
    sizes = [abs(one.nats) for one in found.contributions]
    assert sizes == sorted(sizes, reverse=True)
    total = math.fsum(one.nats for one in found.contributions) + found.entropy + found.constant
    assert total == pytest.approx(found.log_odds, abs=1e-9)
    assert found.rest(2) == pytest.approx(
        math.fsum(one.nats for one in found.contributions[2:]), abs=1e-12
    )


def check(why: Explanation, brute: Brute, theta: dict[tuple[str, ...], float]) -> None:
    """An explanation that lists all neighbors is what enumeration says."""
    log_p = brute.strings()
    own = why.words
    assert why.whole.log_odds == pytest.approx(log_p[own], abs=1e-9)
    assert why.probability == pytest.approx(math.exp(log_p[own]), abs=1e-12)
    assert {one.words for one in why.neighbors} == set(log_p) - {own}
    assert why.n_neighbors == len(why.neighbors)
    assert why.complete
    for one in why.neighbors:
        assert one.probability == pytest.approx(math.exp(log_p[one.words]), abs=1e-12)
        assert one.comparison.log_odds == pytest.approx(log_p[own] - log_p[one.words], abs=1e-9)
    ranked = [one.probability for one in why.neighbors]
    assert ranked == sorted(ranked, reverse=True)
    np.testing.assert_allclose(why.arc_posteriors, brute.arcs(len(why.arc_posteriors)), atol=1e-9)
    check_comparison(why.whole, brute, own, None, theta)
    for one in why.neighbors[:5]:
        check_comparison(one.comparison, brute, own, one.words, theta)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_tagger_is_explained_as_enumeration_does(kind: str, order: int) -> None:
    tagger = tagger_of(kind, order)
    x = X[:3] if kind == "length" else X
    why = explain(tagger, x, k=ALL)
    brute = Brute(why.lattice, lambda words: tagged(words, order), named_weights(tagger))
    check(why, brute, named_weights(tagger))
    assert why.whole.entropy == pytest.approx(brute.entropy(x) - brute.entropy(None), abs=1e-9)
    assert why.whole.constant == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("make", [weighted, doubled])
def test_weights_and_double_paths_of_a_lattice_count(make: Callable[[Lattice], Lattice]) -> None:
    tagger = tagger_of(Made(make))
    why = explain(tagger, X, k=ALL)
    brute = Brute(why.lattice, lambda words: tagged(words, 2), named_weights(tagger))
    check(why, brute, named_weights(tagger))
    if make is weighted:
        mean = {path.tags: path.weight for path, *_ in brute.rows}
        constant = mean[X] - math.fsum(p * path.weight for path, _, p in brute.within(None))
        assert why.whole.constant == pytest.approx(constant, abs=1e-9)


def test_unknown_words_take_the_weights_of_their_symbol() -> None:
    tagger = tagger_of(oov=True)
    known = frozenset(tagger.features_.symbols)
    why = explain(tagger, ("The", "zebra", "runs"), k=ALL)
    weights = named_weights(tagger)
    check(why, Brute(why.lattice, lambda words: tagged(words, 2, known), weights), weights)


def test_the_features_of_a_sentence_alone_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model of a large text has a hundred thousand: to name them all took a second for each sentence."""
    corpus = [[f"w{i}", f"w{i + 1}", "saw"] for i in range(0, 400, 2)]
    words = {word: ("D", "N", "V") for row in corpus for word in row}
    tagger = Tagger("trans1", order=2, start="random", max_iterations=1).fit(
        corpus, dictionary=words
    )
    features, named = type(tagger.features_), list[int]()
    names = features.names.fget

    def counted(self: TagFeatures) -> list[tuple[str, ...]]:
        named.append(self.size)
        return names(self)

    monkeypatch.setattr(features, "names", property(counted))
    why = explain(tagger, corpus[0])
    assert 0 < max(named) < tagger.features_.size / 10
    known = dict(zip(names(tagger.features_), tagger.theta_.tolist(), strict=True))
    shown = [one for neighbor in why.neighbors for one in neighbor.comparison.contributions]
    assert shown and all(known[one.name] == one.weight for one in shown)


def test_the_posteriors_at_a_word_are_those_of_its_taggings() -> None:
    tagger = tagger_of(order=3)
    why = explain(tagger, X)
    brute = Brute(why.lattice, lambda words: tagged(words, 3), named_weights(tagger))
    number = {tag: i for i, tag in enumerate(why.readings)}
    expected = np.zeros((len(X), len(why.readings)))
    pairs = zip(taggings(X, DICTIONARY), brute.within(X), strict=True)
    for tags, (_, found, p) in pairs:
        assert found["word", X[0], tags[0]]
        expected[np.arange(len(X)), [number[tag] for tag in tags]] += p
    np.testing.assert_allclose(why.posteriors, expected, atol=1e-9)
    assert [why.readings[i] for i in why.answer] == tagger.predict([X])[0]


@pytest.mark.parametrize("against", ["whole", "neighbor"])
def test_expected_counts_are_the_derivatives_of_the_log_odds(against: str) -> None:
    tagger = tagger_of("del1word", spelling=True)
    number = {name: i for i, name in enumerate(tagger.features_.names)}
    rival = explain(tagger, X).neighbors[0].words

    def compared() -> Comparison:
        why = explain(tagger, X, k=ALL)
        found = {one.words: one.comparison for one in why.neighbors}
        return why.whole if against == "whole" else found[rival]

    theta, contributions = tagger.theta_, compared().top(6)
    for one in contributions:
        values = []
        for step in (-2e-3, -1e-3, 1e-3, 2e-3):
            tagger.theta_ = theta.copy()
            tagger.theta_[number[one.name]] += step
            values.append(compared().log_odds)
        slope = (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / 12e-3
        assert one.own - one.other == pytest.approx(slope, abs=1e-8)
    assert any(one.name[0] == "spelling" for one in compared().contributions)


def test_probabilities_of_zero_are_explained() -> None:
    tagger = Tagger(
        criterion="em", smoothing=0.0, order=2, neighborhood="trans1", unknown_word_model=False
    )
    tagger.fit(CORPUS, dictionary=DICTIONARY)
    assert np.isneginf(tagger.theta_).any()
    why = explain(tagger, ("The", "dogs", "run"))
    total = math.fsum(one.nats for one in why.whole.contributions) + why.whole.entropy
    assert total == pytest.approx(why.whole.log_odds, abs=1e-6)
    assert sum(one.probability for one in why.neighbors) + why.probability == pytest.approx(1.0)


@pytest.mark.parametrize("most", [1, 5, 20])
@pytest.mark.parametrize("kind", ["del1subseq", "trans1 @ trans1", "length"])
def test_of_many_strings_the_likeliest_are_found_or_it_is_said(monkeypatch, kind, most) -> None:
    monkeypatch.setattr(EXPLAIN, "MOST", most)
    monkeypatch.setattr(EXPLAIN, "BEST", most)
    x = X[:3] if kind == "length" else X
    for seed in range(3):
        tagger = tagger_of(kind, seed=seed)
        why = explain(tagger, x, k=3)
        brute = Brute(why.lattice, lambda words: tagged(words, 2), named_weights(tagger))
        exact = brute.strings()
        listed = [one.words for one in why.neighbors]
        assert x not in listed and len(set(listed)) == len(listed) <= 3
        probable = [one.probability for one in why.neighbors]
        assert probable == pytest.approx([math.exp(exact[words]) for words in listed], abs=1e-9)
        assert probable == sorted(probable, reverse=True)
        others = [math.exp(value) for words, value in exact.items() if words not in (x, *listed)]
        assert not why.complete or max(others, default=0) <= probable[-1] + 1e-9


def test_what_is_not_certain_is_not_called_complete(monkeypatch) -> None:
    monkeypatch.setattr(EXPLAIN, "MOST", 5)
    long = [f"w{i}" for i in range(12)]
    dictionary = {word: ["A", "B"] for word in long}
    tagger = Tagger(order=2, unknown_word_model=False).fit([long], dictionary=dictionary)
    tagger.theta_ = np.zeros_like(tagger.theta_)
    flat = explain(tagger, long, "trans1 @ trans1", k=3)
    assert flat.n_neighbors == 76 and not flat.complete
    assert "perhaps not the most probable" in neighbor_facts(flat)
    assert all(
        one.probability == pytest.approx(1 / (flat.n_neighbors + 1)) for one in flat.neighbors
    )
    monkeypatch.undo()
    trained = explain(tagger, long, "trans1 @ trans1", k=3)
    assert trained.complete and "3 listed, the most probable" in neighbor_facts(trained)


def neighbor_facts(why: Explanation) -> str:
    from fstce.explanation.page import facts

    return facts(why)["neighbors"]


# --- Parsers ----------------------------------------------------------------------------------------------


@pytest.fixture
def parser() -> DependencyParser:
    return weighing(np.random.default_rng(0).normal(size=45), neighborhood="delortrans1")


def trees(words: Words) -> list[Features]:
    return [tree_features(words, heads) for heads in projective_trees(len(words))]


@pytest.mark.parametrize("kind", ["delortrans1", "length", Made(weighted)])
def test_a_parser_is_explained_as_enumeration_does(parser: DependencyParser, kind) -> None:
    x = ("D", "N", "V", "N") if kind != "length" else ("D", "N", "V")
    why = explain(parser, x, kind, k=ALL)
    weights = parser.weights()
    brute = Brute(why.lattice, trees, weights)
    check(why, brute, weights)
    assert why.readings == ("root", *(f"{i} {tag}" for i, tag in enumerate(x, 1)))
    assert why.answer == parser.predict([x])[0]
    np.testing.assert_allclose(why.posteriors.sum(axis=1), 1.0)
    heads = projective_trees(len(x))
    roots = sum(p for h, (*_, p) in zip(heads, brute.within(x), strict=True) if h[0] == 0)
    assert why.posteriors[0, 0] == pytest.approx(roots)


def test_the_bias_for_near_heads_is_a_term_of_its_own() -> None:
    """Parsing weighs it (δ = −0.6 without a neighborhood); explanations did not."""
    parser = weighing(np.random.default_rng(0).normal(size=45), criterion="auto")
    delta = parser.recipe.structural_bias
    assert delta == -0.6

    def near(words: Words) -> list[Features]:
        found = []
        for heads in projective_trees(len(words)):
            spans = [abs(head - place) for place, head in enumerate(heads, 1) if head]
            found.append(tree_features(words, heads) + Counter({("span",): sum(spans)}))
        return found

    x = ("D", "N", "V", "N")
    why = explain(parser, x, k=ALL)
    weights = {**parser.weights(), ("span",): delta}
    brute = Brute(why.lattice, near, weights)
    check(why, brute, parser.weights())
    best = max(weight for path, _, weight in brute.rows if path.tags == x)
    assert parser.k_best([x], 1)[0][0][1] == pytest.approx(best)


def test_many_strings_of_a_parser_are_those_of_its_best_trees(parser, monkeypatch) -> None:
    monkeypatch.setattr(EXPLAIN, "MOST", 2)
    x = ("D", "N", "V", "N")
    why = explain(parser, x, k=2)
    brute = Brute(why.lattice, trees, parser.weights())
    ranked = sorted((value, words) for words, value in brute.strings().items() if words != x)[::-1]
    assert [one.words for one in why.neighbors] == [words for _, words in ranked[:2]]
    assert why.complete


# --- Errors -----------------------------------------------------------------------------------------------


def test_what_cannot_be_explained_says_why(parser: DependencyParser) -> None:
    tagger = tagger_of()
    with pytest.raises(NeighborhoodError, match="training-set is made from a whole corpus"):
        explain(tagger, X, "training-set")
    with pytest.raises(CorpusError, match="sentence 1 is empty"):
        explain(tagger, [])
    with pytest.raises(ParameterError, match="k=0: give a whole number from 1"):
        explain(tagger, X, k=0)
    with pytest.raises(
        ParameterError, match="'dog' is none of this grammar's 3 tags; it reads tags"
    ):
        explain(parser, ["dog"])
    with pytest.raises(NotFittedError):
        explain(Tagger(unknown_word_model=False), X)
    with pytest.raises(NotFittedError):
        arc_posteriors(Tagger(unknown_word_model=False), neighborhood("trans1")(X))
    without = Made(lambda lattice: Lattice.of_sentence(["run"], lattice.symbols, "lost"))
    with pytest.raises(
        NeighborhoodError, match="lost: the sentence is not in its own neighborhood"
    ):
        explain(tagger, X, without)


def test_no_file_that_a_saved_model_names_is_run(tmp_path: File, monkeypatch) -> None:
    mine = "import pynini\n\ndef build(symbols):\n    return pynini.closure(symbols.any())\n"
    (tmp_path / "mine.py").write_text(mine)
    monkeypatch.chdir(tmp_path)
    tagger = Tagger(neighborhood="./mine.py", max_iterations=1).fit(CORPUS, dictionary=DICTIONARY)
    assert explain(tagger, CORPUS[0])
    tagger.save(tmp_path / "model")
    (tmp_path / "mine.py").write_text("raise SystemExit('this ran')\n")
    with pytest.raises(
        ParameterError, match=r"trained with \./mine\.py, and nothing .* --neighborhood"
    ):
        explain(Tagger.load(tmp_path / "model"), CORPUS[0])
    for use in (
        lambda model: model.score(CORPUS),
        lambda model: model.fit(CORPUS, dictionary=DICTIONARY),
        lambda model: model.objective(CORPUS, model.theta_),
    ):
        with pytest.raises(ParameterError, match="nothing that a saved model names is run"):
            use(Tagger.load(tmp_path / "model"))
    TaggerProduct([tagger]).save(tmp_path / "product")
    with pytest.raises(ParameterError, match="nothing that a saved model names is run"):
        TaggerProduct.load(tmp_path / "product").taggers[0].score(CORPUS)  # a member is loaded, too
    (tmp_path / "mine.py").write_text(mine)
    model = Tagger.load(tmp_path / "model").set_params(neighborhood="./mine.py")
    assert model.score(CORPUS) == pytest.approx(tagger.score(CORPUS))


def test_no_file_that_a_saved_parser_names_is_run(tmp_path: File, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    parser = DependencyParser("trans1").fit([["D", "N", "V"], ["N", "V"]])
    parser.set_params(neighborhood="./mine.py").save(tmp_path / "model")
    (tmp_path / "mine.py").write_text("raise SystemExit('this ran')\n")
    with pytest.raises(ParameterError, match="nothing that a saved model names is run"):
        DependencyParser.load(tmp_path / "model").score([["N", "V"]])


def test_arcs_of_any_lattice_have_posteriors() -> None:
    tagger = tagger_of(order=3)
    lattice = neighborhood("del1word")(X)
    found = arc_posteriors(tagger, lattice)
    brute = Brute(lattice, lambda words: tagged(words, 3), named_weights(tagger))
    np.testing.assert_allclose(found, brute.arcs(len(found)), atol=1e-9)
    assert lattice.draw(found.tolist(), engine="layered").count("<title>") > len(lattice)
    assert TaggerModel(tagger, lattice).whole().log_z == pytest.approx(brute.log_z)


# --- Tables and JSON ------------------------------------------------------------------------------------------


def test_the_tables_add_up() -> None:
    why = explain(tagger_of("del1subseq"), X, k=3)
    neighbors = neighbor_table(why)
    assert [row[0] for row in neighbors.rows] == ["x", "1", "2", "3"]
    assert neighbors.rows[0][1:] == (why.probability, None, " ".join(X))
    for found, against in ((why.whole, ""), (why.neighbors[0].comparison, "y")):
        rows = contribution_table(found, 2, against).rows
        assert len(rows) == 5 and "other features" in rows[2][0]
        assert math.fsum(row[-1] for row in rows[:-1]) == pytest.approx(rows[-1][-1])
    for row, word in zip(reading_table(why).rows, X, strict=True):
        assert row[0].endswith(word) and row[2] <= 1


def test_json_holds_the_explanation() -> None:
    why = explain(tagger_of(), X, k=2)
    record = json.loads(json.dumps(why.to_dict(3)))
    assert record["sentence"] == list(X) and record["complete"] is True
    assert record["neighbors"] == 3 and len(record["listed"]) == 2
    for found in (record, *record["listed"]):
        added = math.fsum(one["nats"] for one in found["features"]) + found["other_features"]
        assert added + found["entropy"] + found["constant"] == pytest.approx(found["log_odds"])
    assert math.fsum(record["posteriors"][0]["p"].values()) == pytest.approx(1.0)
