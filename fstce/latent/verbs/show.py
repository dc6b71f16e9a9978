"""``fstce latent show``: the subcategories that a grammar has learnt, with likely words and rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

from fstce.console.models import load
from fstce.console.options import AsJson, Listing, ListingFormat, Model, helped, option
from fstce.console.output import count, print_json, table
from fstce.errors import ParameterError
from fstce.latent.latent_grammar import LatentGrammar
from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.subcategories import Subcategory, subcategories


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
        _show_counts(grammar, names, output_format, as_json)
    else:
        _show(grammar, names, n, output_format, as_json)


def _member(model: Path, number: int) -> LatentGrammar:
    members: Sequence[LatentGrammar] = load(model, "latent").members()
    if number > len(members):
        raise ParameterError(f"--member {number}: the model has {count(len(members), 'grammar')}")
    return members[number - 1]


def _names(grammar: SplitGrammar, symbol: str | None) -> list[str]:
    """The symbols asked for; by default tags, then phrases."""
    if symbol is not None:
        return [name.strip() for name in symbol.split(",") if name.strip()]
    tags = [grammar.symbols[tag] for tag in grammar.tags]
    phrases = [name for name in grammar.symbols[1:] if name not in tags and not name.startswith("@")]
    return [*tags, *phrases]


def _show(grammar: SplitGrammar, names: list[str], n: int, notation: Listing, as_json: bool) -> None:
    subcategories_of = [one for name in names for one in subcategories(grammar, name, n)]
    if as_json:
        for one in subcategories_of:
            print_json(_record(one))
    elif notation == "tsv":
        _lines(
            (one.name, f"{one.share:.6f}", rank, *pair)
            for one in subcategories_of
            for rank, pair in _ranked(one)
        )
    else:
        rows = [(one.name, f"{100 * one.share:.1f}", _likely(one)) for one in subcategories_of]
        table(("subcategory", "% of symbol", "likely words or rules"), rows, numbers=(1,))


def _show_counts(grammar: SplitGrammar, names: list[str], notation: Listing, as_json: bool) -> None:
    unknown = [name for name in names if name not in grammar.symbols]
    if unknown:
        raise ParameterError(f"the grammar has no symbol {unknown[0]!r}")
    sizes = dict(zip(grammar.symbols, grammar.sizes.tolist(), strict=True))
    rows = sorted(((name, sizes[name]) for name in names), key=lambda row: (-row[1], row[0]))
    if as_json:
        print_json(dict(rows))
    elif notation == "tsv":
        _lines(rows)
    else:
        table(("symbol", "subcategories"), [(name, str(size)) for name, size in rows], numbers=(1,))


def _lines(rows: Iterable[tuple[object, ...]]) -> None:
    for row in rows:
        print("\t".join(map(str, row)))


def _ranked(one: Subcategory) -> list[tuple[int, tuple[str, str]]]:
    return [(rank, (name, f"{p:.6g}")) for rank, (name, p) in enumerate(one.likely, 1)]


def _likely(one: Subcategory) -> str:
    """Words one beside the other; rules, which are longer, with their probabilities."""
    rules = any("-" in name and " " in name for name, _ in one.likely)
    return (
        "; ".join(f"{name} {p:.3f}" for name, p in one.likely)
        if rules
        else " ".join(n for n, _ in one.likely)
    )


def _record(one: Subcategory) -> dict[str, object]:
    likely = [{"name": name, "probability": p} for name, p in one.likely]
    return {"symbol": one.symbol, "number": one.number, "share": one.share, "likely": likely}
