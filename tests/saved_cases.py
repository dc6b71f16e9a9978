"""One saved model of every kind, and of every make whose files differ, with what it answers."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from fstce import (
    Corrector,
    DependencyParser,
    DirectedAlignment,
    GrammarProduct,
    LatentGrammar,
    Neighborhood,
    ParsedCorrector,
    TagDictionary,
    Tagger,
)
from fstce.corpora import sample
from fstce.speller.channel import Channel

TEXT = [sentence for sentence in sample() if len(sentence) <= 8]
WORDS = [list(sentence.words) for sentence in TEXT[:60]]
TAGS = [list(sentence.tags) for sentence in TEXT[:60]]
UNSEEN = [
    *(list(sentence.words) for sentence in TEXT[60:66]),
    ["Zebras", "unbelievably", "ran", "."],
]
UNSEEN_TAGS = [*(list(sentence.tags) for sentence in TEXT[60:66]), ["NEW", "NN", "VB"]]
OBSERVED = [
    ["the", "lmap", "is", "smalll", "."],
    ["she", "opend", "teh", "door"],
    ["a", "zebra", "ran"],
]
KINDS: dict[str, Any] = {
    "tagger": Tagger,
    "parser": DependencyParser,
    "latent": LatentGrammar,
    "product": GrammarProduct,
    "induction": DirectedAlignment,
    "corrector": Corrector,
    "parsed": ParsedCorrector,
}
ONE_OF_EACH = (
    *("tagger-spelling", "parser", "latent", "product", "induction"),
    *("corrector-words", "parsed-corrector"),
)
NAMES = (
    *ONE_OF_EACH,
    *("tagger-hmm", "tagger-own", "parser-generative"),
    *("corrector-classes", "corrector-marks", "parsed-corrector-alone"),
)


def kind_of(name: str) -> Any:
    """The class of the model of this name."""
    return KINDS[name.partition("-")[0]]


def taggers() -> dict[str, Tagger]:
    """Trained taggers by name."""
    from fstce.transducers import del1word

    dictionary = TagDictionary.from_corpus(TEXT, first=60)
    own = Neighborhood(del1word.build, "mine", equivariant=True)
    drawn = {"start": "random", "seed": 3, "annealing": (0.5, 1.0), "max_iterations": 8}
    spelt = Tagger("trans1", order=2, spelling=True, sigma2=0.5, decoder="posterior", **drawn)
    hmm = Tagger(criterion="em", order=1, smoothing=0.25)
    mine = Tagger(own, order=2, sigma2=None, max_iterations=3)
    return {
        "tagger-spelling": spelt.fit(WORDS[:30], dictionary=dictionary),
        "tagger-hmm": hmm.fit(WORDS[:20], dictionary=dictionary),
        "tagger-own": mine.fit(WORDS[:20], dictionary=dictionary),
    }


def grammars() -> dict[str, Any]:
    """Trained parsers, latent grammars and a grammar of constituents by name."""
    contrastive = DependencyParser("delortrans1", sigma2=0.5, start="random", seed=3)
    generative = DependencyParser(
        criterion="em", start="klein-manning", annealing=(0.5, 1), smoothing=0.0
    )
    quick = {"split_iterations": 3, "merge_iterations": 1, "smooth_iterations": 1, "cycles": 1}
    latent = LatentGrammar(seed=5, **quick)
    members = [LatentGrammar(seed=seed, max_length=30, **quick) for seed in (0, 1)]
    product = GrammarProduct(
        [member.fit(TEXT[:20]) for member in members], combination="sum", jobs=1
    )
    inducer = DirectedAlignment(iterations=12, punctuation=(",", "."), max_length=4)
    return {
        "parser": contrastive.fit(TAGS[:6]),
        "parser-generative": generative.fit(TAGS[:6]),
        "latent": latent.fit(TEXT[:40]),
        "product": product,
        "induction": inducer.fit(WORDS),
    }


def correctors() -> dict[str, Any]:
    """Trained correctors by name."""
    channel = Channel(0.5, 1.5)
    words = Corrector(held_out=0.1)
    classes = Corrector(
        ngrams=2,
        seed=4,
        criterion="contrastive",
        channel=channel,
        exponents={"model": 0.3},
        mistakes=("random", "confusables"),
        spell=2,
    )
    marks = Corrector(spell=0, punctuation=1, marks=[",", "."], criterion="none")
    parser = DependencyParser(criterion="em", start="klein-manning", annealing=(0.5, 1))
    parsed = ParsedCorrector(parser, channel=channel, longest=4)
    return {
        "corrector-words": words.fit(WORDS[:30], lexicon={"zebra": 3, "oven": 7}),
        "corrector-classes": classes.fit(WORDS[:20]),
        "corrector-marks": marks.fit(WORDS[:20]),
        "parsed-corrector": parsed.fit(WORDS[:14], TAGS[:14]),
        "parsed-corrector-alone": ParsedCorrector(exponents={"unknown": 5.0}).fit(
            WORDS[:7], TAGS[:7]
        ),
    }


def answers(model: Any) -> Any:
    """What a model answers of the unseen sentences, as JSON has it."""
    said: dict[str, Any] = {}
    if isinstance(model, Tagger):
        said["predict"] = model.predict(UNSEEN)
        said["k_best"] = model.k_best(UNSEEN, 2)
        said["proba"] = [table.max(axis=1).tolist() for table in model.predict_proba(UNSEEN)]
        said["objective"] = model.training_.objective
    elif isinstance(model, DependencyParser):
        said["predict"] = model.predict(UNSEEN_TAGS)
        said["k_best"] = model.k_best(UNSEEN_TAGS, 2)
        said["objective"] = model.training_.objective
        said["skipped"] = model.n_skipped_
    elif isinstance(model, LatentGrammar | GrammarProduct):
        said["predict"] = [str(tree) for tree in model.predict(UNSEEN)]
    elif isinstance(model, DirectedAlignment):
        said["predict"] = [str(tree) for tree in model.predict(UNSEEN)]
        said["grammar"] = str(model.grammar_)
        said["resumed"] = str(model.set_params(iterations=15).resume().grammar_)
    else:
        said["correct"] = model.correct(OBSERVED, alternatives=3)
        said["exponents"] = model.exponents_
        if isinstance(model, ParsedCorrector):
            said["parse"] = model.parse(OBSERVED)
    return json.loads(json.dumps(said, default=asdict))


@pytest.fixture(scope="session")
def saved_models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of saved models by name, with ``expected.json``: what each answered unsaved."""
    folder = tmp_path_factory.mktemp("saved")
    models = {**taggers(), **grammars(), **correctors()}
    for name, model in models.items():
        model.save(folder / name)

    expected = {name: answers(model) for name, model in models.items()}
    (folder / "expected.json").write_text(json.dumps(expected), encoding="utf-8")
    return folder
