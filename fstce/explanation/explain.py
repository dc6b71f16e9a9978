"""Why a sentence is as probable as it is in its neighborhood: neighbors, features, posteriors.

Training moves probability from the neighbors to the sentence (Smith & Eisner 2005a,
Eq. 7). An explanation asks a trained model how far that went: which neighbors still take
probability from the sentence, and which features decide between it and them.

>>> import fstce
>>> text = [s.split() for s in ("the cat saw the saw", "the saw saw the cat", "the cat saw a dog")]
>>> dictionary = {"the": "D", "a": "D", "cat": "N", "dog": "N", "saw": ("N", "V")}
>>> tagger = fstce.Tagger("trans1", order=2).fit(text, dictionary=dictionary)
>>> why = explain(tagger, "the saw saw a cat".split())
>>> why.n_neighbors, " ".join(why.neighbors[0].words)
(3, 'saw the saw a cat')
>>> [" ".join(contribution.name[1:]) for contribution in why.whole.top(2)]
['N V', 'D N']
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from fstce.corpora.words import checked_sentences
from fstce.errors import NeighborhoodError, ParameterError
from fstce.explanation.page import Comparison, Explanation, Neighbor
from fstce.explanation.protocol import FeatureContribution, OverLattice, Sums, Words, explained
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import SIGMA_ID
from fstce.neighborhoods.base import Neighborhood
from fstce.neighborhoods.registry import neighborhood
from fstce.numeric.types import Floats
from fstce.parameters.tables import NEIGHBORHOOD, check_arguments

MOST = 500  # strings that are looked at one by one
BEST = 100  # structures whose strings are looked at where there are more


def explain(
    model: Any, words: Sequence[str], neighborhood: str | Neighborhood | None = None, *, k: int = 10
) -> Explanation:
    """Explain how a trained model sees a sentence in its neighborhood.

    Parameters
    ----------
    model : Tagger, DependencyParser or a product of some
        Trained.
    words : sequence of str
        The sentence; a parser's are tags.
    neighborhood : str or Neighborhood, optional
        By default the model's; for ``auto`` the first that it stands for.
    k : int
        How many neighbors are listed.

    Returns
    -------
    Explanation

    Raises
    ------
    MachineError, NeighborhoodError
        The neighborhood does not fit the sentence.
    ParameterError
        There are no words or k is less than one; or a parser does not know a tag.

    Examples
    --------
    >>> from fstce import Tagger, explain
    >>> text = [["we", "fish"], ["we", "swim"]]
    >>> tags = {"we": "P", "fish": ("N", "V"), "swim": "V"}
    >>> tagger = Tagger("trans1", order=2).fit(text, dictionary=tags)
    >>> explain(tagger, ["we", "fish"]).neighbors[0].words
    ('fish', 'we')
    """
    seen = explained(model)
    check_arguments(k=k)
    if neighborhood is not None:
        NEIGHBORHOOD.check(neighborhood=neighborhood)

    sentence = tuple(checked_sentences([words])[0])
    asked = over(seen, sentence, neighborhood)
    contrast = seen.contrast(neighborhood)
    total = asked.whole()
    rivals, complete = _rivals(asked, sentence, k, total.log_z)
    mine, *others = within(asked, [sentence, *rivals])
    neighbors = [
        Neighbor(rival, math.exp(sums.log_z - total.log_z), _compared(asked, mine, sums))
        for rival, sums in zip(rivals, others, strict=True)
    ]
    readings, posteriors, answer = asked.readings(sentence)
    return Explanation(
        sentence,
        contrast if isinstance(contrast, str) else contrast.name,
        asked.lattice,
        asked.arc_posteriors(),
        asked.lattice.count() - 1,
        tuple(neighbors),
        complete,
        _compared(asked, mine, total),
        readings,
        posteriors,
        tuple(answer),
    )


def arc_posteriors(model: Any, lattice: Lattice) -> Floats:
    """The probability of each arc of a lattice under a trained model, shape (arcs,).

    ``lattice``: over any words; for a parser over tags that it knows.

    >>> import fstce
    >>> dictionary = {"the": "D", "cat": "N"}
    >>> tagger = fstce.Tagger("trans1", order=2).fit([["the", "cat"]], dictionary=dictionary)
    >>> lattice = fstce.neighborhood("trans1")(["the", "cat"])
    >>> arc_posteriors(tagger, lattice).round(2).tolist()
    [0.78, 0.22, 0.22, 0.78]
    """
    return explained(model).over(lattice).arc_posteriors()


def over(model: Any, words: Words, contrast: str | Neighborhood | None = None) -> OverLattice:
    """A trained model over the neighborhood of a sentence, by default that of the model."""
    seen = explained(model)
    if not words:
        raise ParameterError("an explanation needs a sentence of at least one word")
    chosen = neighborhood(seen.contrast(contrast))
    if chosen.corpus_wide:
        raise NeighborhoodError(
            f"{chosen.name} is made from a whole corpus: ask about another neighborhood, such as "
            "trans1"
        )
    lattice = next(chosen.expand([words], seen.symbols(words)))
    if not lattice.accepts(words):
        raise NeighborhoodError(f"{lattice.name}: the sentence is not in its own neighborhood")
    return seen.over(lattice)


def _rivals(
    asked: OverLattice, sentence: Words, k: int, log_total: float
) -> tuple[list[Words], bool]:
    """The k most probable strings besides the sentence, and whether no other has more.

    Of all strings where they are few, else of those of the best structures.
    """
    strings = asked.lattice.strings(MOST + 1)
    every = len(strings) <= MOST
    if not every:
        strings = [sentence, *asked.best(max(BEST, 4 * k))]

    strings = list(dict.fromkeys(strings))
    log_z = asked.log_z(strings) + path_weights(asked.lattice, strings)
    ranked = [i for i in np.argsort(-log_z, kind="stable") if strings[i] != sentence][:k]
    probability = np.exp(log_z - log_total)
    complete = every or bool(probability[ranked[-1]] >= 1 - probability.sum())
    return [strings[i] for i in ranked], complete


def within(asked: OverLattice, strings: Sequence[Words]) -> list[Sums]:
    """The sums of each string, with the lattice's own weight of it, which is no feature."""
    weights = path_weights(asked.lattice, strings).tolist()
    return [
        sums._replace(log_z=sums.log_z + weight, constant=sums.constant + weight)
        for sums, weight in zip(asked.of(strings), weights, strict=True)
    ]


