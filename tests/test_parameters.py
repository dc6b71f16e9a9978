"""Wrong values for every parameter of every public class, function and method, made from their signatures.

A value is legal by the rule of the parameter, or it is refused by an error that names parameter,
value and what is allowed. Data (sentences, tags, trees, files) may be refused in other words.
Nothing else comes out.
"""

from __future__ import annotations

import inspect
import io
import warnings
from collections.abc import Callable, Iterator
from functools import cache, partial
from math import inf, nan
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
import pytest

import fstce
from fstce.corpora import (
    Sentence,
    dependency_corpus,
    first_words,
    iter_corpus,
    parse_tree,
    read_corpus,
)
from fstce.corpora.dictionary import TAG_MAP
from fstce.corpora.dictionary_sources import TAG_RULE
from fstce.corpora.vocabulary import Vocabulary
from fstce.errors import FstceError, ParameterError
from fstce.evaluation import attach_next, bootstrap, compare, right_branching
from fstce.evaluation.parsing import attach_previous
from fstce.evaluation.unlabelled import left_branching
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import Symbols
from fstce.parameters.rules import (
    COUNT,
    FUNCTION,
    SEED,
    SHARE,
    Rule,
    instance,
    integer,
    sequence,
    shown,
)
from fstce.parameters.tables import ARGUMENTS, NEIGHBORHOOD, parameters
from fstce.speller.channel import COST, Channel
from fstce.tagging.tagger import ENGINE

HUGE = 10**400
WRONG: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        "",
        "x",
        "a\0b",
        b"x",
        0,
        -1,
        1,
        1.5,
        -0.5,
        nan,
        inf,
        -inf,
        HUGE,
        -HUGE,
        1e308,
    ),
    *(
        (),
        [],
        {},
        [[]],
        [None],
        {"x": "x"},
        {3: None},
        object,
        object(),
        1j,
        np.array(0.5),
        np.zeros((2, 2)),
    ),
)
TEXT = [s.split() for s in ("the cat saw the dog", "a dog saw the cat", "the dog saw a cat")]
TAGS = [s.split() for s in ("D N V D N", "D N V D N", "D N V D N")]
HEADS = [[2, 3, 0, 5, 3]] * 3
TREES = [parse_tree("(S (NP (D the) (N cat)) (VP (V saw) (NP (D the) (N dog))))")] * 3
TYPED = [["the", "caat", "saw"]]
QUICK: dict[type, dict[str, Any]] = {
    fstce.Tagger: {"order": 1, "max_iterations": 2},
    fstce.DependencyParser: {"max_iterations": 2},
    fstce.LatentGrammar: {
        "cycles": 1,
        "split_iterations": 1,
        "merge_iterations": 1,
        "smooth_iterations": 1,
    },
    fstce.GrammarProduct: {"jobs": 1},
    fstce.DirectedAlignment: {"iterations": 2, "context_fraction": 0.3},
    fstce.Corrector: {"held_out": 0, "ngrams": 1},
    fstce.ParsedCorrector: {},
}
# What belongs to the text, or is made by fstce: refused in words of its own.
KINDS = ("substitution", "insertion", "deletion", "transposition")
DATA = frozenset(
    """sentences tags heads trees dictionary labelled lexicon true words lattices theta mapping tagset
    open_class data obj path spec model taggers parsers unseen format encoding tag_column counts second
    faulty vocabulary misspellings speller answers usual resources""".split()  # noqa: SIM905
)
LOCAL = {
    "text": instance("", "TextReader").or_none(),
    "faults": instance("", "Faults").or_none(),
    "first": integer(1).or_none(),
    "gold": None,
    "min_count": integer(1),
    "n_resamples": integer(1),
    "cycles": COUNT,
    "statistic": FUNCTION,
    "rate": SHARE,
    "rarer": SHARE,
    "max_length": integer(1).or_none(),
    "punctuation": sequence(Rule("text")).or_none(),
    "order": integer(1, 3),
    "candidates": instance("", "Candidates"),
    "analyser": FUNCTION,
    "tag": TAG_RULE,
    "tag_map": TAG_MAP,
    "engine": ENGINE,
    **dict.fromkeys(KINDS, COST),
}


