"""Slopes of what training maximizes, by differences: criterion × neighborhood × features × order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from fstce import DependencyParser, TagDictionary, Tagger
from fstce.corpora import sample
from fstce.errors import FstceError
from fstce.neighborhoods.shipped import direct_names, names, names_over_vocabulary
from tests.campaign.verdict import FINE, UNCLEAR, WRONG, Verdict

STEP = 1e-4
TOLERANCE = 1e-5  # of the slope, or of a nat a unit
CRITERIA = ("contrastive", "joint", "conditional", "supervised-contrastive", "parser", "labelled")
FEATURES = ((), ("form",), ("context",), ("form", "context"))  # of tokens
VARIANCES = (None, 1.0, 10.0, {"ngram": 2.0, "word": 0.5, "spelling": 1.0})


def keys(random: Random) -> Iterator[str]:
    """Endless: criterion, seed of all else."""
    while True:
        yield f"{random.choice(CRITERIA)}:{random.getrandbits(40)}"


def judge(key: str, specimens: Path, scratch: Path) -> Verdict:
    """Compile a few sentences, and compare slopes in random directions at a random place."""
    criterion, seed = key.split(":")
    random = Random(int(seed))
    neighborhood = random.choice((*names(), *names_over_vocabulary(), *direct_names()))
    try:
        objective, size, told = _objective(criterion, neighborhood, random)
    except FstceError as error:  # some do not go together, and say so
        return Verdict(FINE) if str(error) else Verdict(UNCLEAR, "refused without a word")

    draw = np.random.default_rng(int(seed))
    theta = draw.normal(0, 0.5, size)
    _, gradient = objective(theta)
    for _ in range(3):
        direction = draw.normal(0, 1, size)
        direction /= np.linalg.norm(direction)
        # (f(θ − 2hd) − 8 f(θ − hd) + 8 f(θ + hd) − f(θ + 2hd)) / 12h
        weights = {-2: 1, -1: -8, 1: 8, 2: -1}
        difference = 0.0
        for k, weight in weights.items():
            difference += weight * objective(theta + k * STEP * direction)[0]
        difference /= 12 * STEP
        slope = float(gradient @ direction)
        if abs(slope - difference) > TOLERANCE * max(1.0, abs(slope)):
            return Verdict(WRONG, f"{told}: slope {slope}, by differences {difference}")
    return Verdict(FINE)


def _objective(criterion: str, neighborhood: str, random: Random) -> tuple[Any, int, str]:
    """The objective of a few short sentences, how many weights it has, and what it is."""
    rows = [sentence for sentence in sample() if 2 <= len(sentence) <= 9]
    rows = random.sample(rows, 3)
    if criterion == "parser":
        tags = [sentence.tags for sentence in rows]
        name = random.choice(("contrastive", "conditional", "supervised-contrastive"))
        chains = [list(range(len(row))) for row in tags]  # each word governs the next
        parser = DependencyParser(criterion=name, neighborhood=neighborhood)
        objective = parser.compile(tags, None if name == "contrastive" else chains)
        return objective, len(parser.initial_weights()), f"parser, {name}, {neighborhood}"

    settings = {
        "order": random.choice((1, 2, 3)),
        "spelling": random.random() < 0.5,
        "sigma2": random.choice(VARIANCES),
        "features": random.choice(FEATURES) if random.random() < 0.5 else (),
        "oov": random.random() < 0.2,
    }
    name = "contrastive" if criterion == "labelled" else criterion
    tagger = Tagger(criterion=name, neighborhood=neighborhood, **settings)
    tags = [sentence.tags for sentence in rows]
    if name == "contrastive":
        beside = (rows[:1], tags[:1]) if criterion == "labelled" else None
        dictionary = TagDictionary.from_corpus(rows)
        objective = tagger.compile(rows, dictionary=dictionary, labelled=beside)
    else:
        objective = tagger.compile(rows, tags)
    told = f"{criterion}, {neighborhood}, {settings}"
    return objective, len(tagger.initial_weights()), told
