"""What ``fstce info`` says of taggers and of their products."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fstce.console.models import course_of, kinds_of, members_facts, parameters_of, show_heaviest
from fstce.console.output import count, facts

if TYPE_CHECKING:
    from fstce.tagging.product import TaggerProduct
    from fstce.tagging.tagger import Tagger


def show(tagger: Tagger) -> None:
    """Print the parameters of a tagger, what was learnt, the heaviest features."""
    names = tagger.features_.names()
    facts(
        [
            *parameters_of(tagger),
            ("tags", f"{len(tagger.tags_)}: {' '.join(tagger.tags_)}"),
            ("dictionary", count(len(tagger.dictionary_), "word")),
            ("features", kinds_of(names)),
            *([("weights not zero", f"{int((tagger.theta_ != 0).sum()):,}")] if tagger.l1 else []),
            *(course_of(tagger.training_) if hasattr(tagger, "training_") else ()),
        ]
    )
    show_heaviest(zip(names, tagger.theta_.tolist(), strict=True))


def show_product(product: TaggerProduct) -> None:
    """Print the members of a product, and what they share."""
    words = count(len(product.dictionary_), "word")
    facts([*members_facts("tagger", product.taggers, product.decoder, product.tags_), ("dictionary", words)])
