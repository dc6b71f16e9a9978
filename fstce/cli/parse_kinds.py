"""``fstce parse`` with models that are no dependency parsers: one function a kind of model."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from fstce.cli.options import Format
from fstce.cli.output import count, note
from fstce.cli.trees_in import Item, batches
from fstce.cli.trees_out import TreeNotation
from fstce.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fstce.corpora import Sentence, Tree


class Notation(str, Enum):
    """How trees are written, of whatever kind."""

    conllu = "conllu"
    text = "text"
    svg = "svg"
    penn = "penn"


class Request(NamedTuple):
    """What is to be parsed, and how it is to be written.

    Attributes
    ----------
    model : Path
    text : str
        A corpus, or ``-`` for standard input.
    format : Format or None
    notation : Notation or None
        None where the option is not given.
    quiet : bool
    wishes : mapping
        Further options by name that this kind of model takes; false where not given.
    """

    model: Path
    text: str
    format: Format | None
    notation: Notation | None
    quiet: bool
    wishes: Mapping[str, Any] = MappingProxyType({})


def parse_otherwise(request: Request, given: Mapping[str, Any]) -> bool:
    """Parse with a model that is no dependency parser; whether it is one that can parse.

    Parameters
    ----------
    request : Request
    given : mapping
        The options of some kinds only, by name; their values are false where not given.

    Raises
    ------
    ParameterError
        An option has no meaning for this kind of model.
    ModelFileError
        The folder holds no model.
    """
    kind = kind_of(request.model)
    taken = TAKEN.get(kind, frozenset())
    wrong = next((name for name, value in given.items() if value and name not in taken), None)
    if wrong in LATENT:
        whose = "" if wrong == "--combination" else "latent grammars and "
        raise ParameterError(
            f"{wrong} is for {whose}products of latent grammars; {request.model} is a model of kind {kind!r}"
        )
    if kind not in KINDS:
        return False
    if wrong is not None:
        raise ParameterError(
            f"{wrong} is for dependency parsers; {request.model} is a model of kind {kind!r}"
        )
    KINDS[kind](request._replace(wishes={name: given.get(name) for name in taken}))
    return True


def kind_of(folder: Path) -> str:
    """The kind of model that a folder holds; raises ModelFileError where it holds none."""
    from fstce.storage.manifest import model_folder, parsed

    return str(parsed(model_folder(folder)).get("kind"))


def dependency_notation(notation: Notation | None) -> TreeNotation:
    """The notation of dependency trees; raises ParameterError for one of phrases."""
    if notation is Notation.penn:
        raise ParameterError("--output-format penn writes phrases, but this model finds dependencies")
    return TreeNotation.conllu if notation is None else TreeNotation(notation.value)


def phrase_writer(notation: Notation | None) -> Callable[[Tree], str]:
    """What writes a phrase-structure tree; raises ParameterError for a notation of dependencies."""
    if notation in (None, Notation.penn):
        return lambda tree: f"{tree}\n"
    if notation is Notation.text:
        return lambda tree: f"{tree.pretty()}\n\n"
    raise ParameterError(
        f"--output-format {notation and notation.value}: phrases are written as penn or text"
    )


def sentence_batches(request: Request) -> Iterator[list[Sentence]]:
    """The sentences of the input, many at a time; from a keyboard one."""
    from fstce.corpora import iter_corpus

    source = sys.stdin.buffer if request.text == "-" else request.text
    found = map(Item, iter_corpus(source, request.format and request.format.value))
    for batch in batches(found, request.text == "-" and sys.stdin.isatty()):
        yield [item.sentence for item in batch if item.sentence is not None]


def _induced(request: Request) -> None:
    """With the grammar of ``fstce induce``."""
    from fstce.cli.parse_latent import spelt
    from fstce.distribution.inducer import DirectedAlignment

    write = phrase_writer(request.notation)
    inducer, n_parsed = DirectedAlignment.load(request.model), 0
    for sentences in sentence_batches(request):
        if sentences:
            found = zip(inducer.predict(sentences), sentences, strict=True)
            sys.stdout.writelines(write(_with_words(tree, spelt(row.words))) for tree, row in found)
            sys.stdout.flush()
            n_parsed += len(sentences)
    if not request.quiet:
        note(f"parsed {count(n_parsed, 'sentence')}")


def _with_words(tree: Tree, words: Sequence[str]) -> Tree:
    """The tree over other words, as many."""
    from fstce.corpora import Tree

    remaining = iter(words)
    done: list[Tree | str] = []
    opened: list[tuple[str, int]] = []
    for item in tree.walk():
        if isinstance(item, Tree):
            opened.append((item.label, len(done)))
        elif isinstance(item, str):
            done.append(next(remaining))
        else:
            label, start = opened.pop()
            done[start:] = [Tree(label, tuple(done[start:]))]
    return done[0] if isinstance(done[0], Tree) else tree


def _latent(request: Request) -> None:
    """With a latent grammar, or a product of some."""
    from fstce.cli.parse_latent import parse

    parse(request)


KINDS: dict[str, Callable[[Request], None]] = {
    "constituent grammar": _induced,
    "latent grammar": _latent,
    "grammar product": _latent,
}
LATENT = frozenset({"--objective", "--combination"})
# The options that a kind takes beside those of all kinds; dependency parsers take the rest.
TAKEN: dict[str, frozenset[str]] = {
    "latent grammar": frozenset({"--k", "--objective"}),
    "grammar product": frozenset({"--k", *LATENT}),
}
