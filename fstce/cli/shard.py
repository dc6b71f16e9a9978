"""``fstce shard``: the automata of a corpus in a folder, for many trainings or many machines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fstce.cli import training
from fstce.cli.options import Coarse, Corpus, FormatOption, Quiet, ScratchFolder, TagMap, Words, option
from fstce.cli.output import facts
from fstce.cli.parameters import Given
from fstce.cli.tagger.train import (
    TAGGER,
    Capitals,
    Dictionary,
    First,
    MinCount,
    OpenClass,
    Unseen,
    UnseenRule,
    with_open_class,
)
from fstce.cli.texts import dictionary_of, read

__all__ = ["Unseen", "shard"]

Folder = Annotated[Path, option("--output -o FOLDER", "The folder for the shards.")]


def shard(
    corpus: Corpus,
    parameters: Annotated[Given, TAGGER],
    output: Folder,
    dictionary: Dictionary = None,
    words: Words = None,
    coarse: Coarse = False,
    tag_map: TagMap = None,
    first: First = None,
    min_count: MinCount = 1,
    unseen: UnseenRule = None,
    open_class: OpenClass = None,
    capitals: Capitals = False,
    format: FormatOption = None,
    scratch: ScratchFolder = None,
    quiet: Quiet = False,
) -> None:
    """Build the automata of a corpus for taggers, and keep them in a folder.

    A training with the same corpus, dictionary, neighbourhood and order finds them there
    (fstce tagger train --shards FOLDER) and builds nothing; what else it is told may differ. Where
    this was ended, the same command goes on.

    \b
    Examples:
      fstce shard sample --output shards
      fstce shard large.txt --dictionary words.tsv -n trans1 --jobs 4 -o shards
    """
    from fstce.tagging.tagger import Tagger

    tagger = Tagger(**parameters)
    sentences = read(corpus, format, words, tag_map or coarse)
    entries = dictionary_of(
        dictionary,
        sentences,
        coarse=tag_map or coarse,
        first=first,
        min_count=min_count,
        unseen=unseen and unseen.value,
        capitals=capitals,
    )
    if open_class is not None:
        entries = with_open_class(entries, open_class)
    if not quiet:
        training.describe(sentences, entries)
    place = {"shards": output, "scratch": scratch}
    objective = training.build(tagger, sentences, entries, quiet, place=place)
    if not quiet:
        facts(
            [
                ("automata", training.sizes(objective)),
                ("features", f"{tagger.features_.size:,}"),
                ("shards", str(output)),
            ]
        )
