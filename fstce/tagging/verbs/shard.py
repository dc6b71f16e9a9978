"""``fstce shard``: the automata of a corpus in a folder, for many trainings or many machines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from fstce.console.options import Corpus, Quiet, ScratchFolder, helped, option
from fstce.console.output import facts
from fstce.console.parameters import Given
from fstce.tagging.verbs import training
from fstce.tagging.verbs.train import TAGGER
from fstce.tagging.verbs.training_text import TrainingText

AUTOMATA = replace(TAGGER, only=("neighborhood", "order", "criterion", "features", "oov", "rare", "jobs"))
Folder = Annotated[Path, option("--output -o FOLDER", "The folder for the shards.")]


@helped("""Build the automata of a corpus for taggers, and keep them in a folder.

A training with the same corpus, dictionary, neighbourhood and order finds them there
(fstce tagger train --shards FOLDER) and builds nothing; what else it is told may differ. Where
this was ended, the same command goes on.

\b
Examples:
  fstce shard sample --output shards
  fstce shard large.txt --dictionary words.tsv -n trans1 --jobs 4 -o shards
""")
def shard(
    corpus: Corpus,
    parameters: Annotated[Given, AUTOMATA],
    text: TrainingText,
    output: Folder,
    scratch: ScratchFolder = None,
    quiet: Quiet = False,
) -> None:
    from fstce.tagging.tagger import Tagger

    tagger = Tagger(**parameters)
    sentences, entries = text.read_with_dictionary(corpus)
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
