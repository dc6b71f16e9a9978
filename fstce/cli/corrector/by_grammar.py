"""``fstce corrector train --grammar``: its options, the tags that it learns from, what it learnt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fstce.cli.output import count, note
from fstce.errors import CorpusError, ParameterError

if TYPE_CHECKING:
    from fstce.corpora import Sentence
    from fstce.correction.corrector import Corrector
    from fstce.correction.parsed.corrector import ParsedCorrector
    from fstce.numeric.types import Rows
    from fstce.parsing.parser import DependencyParser


ByGrammar = Annotated[
    bool,
    typer.Option("--grammar", help="Correct words by a dependency grammar, trained on the tags of the text."),
]
TaggerModel = Annotated[
    Path | None,
    typer.Option("--tagger", help="With --grammar: a model of fstce tagger train, which tags the text."),
]
MaxLength = Annotated[
    int | None,
    typer.Option(
        "--max-length",
        min=1,
        help="With --grammar: the most words of a sentence that it is trained on.",
        show_default="15",
    ),
]
Longest = Annotated[
    int | None,
    typer.Option(
        "--longest",
        min=1,
        help="With --grammar: the most words of a sentence that it corrects.",
        show_default="30",
    ),
]
Fallback = Annotated[
    bool | None,
    typer.Option(
        "--fallback/--no-fallback",
        help="With --grammar: train an ordinary corrector, too, for longer sentences.",
        show_default="fallback",
    ),
]
# What the ordinary corrector alone has.
ORDINARY = ("punctuation", "classes", "order", "ngrams", "marks", "mark_channel", "mistakes")


def check_options(
    grammar: bool, corrector: Corrector, ordinary: Mapping[str, Any], given: Mapping[str, Any]
) -> None:
    """Refuse options that have no meaning with a grammar, or none without one.

    Parameters
    ----------
    grammar : bool
    corrector : Corrector
        Of the options that it has.
    ordinary : mapping
        Further options of an ordinary corrector; None where not given.
    given : mapping
        The options of a grammar; None where not given.

    Raises
    ------
    ParameterError
    """
    if not grammar:
        wrong = [
            name if value is not False else f"no_{name}" for name, value in given.items() if value is not None
        ]
        if wrong:
            raise ParameterError(f"{_option(wrong[0])} is for a grammar: add --grammar, or leave it out")
        return
    usual = type(corrector)()
    wrong = [name for name, value in ordinary.items() if value is not None]
    wrong += [name for name in ORDINARY if getattr(corrector, name) != getattr(usual, name)]
    if wrong:
        raise ParameterError(f"{_option(wrong[0])} has no meaning with --grammar: leave one of them out")
    if corrector.criterion == "none":
        raise ParameterError("--criterion none trains no grammar: choose contrastive or em with --grammar")
    if not corrector.spell:
        raise ParameterError("--spell 0: a grammar corrects words; choose 1, 2 or 3 with --grammar")


def tags_for(
    sentences: Sequence[Sentence], rows: Rows, tagger: Path | None, quiet: bool
) -> list[Sequence[str]]:
    """The tags that a grammar is trained on: those of a tagger, or of the corpus itself.

    Raises
    ------
    CorpusError
        There is no tagger, and a sentence has no tags.
    """
    from fstce.tagging.tagger import Tagger

    if tagger is not None:
        model = Tagger.load(tagger)
        if not quiet:
            note(f"tagging {count(len(rows), 'sentence')} with {tagger}")
        return list(model.predict(rows))
    for sentence in sentences:
        if sentence.tags is None:
            raise CorpusError(
                f"{sentence.source}: the sentence has no tags, from which a grammar learns: give a tagged "
                "corpus, or a model of fstce tagger train with --tagger"
            )
    return [sentence.tags or () for sentence in sentences]


def parsed_corrector(ordinary: Corrector, max_length: int | None, longest: int | None) -> ParsedCorrector:
    """The corrector with a grammar that has what the options say of an ordinary one."""
    from fstce.correction.parsed.corrector import ParsedCorrector
    from fstce.parsing.parser import DependencyParser

    rule = ("criterion", "sigma2", "smoothing", "seed", "tolerance", "max_iterations")
    start = "klein-manning" if ordinary.criterion == "em" else "uniform"
    parser = DependencyParser(start=start, **{name: getattr(ordinary, name) for name in rule})
    shared = ("spell", "damerau", "limit", "channel", "rate", "held_out", "seed")
    given = {"train_longest": max_length, "longest": longest}
    found = ParsedCorrector(parser, weight=ordinary.exponent)
    found.set_params(**{name: getattr(ordinary, name) for name in shared})
    return found.set_params(**{name: value for name, value in given.items() if value is not None})


def grammar_facts(parser: DependencyParser | None) -> list[tuple[str, str]]:
    """The size of a trained grammar, and the course of its training; nothing where there is none."""
    if parser is None:
        return []
    training = parser.training_
    course = f"{count(training.steps[-1].iteration, 'iteration')}, stopped: {training.stopped}"
    return [("grammar", f"{count(parser.model_.n_tags, 'tag')}, {course}")]


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
