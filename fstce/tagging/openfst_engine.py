"""A tagger's sums and tags by OpenFst alone, sentence by sentence: slow, and what numpy must give.

The exported machines, their weights in 64 bits, are intersected with a sentence or with the lattice
of its neighborhood. The shortest distance in log64 is −log Z (Smith & Eisner 2005a, §3.2); the
shortest path is the Viterbi tagging.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fstce.errors import ParameterError
from fstce.machines.image import Arrays, arrays_to_fst, chain, fst_to_arrays
from fstce.machines.openfst import pynini, pywrapfst
from fstce.machines.symbols import FIRST_WORD_ID, SIGMA_ID, Symbols
from fstce.neighborhoods.base import Neighborhood
from fstce.numeric.types import Rows, Words
from fstce.tagging.export import WeightedTagger, emission_fst, tag_ngram_fst
from fstce.wfsa.features import READINGS

ARC_TYPE = "log64"
EXACT = 0.0  # sums leave nothing out, however small


class OpenFstEngine:
    """The machines of a tagger over the words of training and of a text.

    >>> from fstce import Tagger
    >>> text = [["a", "dog"], ["dog"]]
    >>> tagger = Tagger("trans1", order=2).fit(text, dictionary={"a": "D", "dog": ["N", "V"]})
    >>> engine = OpenFstEngine(tagger.weighted_, text)
    >>> engine.tags(["a", "dog"]) == tagger.predict(text)[0]
    True
    """

    def __init__(self, tagger: WeightedTagger, sentences: Rows) -> None:
        words = [word for sentence in sentences for word in sentence]
        if any(READINGS in word for word in words):
            raise ParameterError(
                "engine='openfst' knows words, not what a stream says of each token: choose numpy"
            )
        self.names: tuple[str, ...] = tagger.tags
        self.has_oov: bool = tagger.features.has_oov
        self.symbols: Symbols = Symbols([*tagger.features.symbols, *words])
        self.emissions: Any = _with_wildcards(emission_fst(tagger, words, ARC_TYPE))
        self.history: Any = tag_ngram_fst(tagger, ARC_TYPE)

    def tags(self, sentence: Words) -> list[str]:
        """The tags of the shortest path of a sentence."""
        product = self.product(chain(self.symbols.ids(list(sentence)), ARC_TYPE))
        best = pynini.shortestpath(pynini.arcmap(product, map_type="to_standard"))
        labels = fst_to_arrays(best.topsort()).olabel
        return [self.names[label - 1] for label in labels.tolist()]

    def objective_value(self, sentences: Rows, kind: Neighborhood | None) -> float:
        """Σ log Z(x) − log Z(N(x)) in nats (Eq. 7); without a neighborhood Σ log Z(x)."""
        total = sum(
            self.log_sum(chain(self.symbols.ids(list(sentence)), ARC_TYPE))
            for sentence in sentences
        )
        if kind is None:
            return total

        times = len(sentences) if kind.corpus_wide else 1
        for lattice in kind.expand(sentences, self.symbols):
            if self.has_oov and (lattice.arrays.ilabel == SIGMA_ID).any():
                raise ParameterError(
                    f"engine='openfst': in {kind.name} any word may be one that the text lacks, "
                    "whose weights are in no machine; train with oov=False"
                )
            total -= times * self.log_sum(arrays_to_fst(lattice.arrays, ARC_TYPE))
        return total

    def log_sum(self, lattice: pywrapfst.Fst) -> float:
        """log Σ of exp of the scores of all taggings of all strings of a lattice."""
        arrays = fst_to_arrays(self.product(lattice))
        silent = np.zeros_like(arrays.ilabel)
        # All paths are ε now, so that removing them leaves the shortest distance as the start's
        # final weight: exact, where a weight that Python is given is a text of nine digits.
        whole = arrays_to_fst(arrays._replace(ilabel=silent, olabel=silent), ARC_TYPE).rmepsilon(
            delta=EXACT
        )
        return -float(fst_to_arrays(whole).final[whole.start()])

    def product(self, lattice: pywrapfst.Fst) -> pynini.Fst:
        """Lattice ∘ emissions ∘ tag n-grams: words in, tags out, −score in nats, ``log64``.

        The sum over its paths is Z. ``lattice``: over `symbols`, of arc type ``log64``.
        """
        own = pynini.Fst.from_pywrapfst(lattice)
        return pynini.compose(pynini.compose(own, self.emissions), self.history)


def _with_wildcards(emissions: pynini.Fst) -> pynini.Fst:
    """The machine, ``<sigma>`` as any word of the alphabet: an arc a tag, weights added up."""
    arrays = fst_to_arrays(emissions)
    words = arrays.ilabel >= FIRST_WORD_ID
    tag = arrays.olabel[words]
    weight = arrays.weight[words]
    start = np.zeros_like(tag)

    # Determinization in log64 makes of the arcs of a tag one.
    final = np.array([np.inf, 0.0])
    each = arrays_to_fst(Arrays(0, final, start, tag, tag, weight, start + 1), ARC_TYPE)
    summed = fst_to_arrays(pynini.determinize(each))

    loop = np.zeros_like(summed.olabel)
    wild = Arrays(0, np.zeros(1), loop, loop + SIGMA_ID, summed.olabel, summed.weight, loop)
    columns = (np.concatenate(pair) for pair in zip(arrays[2:], wild[2:], strict=True))
    return arrays_to_fst(Arrays(0, arrays.final, *columns), ARC_TYPE).arcsort("ilabel")
