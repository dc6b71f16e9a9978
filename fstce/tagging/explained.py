"""A tagger as explanations and inspections see it."""

from __future__ import annotations

from fstce.explanation.protocol import Words
from fstce.inspection.adjustable import Adjustable
from fstce.machines.lattice import Lattice
from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.base import Neighborhood
from fstce.tagging.adjustable import adjustable
from fstce.tagging.criteria import is_auto
from fstce.tagging.export import emission_fst, history_fst
from fstce.tagging.over_lattice import TaggerModel
from fstce.tagging.product import TaggerProduct
from fstce.tagging.tagger import Tagger


class ExplainedTagger:
    """A trained tagger as explanations see it."""

    def __init__(self, tagger: Tagger) -> None:
        tagger._check_fitted("theta_")
        self.tagger = tagger

    def contrast(self, asked: str | Neighborhood | None) -> str | Neighborhood:
        """The neighbourhood that is asked about, by default the model's own; of ``auto`` the first."""
        if asked is not None and not is_auto(asked):
            return asked
        tagger = self.tagger
        chosen = tagger.contrasts_[0] if is_auto(tagger.neighborhood) else tagger.neighborhood
        tagger._check_runs_no_code([chosen])
        return chosen

    def symbols(self, words: Words) -> Symbols:
        """The tagger's words, and those of the sentence."""
        return Symbols([*self.tagger.features_.symbols, *words])

    def over(self, lattice: Lattice) -> TaggerModel:
        """The tagger over the taggings of a lattice's strings."""
        return TaggerModel(self.tagger, lattice)

    def adjustable(self, asked: TaggerModel, words: Words) -> Adjustable | None:
        """The sums of a sentence and its neighbourhood, as a page has them."""
        return adjustable(asked, words)

    def machines(self) -> list[tuple[str, pynini.Fst, str]]:
        """The two transducers that a tagger is."""
        weighted = self.tagger.weighted_
        return [
            ("history", history_fst(weighted), "weighs tags by those before"),
            ("emissions", emission_fst(weighted), "writes for a word its tags"),
        ]


def explained(model: Tagger | TaggerProduct) -> ExplainedTagger:
    """A trained tagger as explanations see it; of a product the tagger that is its intersection."""
    return ExplainedTagger(model.intersect() if isinstance(model, TaggerProduct) else model)
