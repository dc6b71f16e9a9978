"""``fstce latent show``.

The subcategories that a grammar has learned, with likely words and rules.
"""

from __future__ import annotations

from typing import Annotated

from fstce.console.models import load
from fstce.console.options import AsJson, Model, helped, option
from fstce.console.output import print_json, table
from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.subcategories import Subcategory, subcategories


@helped("""List a grammar's subcategories with their likeliest words or rules.

Tags have words, phrases have rules. The share says how much of its symbol a subcategory
is expected to be. Intermediate symbols (@NP) are listed only if they are asked for. Of a
product the first grammar is shown.

\b
Examples:
  fstce latent show model --symbol NNP
  fstce latent show model --symbol NP,VP --list 5
  fstce latent show model --cycles 2 --json > subcategories.jsonl
""")
def show(
    model: Model,
    symbol: Annotated[
        str | None,
        option(
            "--symbol -s NAME,...", "Only these tags and phrases, as NN,NP.", show_default="all"
        ),
    ] = None,
    n: Annotated[
        int, option("--list N", "How many words, or rules, of each subcategory.", min=1)
    ] = 10,
    cycles: Annotated[
        int | None,
        option("--cycles N", "The grammar after so many cycles.", min=0, show_default="all"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    chosen = load(model, "latent").members()[0]
    if cycles is not None:
        chosen = chosen.after(cycles)
    grammar = chosen.hierarchy_.finest

    listed: list[Subcategory] = []
    for name in _names(grammar, symbol):
        listed += subcategories(grammar, name, n)

    if as_json:
        for sub in listed:
            likely = [{"name": name, "probability": p} for name, p in sub.likely]
            fields = {"symbol": sub.symbol, "number": sub.number, "share": sub.share}
            print_json({**fields, "likely": likely})
    else:
        rows = [(sub.name, 100 * sub.share, _likely(sub)) for sub in listed]
        table(("subcategory", "% of symbol", "likely words or rules"), rows)


def _names(grammar: SplitGrammar, symbol: str | None) -> list[str]:
    """The symbols asked for; by default tags, then phrases."""
    if symbol is not None:
        return [name.strip() for name in symbol.split(",") if name.strip()]
    tags = [grammar.symbols[tag] for tag in grammar.tags]
    phrases = [
        name for name in grammar.symbols[1:] if name not in tags and not name.startswith("@")
    ]
    return [*tags, *phrases]


def _likely(subcategory: Subcategory) -> str:
    """Words one next to the other; rules, which are longer, with their probabilities."""
    likely = subcategory.likely
    if any("-" in name and " " in name for name, _ in likely):
        return "; ".join(f"{name} {p:.3f}" for name, p in likely)
    return " ".join(name for name, _ in likely)
