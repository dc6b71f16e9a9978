"""How latent grammars parse, as options of ``fstce latent parse`` and ``evaluate``."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from fstce.cli.kinds import kind_of
from fstce.errors import ParameterError


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
    typer.Option("--objective", help="What the best tree is best at.", show_default="the model's"),
]
CombinationOption = Annotated[
    CombinationName | None,
    typer.Option(
        "--combination",
        help="Of a product: posteriors multiplied or added, or whole trees multiplied.",
        show_default="the model's",
    ),
]


def chosen(
    model: Path, objective: ObjectiveName | None, combination: CombinationName | None
) -> dict[str, Any]:
    """The parameters that the options set.

    Raises
    ------
    ParameterError
        One grammar has nothing to combine.
    """
    if combination is not None and kind_of(model) == "latent grammar":
        raise ParameterError(f"--combination is for products of grammars; {model} is a single latent grammar")
    given = {"objective": objective, "combination": combination}
    return {name: value.value for name, value in given.items() if value is not None}
