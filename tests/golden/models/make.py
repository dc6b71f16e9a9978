"""Made the models in this folder, with fstce 0.1.0 (format version 1): ``python make.py FOLDER``.

Each model lies in a folder of its name; ``expected.json`` holds what it answered then.
It is kept to show how they were made; the classes have moved since.
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

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
from fstce.correction.channel import Channel
from fstce.transducers import del1word

TEXT = [sentence for sentence in sample() if len(sentence) <= 8]
WORDS = [list(sentence.words) for sentence in TEXT[:60]]
TAGS = [list(sentence.tags) for sentence in TEXT[:60]]
UNSEEN = [list(sentence.words) for sentence in TEXT[60:66]] + [
    ["Zebras", "unbelievably", "ran", "."]
]
UNSEEN_TAGS = [list(sentence.tags) for sentence in TEXT[60:66]] + [["NEW", "NN", "VB"]]
TYPED = [
    ["the", "lmap", "is", "smalll", "."],
    ["she", "opend", "teh", "door"],
    ["a", "zebra", "ran"],
]
DICTIONARY = TagDictionary.from_corpus(TEXT, first=60)
QUICK: dict[str, Any] = {"split_iterations": 3, "merge_iterations": 1, "smooth_iterations": 1}
CHANNEL = Channel(0.5, 1.5, confusions={("a", "e"): 0.25, ("", "h"): 0.5})


def models() -> dict[str, Any]:
    """One of every kind, and of every make whose files differ."""
    own = Neighborhood(del1word.build, "mine", equivariant=True)
    spelling = {
        "spelling": True,
        "order": 2,
        "sigma2": 0.5,
        "start": "random",
        "seed": 3,
        "oov": True,
        "rare": 1,
    }
    few = TEXT[:40]
    grammar = LatentGrammar(cycles=1, seed=5, objective="max-rule-sum", merged=0.25, **QUICK).fit(
        few
    )
    members = [
        LatentGrammar(cycles=1, seed=seed, max_length=30, **QUICK).fit(few[:20]) for seed in (0, 1)
    ]
    small = {"max_iterations": 5}
    other = Corrector(criterion="none", exponents={"unknown": 9.0}, ngrams=2).fit(WORDS[:20])
    parser = DependencyParser(criterion="em", start="klein-manning", annealing=(0.5, 1))
    return {
        "tagger-spelling": Tagger(
            **spelling, annealing=(0.5, 1.0), decoder="posterior", max_iterations=8
        ).fit(WORDS[:30], dictionary=DICTIONARY),
        "tagger-hmm": Tagger(criterion="em", order=1, smoothing=0.25).fit(
            WORDS[:20], dictionary=DICTIONARY
        ),
        "tagger-own": Tagger(neighborhood=own, order=2, sigma2=None, max_iterations=3).fit(
            WORDS[:20], dictionary=DICTIONARY
        ),
        "parser": DependencyParser(
            "delortrans1", sigma2=0.5, start="random", seed=3, noise=0.2, decoder="minimum-risk"
        ).fit(TAGS[:6]),
        "parser-generative": DependencyParser(
            criterion="viterbi-em", start="klein-manning", annealing=(0.5, 1), smoothing=0.0
        ).fit(TAGS[:6]),
        "latent": grammar,
        "product": GrammarProduct(members, combination="sum", jobs=1, candidates=20),
        "induction": DirectedAlignment(
            iterations=12, punctuation=(",", "."), max_length=4, overlap_threshold=0.75, top="S"
        ).fit(WORDS),
        "corrector-words": Corrector(**small, held_out=0.1).fit(
            WORDS[:30], lexicon={"zebra": 3, "oven": 7}
        ),
        "corrector-classes": Corrector(
            **small,
            classes=3,
            ngrams=2,
            seed=4,
            channel=CHANNEL,
            exponent=0.5,
            exponents={"model": 0.3},
            mistakes=("random", "keyboard"),
            spell=2,
        ).fit(WORDS[:20]),
        "corrector-marks": Corrector(
            spell=0,
            punctuation=1,
            marks=[",", "."],
            mark_channel=Channel(insertion=2.0),
            criterion="none",
        ).fit(WORDS[:20]),
        "parsed-corrector": ParsedCorrector(
            parser,
            channel=CHANNEL,
            weight=0.5,
            tags=3,
            longest=4,
            other=other,
            held_out=0.2,
            decoder="best",
        ).fit(WORDS[:14], TAGS[:14]),
        "parsed-corrector-alone": ParsedCorrector(exponents={"unknown": 5.0}, threshold=0.3).fit(
            WORDS[:7], TAGS[:7]
        ),
    }


def answers(model: Any) -> dict[str, Any]:
    """What a model says of the unseen sentences, as JSON has it."""
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
        said["left_out"] = model.left_out_
    elif isinstance(model, LatentGrammar | GrammarProduct):
        said["predict"] = [str(tree) for tree in model.predict(UNSEEN)]
        said["log_likelihood"] = model.log_likelihood(UNSEEN).tolist()
    elif isinstance(model, DirectedAlignment):
        said["predict"] = [str(tree) for tree in model.predict(UNSEEN)]
        said["grammar"] = str(model.grammar_)
        said["resumed"] = str(model.set_params(iterations=15).resume().grammar_)
    else:
        found = model.correct(TYPED, alternatives=3)
        said["correct"] = [[c.words, c.changes, c.alternatives, c.decoder] for c in found]
        said["exponents"] = model.exponents_
        if isinstance(model, ParsedCorrector):
            said["parse"] = model.parse(TYPED)
    return said


def main(folder: Path) -> None:
    """Train, save, load, and write down what the loaded models say."""
    said = {}
    for name, model in models().items():
        model.save(folder / name)
        said[name] = answers(type(model).load(folder / name))
    (folder / "expected.json").write_text(
        json.dumps(said, ensure_ascii=False, default=asdict) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