def values_of(cls: type) -> dict[str, Any]:
    """Arguments that are right, by name."""
    symbols = Symbols(["D", "N", "V"])
    tagged = cls is fstce.DependencyParser
    sentences: Any = (
        TAGS if tagged else TREES if cls in (fstce.LatentGrammar, fstce.GrammarProduct) else TEXT
    )
    if cls is fstce.TagDictionary:
        sentences = [Sentence(w, tags=t) for w, t in zip(TEXT, TAGS, strict=True)]
    folder = Path(mkdtemp())
    return {
        "sentences": sentences,
        "tags": ["D", "N", "V"] if tagged else TAGS,
        "heads": HEADS,
        "gold": HEADS if tagged else TAGS,
        "trees": TREES[:1] * 3,
        "dictionary": {"the": "D", "a": "D", "cat": "N", "dog": "N", "saw": "V"},
        "labelled": (TEXT, TAGS),
        "answers": {"the": "D"},
        "resources": None,
        "speller": None,
        "usual": None,
        "lexicon": {"hat": 2},
        "true": TEXT,
        "words": TEXT[0],
        "word": "cat",
        "mapping": {"a": "D"},
        "tag_map": {"D": "X"},
        "data": {"words": {"a": "D"}},
        "obj": {"a": "D"},
        "path": folder / "words.tsv",
        "spec": "sample",
        "vocabulary": Vocabulary({"the": 2, "cat": 1}),
        "symbols": Symbols(TEXT[0]),
        "pattern": (0, 1),
        "lattices": [Lattice.of_sentence(TAGS[0], symbols, "x")],
        "folder": folder / "model",
        "k": 1,
        "limit": 1000,
        "cycles": 1,
        "name": "trans1",
        "build": lambda symbols: None,
        "analyser": lambda word: [("+N",)],
        "first": 2,
    }


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@cache
def trained(cls: type) -> Any:
    """An object to ask."""
    if cls is fstce.TagDictionary:
        return cls({"the": "D", "cat": "N"})
    if cls is fstce.Neighborhood:
        return fstce.neighborhood("trans1")
    if cls is fstce.TaggerProduct:
        return cls([trained(fstce.Tagger)])
    if cls is fstce.Explanation:
        return fstce.explain(trained(fstce.Tagger), TEXT[0])
    return fitted(fresh(cls))


def fresh(cls: type, **changes: Any) -> Any:
    if cls is fstce.GrammarProduct:
        changes = {"grammars": [fresh(fstce.LatentGrammar)], **changes}
    if cls is fstce.TaggerProduct:
        return cls([fresh(fstce.Tagger)])
    return cls(**{**QUICK[cls], **changes})


def fitted(model: Any) -> Any:
    cls, right = type(model), values_of(type(model))
    names = {fstce.Tagger: ("dictionary",), fstce.LatentGrammar: (), fstce.GrammarProduct: ()}
    wanted = {name: right[name] for name in names.get(cls, ())}
    if cls in (fstce.LatentGrammar, fstce.GrammarProduct):
        return model.fit(TREES)
    return model.fit(
        right["sentences"], *([TAGS] if cls is fstce.ParsedCorrector else []), **wanted
    )


