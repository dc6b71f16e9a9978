"""What ``fstce info`` says of dependency parsers and of their products."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fstce.console.models import Facts, course_of, kinds_of, members_facts, parameters_of, show_heaviest
from fstce.console.output import count, facts
from fstce.parsing.criteria import LOCAL

if TYPE_CHECKING:
    from fstce.parsing.parser import DependencyParser
    from fstce.parsing.product import ParserProduct


def show(parser: DependencyParser) -> None:
    """Print the parameters of a parser, its grammar, the heaviest weights.

    Of a generative grammar these are its likeliest roots and children, as stopping is near 1.
    """
    facts([*parameters_of(parser), *grammar_facts(parser)])
    local = parser.recipe.criterion in LOCAL
    weights = ((name, weight) for name, weight in parser.weights().items() if not local or name[0] != "stop")
    show_heaviest(weights, likely=local)


def show_product(product: ParserProduct) -> None:
    """Print the members of a product, and the tags of them all."""
    facts(members_facts("parser", product.parsers, product.decoder, product.model_.tags))


def grammar_facts(parser: DependencyParser) -> Facts:
    """What a parser was trained to and on."""
    model, recipe = parser.model_, parser.recipe
    against = f" against {recipe.neighborhood}" if recipe.criterion in ("contrastive", "correction") else ""
    weighed = {
        "rules": f", trees by the rules {parser.attachment_rules}",
        "headedness": ", trees by headedness",
    }.get(recipe.knowledge, "")
    learnt = f"{recipe.criterion}{against} from the start {recipe.start}"
    left_out = [("left out", count(parser.n_skipped_, "tree") + ", not projective")]
    return [
        ("recipe", f"{learnt}, structural bias {recipe.structural_bias:g}{weighed}"),
        ("tags", f"{model.n_tags}: {' '.join(model.tags)}"),
        ("features", kinds_of(model.names)),
        *(left_out if parser.n_skipped_ else ()),
        *(course_of(parser.training_) if hasattr(parser, "training_") else ()),
    ]
