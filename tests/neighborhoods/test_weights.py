"""Weighted neighborhoods (2005b, note 3): authors' machines and precomputed lattices, in training too."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pynini
import pytest

from fstce import Neighborhood, TagDictionary, Tagger, neighborhood
from fstce.errors import NeighborhoodError
from fstce.machines import Symbols
from fstce.machines.files import write_far
from fstce.wfsa.compile import Contrast, TrainingData

AUTHORED = """
import pynini

WEIGHTED = True
EQUIVARIANT = True


def build(symbols):
    copy = pynini.closure(symbols.any())
    lost = pynini.cross(symbols.any(), pynini.accep("", weight=1.5))
    return copy + pynini.closure(lost + copy, 0, 1)
"""
TEXT = [["a", "b", "a"], ["b", "a", "c"]]
DICTIONARY = TagDictionary({"a": ["X", "Y"], "b": ["X"], "c": ["Y", "Z"]})


@pytest.fixture
def user_defined(tmp_path: Path) -> Neighborhood:
    path = tmp_path / "lossy.py"
    path.write_text(AUTHORED, encoding="utf-8")
    return neighborhood(str(path))


def weights(lattice) -> dict[tuple[str, ...], float]:
    """The weight of each string, by walking the lattice."""
    arrays = lattice.arrays
    found, ways = {}, [(arrays.start, (), 0.0)]
    while ways:
        state, words, cost = ways.pop()
        if np.isfinite(arrays.final[state]):
            found[words] = cost + float(arrays.final[state])
        for arc in np.flatnonzero(arrays.source == state).tolist():
            word = lattice.symbols.word(int(arrays.ilabel[arc]))
            ways.append((int(arrays.next[arc]), (*words, word), cost + float(arrays.weight[arc])))
    return found


def test_the_weights_of_paths_to_one_neighbor_add_up(user_defined):
    found = weights(user_defined(["a", "a", "b"]))
    both = 1.5 - np.log(2)  # either a may have been lost
    assert found == pytest.approx(
        {("a", "a", "b"): 0.0, ("a", "b"): both, ("a", "a"): 1.5}, abs=1e-5
    )  # OpenFst quantizes weights


def test_a_weighted_neighborhood_is_pickled_with_its_weights(user_defined):
    again = pickle.loads(pickle.dumps(user_defined))
    assert weights(again(["a", "b"]))[("a",)] == pytest.approx(1.5)


def log_z(words, tagger) -> float:
    contrast = Contrast(
        TrainingData([words], None), DICTIONARY, tagger.tags_, 2, features=tagger.features_
    )
    return sum(term(tagger.theta_)[0] for term in contrast.numerators)


def test_training_sums_over_weighted_neighbors(user_defined):
    tagger = Tagger(neighborhood=user_defined, order=2, sigma2=None, max_iterations=3)
    tagger.fit(TEXT, dictionary=DICTIONARY)
    expected = 0.0
    for words in TEXT:
        terms = [
            log_z(list(other), tagger) - cost
            for other, cost in weights(user_defined(words)).items()
        ]
        expected += log_z(words, tagger) - float(np.logaddexp.reduce(terms))
    assert tagger.measure(TEXT) == pytest.approx(expected, abs=1e-9)
    theta = tagger.theta_ + 0.1
    _value, gradient = tagger.objective(TEXT, theta)
    step = np.zeros_like(theta)
    for i in range(len(theta)):
        step[i] = 1e-5
        slope = (
            tagger.objective(TEXT, theta + step)[0] - tagger.objective(TEXT, theta - step)[0]
        ) / 2e-5
        assert gradient[i] == pytest.approx(slope, abs=1e-6)
        step[i] = 0.0


def test_ready_lattices_keep_their_weights(tmp_path):
    symbols = Symbols("abc")
    machines = {}
    for number, words in enumerate(TEXT):
        own = symbols.union(symbols.ids(words[:1]).tolist())
        for word in words[1:]:
            own += symbols.union(symbols.ids([word]).tolist())
        other = pynini.concat(
            symbols.union(symbols.ids(["c"]).tolist()), pynini.accep("", weight=0.7)
        )
        fst = pynini.union(own, other).optimize()
        fst.set_input_symbols(symbols.table)
        fst.set_output_symbols(symbols.table)
        machines[f"{number:04}"] = fst
    write_far(machines, tmp_path / "ready.far")
    ready = neighborhood(str(tmp_path / "ready.far"))
    assert ready.weighted
    for kind in (ready, pickle.loads(pickle.dumps(ready))):
        found = weights(next(kind.expand(TEXT[:1], symbols, [1])))
        assert found == pytest.approx({("a", "b", "a"): 0.0, ("c",): 0.7}, abs=1e-6)
    tagger = Tagger(neighborhood=ready, order=2, max_iterations=2).fit(TEXT, dictionary=DICTIONARY)
    assert tagger.training_.objective < 0


def test_combinations_are_of_sets(user_defined):
    with pytest.raises(NeighborhoodError, match="has weights; only sets"):
        _ = user_defined | neighborhood("trans1")


@pytest.mark.parametrize("text", ["{} | trans1", "trans1 @ {}", "restrict({}, numbers)"])
def test_expressions_are_of_sets(user_defined, text):
    with pytest.raises(NeighborhoodError, match=r"character \d+: .* has weights; only sets"):
        neighborhood(text.format(f"'{user_defined.name}'"))