def path_weights(lattice: Lattice, strings: Sequence[Words]) -> Floats:
    """The log-sum of a lattice's own weights over the paths of each string, −inf where none is."""
    arcs = lattice.arrays.by_state()
    weights = []
    for words in strings:
        weight_of_state = {lattice.arrays.start: 0.0}
        for label in lattice.symbols.ids(words).tolist():
            reached: dict[int, float] = {}
            for state, weight in weight_of_state.items():
                for read, _, cost, target in arcs[state]:
                    if read in (label, SIGMA_ID):
                        before = reached.get(target)
                        reached[target] = weight - cost
                        if before is not None:  # seldom: lattices are deterministic
                            reached[target] = np.logaddexp(before, weight - cost)
            weight_of_state = reached

        ends = [weight - lattice.arrays.final[state] for state, weight in weight_of_state.items()]
        weights.append(np.logaddexp.reduce(ends))

    return np.array(weights)


def _compared(model: OverLattice, sums: Sums, rival: Sums) -> Comparison:
    """The part of each feature in log Z of the sentence minus log Z of the other."""
    features = np.flatnonzero(np.abs(sums.counts - rival.counts) > 1e-12)
    numbers = (row[features].tolist() for row in (model.theta, sums.counts, rival.counts))
    contributions = map(FeatureContribution, model.names(features), *numbers)
    # Ties of training's last digits are ties.
    ranked = sorted(contributions, key=lambda part: -round(abs(part.nats), 6))

    return Comparison(
        sums.log_z - rival.log_z,
        tuple(ranked),
        sums.entropy(model.theta) - rival.entropy(model.theta),
        sums.constant - rival.constant,
    )
