"""What is said of latent grammars and of their products, after training and by ``fstce info``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fstce.console.models import TOP, parameters_of
from fstce.console.output import count, facts, table

if TYPE_CHECKING:
    from fstce.latent.latent_grammar import LatentGrammar
    from fstce.latent.product import GrammarProduct


def show(model: LatentGrammar | GrammarProduct) -> None:
    """Print the parameters of a grammar, what was learnt, the symbols that are split most."""
    members = model.members()
    parameters = dict(parameters_of(members[0]))
    if model is not members[0]:
        seeds = " ".join(str(member.seed) for member in members)
        own = {name: value for name, value in parameters_of(model) if name != "grammars"}
        parameters = {"grammars": f"{len(members)}, of seeds {seeds}", **own, **parameters}
    facts([*parameters.items(), *learned(model)])
    grammar = members[0].hierarchy_.finest
    sizes = dict(zip(grammar.symbols, grammar.sizes.tolist(), strict=True))
    top = sorted(sizes.items(), key=lambda pair: (-pair[1], pair[0]))[:TOP]
    print()
    table(("symbol", "subcategories"), [(name, str(size)) for name, size in top], numbers=(1,))


def learned(model: LatentGrammar | GrammarProduct) -> list[tuple[str, str]]:
    """What was learnt, as facts."""
    members = model.members()
    sizes = [member.hierarchy_.finest.n_subcategories for member in members]
    grammar = members[0].hierarchy_.finest
    lexicon = grammar.lexicon.vocabulary
    rows = [
        ("symbols", f"{len(grammar.symbols):,}, {count(len(grammar.tags), 'tag')} among them"),
        ("rules", f"{len(grammar.binary):,} binary, {len(grammar.unary):,} unary"),
        ("words", f"{len(lexicon.frequent) + len(lexicon.rare):,}"),
        ("subcategories", _range(sizes)),
    ]
    if members[0].history_:
        values = [member.history_[-1].log_likelihood for member in members]
        rows.append(("log-likelihood", ", ".join(f"{value:,.0f}" for value in values) + " nats"))
    return rows


def _range(sizes: list[int]) -> str:
    low, high = min(sizes), max(sizes)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
