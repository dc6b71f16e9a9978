"""``fstce parse`` with latent grammars and their products: words in, brackets out."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fstce.cli.output import count, note
from fstce.cli.parse_kinds import Request, kind_of, phrase_writer, sentence_batches

if TYPE_CHECKING:
    from fstce.corpora import Sentence, Tree
    from fstce.latent.latent_grammar import LatentGrammar
    from fstce.latent.parsing.report import ParseReport
    from fstce.latent.product import GrammarProduct
    from fstce.latent.tree_parser import TreeParser

_BRACKETS = {"(": "-LRB-", ")": "-RRB-", "{": "-LCB-", "}": "-RCB-", "[": "-LSB-", "]": "-RSB-"}


def load(folder: Path) -> LatentGrammar | GrammarProduct:
    """The grammar or the product in a folder."""
    from fstce.latent.latent_grammar import LatentGrammar
    from fstce.latent.product import GrammarProduct
    from fstce.latent.product_files import KIND as PRODUCT

    return GrammarProduct.load(folder) if kind_of(folder) == PRODUCT else LatentGrammar.load(folder)


def parse(request: Request) -> None:
    """Parse a text, a tree a line, or each sentence's k trees with rank and score."""
    write = phrase_writer(request.notation)
    parser = wished(request.model, request.wishes)
    totals, n = dict.fromkeys(_OUTCOMES, 0), 0
    for sentences in sentence_batches(request):
        if sentences:
            words = [spelt(sentence.words) for sentence in sentences]
            sys.stdout.writelines(_written(parser, words, request.wishes.get("--k"), write))
            sys.stdout.flush()
            n += len(words)
            tell(parser.report_, sentences, totals)
    if not request.quiet:
        found = [f"{number:,} {_OUTCOMES[name]}" for name, number in totals.items() if number]
        note(", ".join([f"parsed {count(n, 'sentence')}", *found]))


def wished(model: Path, wishes: Mapping[str, Any]) -> TreeParser:
    """The model with the objective and the combination that the options ask for."""
    given = {name: wishes.get(f"--{name}") for name in ("objective", "combination")}
    return load(model).set_params(**{name: value for name, value in given.items() if value})


def spelt(words: tuple[str, ...]) -> list[str]:
    """Words as treebanks spell them: brackets have names.

    >>> spelt(("see", "(", "1(a", ")"))
    ['see', '-LRB-', '1-LRB-a', '-RRB-']
    """
    return [_BRACKETS.get(word) or word.replace("(", "-LRB-").replace(")", "-RRB-") for word in words]


_OUTCOMES = {
    "retried": "with less pruning",
    "coarse": "by the unsplit grammar",
    "flat": "without a parse: given a flat tree",
    "cut": "longer than the limit: parsed in pieces",
}


def _written(
    parser: TreeParser, words: list[list[str]], k: int | None, write: Callable[[Tree], str]
) -> Iterator[str]:
    """What is written of each sentence: its tree, or its k trees with rank and score, then an empty line."""
    with warnings.catch_warnings():
        # What they say is told with file and line.
        warnings.simplefilter("ignore")
        if k is None:
            yield from map(write, parser.predict(words))
            return
        lists = parser.k_best(words, k)
    for found in lists:
        yield from (f"{rank}\t{score:.6f}\t{write(tree)}" for rank, (tree, score) in enumerate(found, 1))
        yield "\n"


def tell(report: ParseReport, sentences: Sequence[Sentence], totals: dict[str, int]) -> None:
    """Count how sentences fared, and name those that got no parse of their own."""
    for outcome in totals:
        numbers = getattr(report, outcome)
        totals[outcome] += len(numbers)
        if outcome in ("flat", "cut"):
            for number in numbers:
                note(f"{sentences[number - 1].source}: {_OUTCOMES[outcome]}")


def predicted(parser: TreeParser, sentences: Sequence[Sentence]) -> list[Tree]:
    """The trees of sentences, telling of those that got no parse of their own."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = parser.predict(sentences)
    tell(parser.report_, sentences, dict.fromkeys(_OUTCOMES, 0))
    return found
