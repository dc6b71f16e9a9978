"""``fstce latent show``: the subcategories that a grammar has learned, with likely words and rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from fstce.console.models import load
from fstce.console.options import AsJson, ListingFormat, Model, helped, option
from fstce.console.output import count, print_json, table
from fstce.errors import ParameterError
from fstce.latent.latent_grammar import LatentGrammar
from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.subcategories import Subcategory, subcategories

# The titles and rows of a table, tab-separated lines, and records, of the same.
Rows = Sequence[tuple[Any, ...]]
Listing = tuple[tuple[str, ...], Rows, Rows, list[dict[str, Any]]]


@helped("""List a grammar's subcategories with their likeliest words or rules.

Tags have words, phrases have rules. The share says how much of its symbol a subcategory
is expected to be. Intermediate symbols (@NP) are listed only if they are asked for.
Tab-separated lines hold subcategory, share, rank, word or rule, probability.

\b
Examples:
  fstce latent show model --symbol NNP
  fstce latent show model --symbol NP,VP --list 5
  fstce latent show model --counts
  fstce latent show product --member 3 --output-format tsv > subcategories.tsv
""")
def show(
    model: Model,
    symbol: Annotated[
        str | None,
        option("--symbol -s NAME,...", "Only these tags and phrases, as NN,NP.", show_default="all"),
    ] = None,
    n: Annotated[int, option("--list N", "How many words, or rules, of each subcategory.", min=1)] = 10,
    cycles: Annotated[
        int | None, option("--cycles N", "The grammar after so many cycles.", min=0, show_default="all")
    ] = None,
    member: Annotated[int, option("--member N", "Of a product: which of its grammars.", min=1)] = 1,
    counts: Annotated[bool, option("--counts", "Only how many subcategories each symbol has.")] = False,
    output_format: ListingFormat = "table",
    as_json: AsJson = False,
) -> None:
    chosen = _member(model, member)
    grammar = (chosen if cycles is None else chosen.after(cycles)).hierarchy_.finest
    names = _names(grammar, symbol)
    if counts:
        header, rows, lines, records = _sizes(grammar, names)
    else:
        each = [one for name in names for one in subcategories(grammar, name, n)]
        header, rows, lines, records = _likeliest(each)
    if as_json:
        for record in records:
            print_json(record)
    elif output_format == "tsv":
        for line in lines:
            print("\t".join(map(str, line)))
    else:
        table(header, rows)


def _member(model: Path, number: int) -> LatentGrammar:
    members: Sequence[LatentGrammar] = load(model, "latent").members()
    if number > len(members):
        raise ParameterError(f"--member {number}: the model has {count(len(members), 'grammar')}")
    return members[number - 1]


def _sizes(grammar: SplitGrammar, names: Sequence[str]) -> Listing:
    """How many subcategories each symbol has, the most first."""
    unknown = [name for name in names if name not in grammar.symbols]
    if unknown:
        raise ParameterError(f"the grammar has no symbol {unknown[0]!r}")
    sizes = dict(zip(grammar.symbols, grammar.sizes.tolist(), strict=True))
    rows = sorted(((name, sizes[name]) for name in names), key=lambda row: (-row[1], row[0]))
    return ("symbol", "subcategories"), rows, rows, [dict(rows)]


def _likeliest(each: Sequence[Subcategory]) -> Listing:
    """Subcategories with their words or rules."""
    rows = [(one.name, 100 * one.share, _likely(one)) for one in each]
    lines = [
        (one.name, f"{one.share:.6f}", rank, name, f"{p:.6g}")
        for one in each
        for rank, (name, p) in enumerate(one.likely, 1)
    ]
    records = [
        {
            **{"symbol": one.symbol, "number": one.number, "share": one.share},
            "likely": [{"name": name, "probability": p} for name, p in one.likely],
        }
        for one in each
    ]
    return ("subcategory", "% of symbol", "likely words or rules"), rows, lines, records


def _names(grammar: SplitGrammar, symbol: str | None) -> list[str]:
    """The symbols asked for; by default tags, then phrases."""
    if symbol is not None:
        return [name.strip() for name in symbol.split(",") if name.strip()]
    tags = [grammar.symbols[tag] for tag in grammar.tags]
    phrases = [name for name in grammar.symbols[1:] if name not in tags and not name.startswith("@")]
    return [*tags, *phrases]


def _likely(one: Subcategory) -> str:
    """Words one next to the other; rules, which are longer, with their probabilities."""
    rules = any("-" in name and " " in name for name, _ in one.likely)
    return (
        "; ".join(f"{name} {p:.3f}" for name, p in one.likely)
        if rules
        else " ".join(n for n, _ in one.likely)
    )
