"""Lists of subcategories against loops over rules and words, and expected counts against the treebank's."""

from __future__ import annotations

import numpy as np
import pytest

from fstce import LatentGrammar
from fstce.corpora import Sentence, sample
from fstce.errors import ParameterError
from fstce.latent.model.binarize import binarize
from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.subcategories import expected_counts, subcategories


@pytest.fixture(scope="module")
def treebank() -> list[Sentence]:
    return sample()[:80]


@pytest.fixture(scope="module")
def trained(treebank: list[Sentence]) -> LatentGrammar:
    return LatentGrammar(cycles=2, split_iterations=6, merge_iterations=2, smooth_iterations=2).fit(
        treebank
    )


def test_an_unsplit_grammar_expects_what_its_trees_hold(
    trained: LatentGrammar, treebank: list[Sentence]
) -> None:
    grammar = trained.after(0).hierarchy_.finest
    tags = {grammar.symbols[tag] for tag in grammar.tags}
    counts = dict.fromkeys(grammar.symbols, 0)
    for sentence in treebank:
        assert sentence.tree is not None
        for node in binarize(sentence.tree, tags=tags).tree.nodes():
            counts[node.label] += 1
    found = dict(
        zip(grammar.symbols, (expected_counts(grammar) * len(treebank)).tolist(), strict=True)
    )
    assert found == pytest.approx(counts)


def test_shares_add_up(trained: LatentGrammar) -> None:
    grammar = trained.hierarchy_.finest
    for symbol in ("NN", "NP", "@NP"):
        found = subcategories(grammar, symbol)
        assert [one.number for one in found] == list(range(len(found)))
        assert sum(one.share for one in found) == pytest.approx(1.0)
        assert all(one.share > 0 for one in found)


def test_rules_by_a_loop(trained: LatentGrammar) -> None:
    grammar = trained.hierarchy_.finest
    for one in subcategories(grammar, "NP", 4):
        assert one.likely == rules(grammar, "NP", one.number)[:4]
        assert one.name == f"NP-{one.number}"


def rules(grammar: SplitGrammar, symbol: str, number: int) -> list[tuple[str, float]]:
    found = []
    names = grammar.symbols
    for rule, table in zip(grammar.productions, grammar.tables, strict=True):
        for where, value in np.ndenumerate(
            table[number] if names[rule[0]] == symbol else np.zeros(0)
        ):
            children = " ".join(f"{names[s]}-{i}" for s, i in zip(rule[1:], where, strict=True))
            found.append((children, float(value)))
    return sorted(found, key=lambda pair: -pair[1])


def test_words_by_a_loop(trained: LatentGrammar) -> None:
    grammar = trained.hierarchy_.finest
    lexicon = grammar.lexicon
    words = [*lexicon.vocabulary.frequent, *lexicon.vocabulary.rare]
    tags = [grammar.symbols[tag] for tag in grammar.tags]
    first = int(lexicon.sizes[: tags.index("NN")].sum())
    for one in subcategories(grammar, "NN", 5):
        scored = [(word, float(lexicon.scores([word])[0, first + one.number])) for word in words]
        wanted = sorted(scored, key=lambda pair: -pair[1])[:5]
        assert [word for word, _ in one.likely] == [word for word, _ in wanted]
        assert [p for _, p in one.likely] == pytest.approx([p for _, p in wanted])


def test_unknown_symbols(trained: LatentGrammar) -> None:
    grammar = trained.hierarchy_.finest
    with pytest.raises(ParameterError, match="did you mean 'NP'"):
        subcategories(grammar, "np")
    with pytest.raises(ParameterError, match="no symbol 'XYZ'; it has ROOT"):
        subcategories(grammar, "XYZ")
