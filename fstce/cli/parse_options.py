"""How latent grammars parse, as options of ``parse`` and ``evaluate``."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer


class ObjectiveName(str, Enum):
    """What the best tree is best at."""

    max_rule_product = "max-rule-product"
    max_rule_sum = "max-rule-sum"
    viterbi = "viterbi"


class CombinationName(str, Enum):
    """How grammars work together."""

    product = "product"
    sum = "sum"
    tree = "tree"


ObjectiveOption = Annotated[
    ObjectiveName | None,
    typer.Option(
        "--objective", help="Of a latent grammar: what the best tree is best at.", show_default="the model's"
    ),
]
CombinationOption = Annotated[
    CombinationName | None,
    typer.Option(
        "--combination",
        help="Of a product: posteriors multiplied or added, or whole trees multiplied.",
        show_default="the model's",
    ),
]