def outcome(call: Callable[[], Any]) -> Exception | None:
    """What is raised; iterators are run through."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            found = call()
            if isinstance(found, Iterator):
                list(found)
        except Exception as error:
            return error
    return None


def complaint(name: str, value: Any, error: Exception | None, legal: bool | None) -> str | None:
    """What is wrong with this outcome; `legal` is None where it is not known."""
    what = f"{name}={shown(value)}: {type(error).__name__}: {error}"
    if error is not None and not isinstance(error, FstceError):
        return what
    if legal is False and not (
        isinstance(error, ParameterError) and f"{name}={shown(value)}" in str(error)
    ):
        return f"not refused by name and value: {what}"
    if (
        legal is True
        and isinstance(error, ParameterError)
        and f"{name}={shown(value)}: give" in str(error)
    ):
        return f"refused although it is legal: {what}"
    return None


def RATIO(sums: Any) -> Any:
    return sums[..., 0] / sums[..., 1]


# Of one function or class, where the name means something else elsewhere.
TABLES: dict[Any, dict[str, Any]] = {
    bootstrap: {"seed": SEED},
    compare: {"first": None},
    fstce.neighborhood: {"name": NEIGHBORHOOD},
}


def is_legal(called: Any, name: str, value: Any) -> bool | None:
    """Whether a value is allowed; None where that is not known of it alone."""
    rule = None if name in DATA else rule_of(called, name)
    return None if rule is None else rule.admits(value)


def rule_of(called: Any, name: str) -> Rule | None:
    if name in TABLES.get(called, {}):
        return TABLES[called][name]
    own = getattr(called, "rules", {})
    if name in own and name not in {*ARGUMENTS, "cycles"}:
        return own[name].or_none()
    return (
        {**LOCAL, **ARGUMENTS}[name]
        if (called, name) != (fstce.explain, "neighborhood")
        else NEIGHBORHOOD.or_none()
    )


ESTIMATORS = tuple(QUICK)


@pytest.mark.parametrize("cls", ESTIMATORS)
def test_the_table_has_every_parameter(cls: type) -> None:
    assert set(parameters(cls)) <= set(cls.rules)  # type: ignore[attr-defined]
    for name, parameter in parameters(cls).items():
        assert parameter.rule.admits(parameter.default), name
        assert parameter.rule.allowed and (parameter.rule.help or name in ("overlap", "seed")), name


@pytest.mark.parametrize(
    ("cls", "name"), [(cls, name) for cls in ESTIMATORS for name in parameters(cls)]
)
def test_every_parameter_of_every_estimator(cls: type, name: str) -> None:
    rule, bad = parameters(cls)[name].rule, []
    for value in WRONG:
        legal = rule.admits(value)
        if legal and isinstance(value, int | float) and abs(value) < 1e9:
            continue  # training with usual values is what all other tests do
        error = outcome(lambda value=value: fitted(fresh(cls, **{name: value})))
        bad.append(complaint(name, value, error, legal))
    assert "\n".join(line for line in bad if line) == ""


@pytest.mark.parametrize("cls", ESTIMATORS)
def test_a_parameter_that_is_changed_is_checked_before_it_is_used(cls: type) -> None:
    model = fresh(cls)
    model.__dict__.update(trained(cls).__dict__)
    for name, parameter in parameters(cls).items():
        value = model.get_params()[name]
        error = outcome(lambda name=name: model.set_params(**{name: object()}).predict(TYPED))
        assert (
            complaint(name, model.get_params()[name], error, parameter.rule.admits(object()))
            is None
        )
        model.set_params(**{name: value})


OTHERS = (
    fstce.TagDictionary,
    fstce.Neighborhood,
    fstce.TaggerProduct,
    fstce.Explanation,
)
CLASSES = (*ESTIMATORS, *OTHERS)
# Python's own, and what passes states around.
OWN = (
    "get_params",
    "set_params",
    "get",
    "items",
    "keys",
    "values",
    "to_state",
    "from_state",
    "of_parameters",
)
# The other methods of a neighborhood are its makers', from one to the other.
OF_NEIGHBORHOODS = (*("for_text", "limited", "stages", "transducer"),)
METHODS = [
    (cls, method)
    for cls in CLASSES
    for method, found in inspect.getmembers(cls)
    if not method.startswith("_") and callable(found) and method not in OWN
    if cls is not fstce.Neighborhood or method in OF_NEIGHBORHOODS
]


@pytest.mark.parametrize(("cls", "method"), METHODS)
def test_every_argument_of_every_method(cls: type, method: str) -> None:
    bad = []
    signature = inspect.signature(getattr(trained(cls), method)).parameters
    right = values_of(cls)
    for name in signature:
        for value in WRONG:
            wanted = {
                other: right[other]
                for other, parameter in signature.items()
                if parameter.default is parameter.empty or other == "dictionary"
                if other in right
            }
            model = trained(cls)
            if method in ("fit", "compile", "begin", "train"):
                model = fresh(cls)
            if method == "train":
                wanted["objective"] = model.compile(
                    right["sentences"],
                    **({"dictionary": right["dictionary"]} if cls is fstce.Tagger else {}),
                )
            if method == "objective":
                wanted["theta"] = np.zeros(len(model.theta_))
            error = outcome(partial(getattr(model, method), **{**wanted, name: value}))
            bad.append(complaint(name, value, error, is_legal(cls, name, value)))
    assert "\n".join(line for line in bad if line) == ""


trans1 = fstce.neighborhood("trans1")
BUILT = {
    fstce.TagDictionary: {"mapping": {"a": "D"}},
    fstce.Neighborhood: {"build": lambda symbols: None, "name": "mine"},
    fstce.TaggerProduct: {},
    Channel: {},
    read_corpus: {"spec": "sample"},
    iter_corpus: {"spec": "sample"},
    fstce.explain: {"words": TEXT[0]},
    fstce.neighborhood: {"name": "trans1"},
    trans1: {"words": TEXT[0]},
    bootstrap: {"counts": [[1, 1]], "statistic": RATIO},
    compare: {"first": [[1, 1]], "second": [[1, 1]], "statistic": RATIO},
    first_words: {"sentences": [Sentence(row) for row in TEXT], "n": 3},
    dependency_corpus: {
        "sentences": [Sentence(w, tags=t) for w, t in zip(TEXT, TAGS, strict=True)]
    },
    **{
        called: {"n": 3}
        for called in (left_branching, right_branching, attach_next, attach_previous)
    },
}


@pytest.mark.parametrize("called", BUILT)
def test_every_argument_of_what_is_called(called: Any) -> None:
    bad = []
    right = dict(BUILT[called])
    if called is fstce.explain:
        right["model"] = trained(fstce.Tagger)
    if called is fstce.TaggerProduct:
        right["taggers"] = [trained(fstce.Tagger)]
    for name in inspect.signature(called).parameters:
        for value in WRONG:
            given = {**right, name: value}
            if "spec" in right and name in ("encoding", "format", "tag_column"):
                given["spec"] = io.StringIO("the/D dog/N")
            error = outcome(lambda given=given: called(**given))
            bad.append(complaint(name, value, error, is_legal(called, name, value)))
    assert "\n".join(line for line in bad if line) == ""
