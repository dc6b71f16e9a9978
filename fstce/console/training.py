"""Compile, maximize and save, with times and an interruption that loses nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fstce.console.output import Interruption, count, facts, note, saved_in, seconds
from fstce.console.progress import building_shown, training_shown
from fstce.console.texts import tags_of

if TYPE_CHECKING:
    from fstce.corpora import Sentence, TagDictionary
    from fstce.estimation.likelihood import Likelihood
    from fstce.estimation.objective import Objective
    from fstce.parsing.parser import DependencyParser
    from fstce.tagging.tagger import Tagger

Facts = list[tuple[str, str]]


def describe(sentences: Sequence[Sentence], dictionary: TagDictionary) -> None:
    """Print the sizes of the text and of its dictionary."""
    words = sum(map(len, sentences))
    types = len({word for sentence in sentences for word in sentence})
    listed = count(len(dictionary), "word")
    facts(
        [
            (
                "corpus",
                f"{count(len(sentences), 'sentence')}, {count(words, 'word')}, {count(types, 'type')}",
            ),
            (
                "dictionary",
                f"{listed}, {count(len(dictionary.tagset), 'tag')}; other words: {_rule(dictionary)}",
            ),
            ("ambiguity", f"{dictionary.ambiguity(sentences):.2f} tags a word"),
        ]
    )


def fit(
    tagger: Tagger,
    sentences: Sequence[Sentence],
    dictionary: TagDictionary,
    output: Path | None = None,
    quiet: bool = False,
    labelled: Sequence[Sentence] | None = None,
    place: Mapping[str, Any] = MappingProxyType({}),
    part: bool = False,
) -> None:
    """Train, telling of it, and save; `place` says where the automata lie, as `Tagger.fit` has it.

    A supervised criterion learns from the sentences' own tags; `labelled` are tagged
    sentences beside the raw ones. A `part` of another model is saved by it.
    """
    maximize(
        tagger,
        lambda: build(tagger, sentences, dictionary, quiet, labelled, place),
        lambda objective: [("automata", sizes(objective)), ("features", f"{tagger.features_.size:,}")],
        output,
        quiet,
        part,
    )


def maximize(
    model: Tagger | DependencyParser,
    build: Callable[[], Objective | Likelihood],
    made: Callable[[Objective | Likelihood], Facts],
    output: Path | None,
    quiet: bool,
    part: bool = False,
) -> None:
    """Build the objective of a model, train on it, save, and report sizes, times and iterations.

    The first of what was made says what was built: automata, charts. A `part` of another model is
    saved by it.
    """
    began = time.perf_counter()
    try:
        objective = build()
        built = time.perf_counter()
        with training_shown(model.tolerance, model.max_iterations, quiet) as monitor:
            model.train(objective, monitor=monitor)
    except KeyboardInterrupt:
        raise Interruption(_rescue(model, output)) from None
    if output is not None:
        model.save(output)
    if not quiet:
        place = [] if part else [saved_in(output)]
        facts([*_report(model, made(objective), built - began), *place])


def build(
    tagger: Tagger,
    sentences: Sequence[Sentence],
    dictionary: TagDictionary,
    quiet: bool,
    labelled: Sequence[Sentence] | None = None,
    place: Mapping[str, Any] = MappingProxyType({}),
) -> Objective | Likelihood:
    """The automata of a corpus, telling of it."""
    from fstce.tagging.criteria import SUPERVISED

    if not quiet:
        note(f"building the automata of {count(len(sentences), 'sentence')}")
    tags = tags_of(sentences) if tagger.criterion in SUPERVISED else None
    more = None if labelled is None else (labelled, tags_of(labelled))
    with building_shown(quiet) as building:
        return tagger.compile(
            sentences, tags, dictionary=dictionary, labelled=more, building=building, **place
        )


def _rescue(model: Tagger | DependencyParser, output: Path | None) -> str:
    """Save what there is; what to tell."""
    if not hasattr(model, "theta_"):
        return "interrupted before training began; nothing is saved"
    done = count(model.training_.steps[-1].iteration if model.training_.steps else 0, "iteration")
    if output is None:
        return f"interrupted after {done}; nothing is saved, as no --output was given"
    model.save(output)
    return f"interrupted after {done}; the best weights so far are saved in {output}"


def _report(model: Tagger | DependencyParser, sizes: Facts, built: float) -> Facts:
    training = model.training_
    last = training.steps[-1]
    return [
        *sizes,
        ("time", f"{seconds(built)} to build the {sizes[0][0]}, {seconds(last.seconds)} to train"),
        ("iterations", f"{last.iteration}, stopped: {training.stopped}"),
        ("objective", f"{training.objective:,.3f} nats with the prior"),
    ]


def sizes(objective: Objective | Likelihood) -> str:
    """The sizes of the packed automata, sentences and neighbourhoods together."""
    batches = [batch for term in objective.terms for batch in getattr(term, "batches", ())]
    if not batches:  # a supervised chain of bigrams
        return "none are needed"
    machines, states, arcs = (
        sum(getattr(batch, size) for batch in batches) for size in ("n_machines", "n_states", "n_arcs")
    )
    return f"{machines:,} with {count(states, 'state')} and {count(arcs, 'arc')}"


def _rule(dictionary: TagDictionary) -> str:
    return f"{len(dictionary.open_class)} open-class tags" if dictionary.unseen == "open" else "every tag"
