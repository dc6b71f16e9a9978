"""``fstce tagger suggest``: which sentences to tag by hand."""

from __future__ import annotations

import json
import sys
from typing import Annotated

from fstce.console.models import load
from fstce.console.options import AsJson, FormatOption, Model, Quiet, Text, corpora, helped, option
from fstce.console.output import count, note
from fstce.console.texts import read
from fstce.tagging.verbs.notation import slashed


@helped("""Name the sentences of a raw text that are worth tagging by hand.

A sentence is worth as many errors a word as the tagger expects in it. Sentences come as
word/tag. Correct them, add them to the labelled sentences, and train again. Words to ask a
speaker for are what fstce tagger ask is for.

\b
Examples:
  fstce tagger suggest model text.txt --number 5 > more.pos
  fstce tagger train text.txt -d words.tsv --labelled more.pos -o better
""")
def suggest(
    model: Model,
    text: Text = "-",
    number: Annotated[int, option("--number N", "How many at most.", min=1)] = 20,
    labelled: Annotated[
        str | None,
        option("--labelled FILE", "Sentences of this corpus are not asked for.", complete=corpora),
    ] = None,
    format: FormatOption = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    from fstce.tagging.questions import suggest_sentences

    tagger = load(model, "tagger")
    done = set() if labelled is None else {tuple(sentence) for sentence in read(labelled)}
    rows = [row for row in read(text, format) if tuple(row) not in done]
    asked = suggest_sentences(tagger, rows, number) if rows else []
    if as_json:
        records = [{"words": list(rows[one.sentence]), **one._asdict()} for one in asked]
        print(json.dumps(records, ensure_ascii=False))
    else:
        sys.stdout.writelines(slashed(rows[one.sentence], one.tags) + "\n" for one in asked)
    if not quiet:
        nothing = "nothing to ask: all sentences are labelled"
        note(
            f"{count(len(asked), 'sentence')}; the tags are the tagger's: correct them" if asked else nothing
        )
