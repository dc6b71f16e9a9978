"""Taggers trained on a text, with times and an interruption that loses nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fstce.console.output import count, facts, note
from fstce.console.progress import building_shown
from fstce.console.texts import tags_of
from fstce.console.training import maximize

if TYPE_CHECKING:
    from fstce.corpora import Sentence, TagDictionary
    from fstce.estimation.likelihood import Likelihood
    from fstce.estimation.objective import Objective
    from fstce.tagging.tagger import Tagger


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
    answers: Path | None = None,
    part: bool = False,
) -> None:
    """Train, telling of it, and save; `place` says where the automata lie, as `Tagger.fit` has it.

    A supervised criterion learns from the sentences' own tags; `labelled` are tagged
    sentences beside the raw ones. A `part` of another model is saved by it.
    """
    maximize(
        tagger,
        lambda: build(tagger, sentences, dictionary, quiet, labelled, place, answers),
        lambda objective: [("automata", sizes(objective)), ("features", f"{tagger.features_.size:,}")],
        output,
        quiet,
        part,
    )


def build(
    tagger: Tagger,
    sentences: Sequence[Sentence],
    dictionary: TagDictionary,
    quiet: bool,
    labelled: Sequence[Sentence] | None = None,
    place: Mapping[str, Any] = MappingProxyType({}),
    answers: Path | None = None,
) -> Objective | Likelihood:
    """The automata of a corpus, telling of it."""
    from fstce.tagging.criteria import SUPERVISED

    if not quiet:
        note(f"building the automata of {count(len(sentences), 'sentence')}")
    tags = tags_of(sentences) if tagger.criterion in SUPERVISED else None
    more = None if labelled is None else (labelled, tags_of(labelled))
    with building_shown(quiet) as building:
        return tagger.compile(
            sentences,
            tags,
            dictionary=dictionary,
            labelled=more,
            answers=answers,
            resources={"building": building, **place},
        )


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
