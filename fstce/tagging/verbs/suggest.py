"""``fstce tagger suggest``: what to annotate next."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

from fstce.console.completion import corpora
from fstce.console.models import load
from fstce.console.options import AsJson, FormatOption, Model, Quiet, Text, option
from fstce.console.output import count, note
from fstce.console.texts import dictionary_of, read
from fstce.tagging.verbs.notation import slashed

if TYPE_CHECKING:
    from fstce.corpora import Sentence
    from fstce.tagging.tagger import Tagger

Record = dict[str, Any]


def suggest(
    model: Model,
    text: Text = "-",
    sentences: Annotated[
        bool, option("--sentences", "Sentences to be tagged by hand, in place of words for the dictionary.")
    ] = False,
    number: Annotated[int, option("--number N", "How many at most.", min=1)] = 20,
    dictionary: Annotated[
        str | None,
        option("--dictionary -d FILE", "Words that it lists are not asked for either.", complete=corpora),
    ] = None,
    labelled: Annotated[
        str | None,
        option("--labelled FILE", "Sentences of this corpus are not asked for.", complete=corpora),
    ] = None,
    format: FormatOption = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Name the words or sentences of a raw text whose annotation would help most.

    A word is worth as many entries as the tagger expects errors among its tokens; a sentence
    as many errors a word. Words come as lines of a dictionary, each with the tags that
    the tagger believes in and a comment with a place where it stands; sentences as word/tag.
    Correct them, add them to the dictionary or to the labelled sentences, and train again; with
    --start the training goes on from where it was.

    \b
    Examples:
      fstce tagger suggest model text.txt --number 50 >> words.tsv
      fstce tagger train text.txt -d words.tsv --start model -o better
      fstce tagger suggest model text.txt --sentences --number 5 > more.pos
    """
    tagger = load(model, "tagger")
    rows = read(text, format)
    asked, kind = (
        (_sentences(tagger, rows, number, labelled), "sentence")
        if sentences
        else (_words(tagger, rows, number, dictionary), "word")
    )
    if as_json:
        print(json.dumps([record for record, _ in asked], ensure_ascii=False))
    else:
        sys.stdout.writelines(block for _, block in asked)
    if not quiet:
        note(f"{count(len(asked), kind)}; the tags are guesses: correct them" if asked else _nothing(kind))


def _words(
    tagger: Tagger, rows: list[Sentence], number: int, dictionary: str | None
) -> list[tuple[Record, str]]:
    """Of each word a record, and its line in a dictionary below a comment."""
    from fstce.tagging.suggest import suggest_words

    known = () if dictionary is None else dictionary_of(dictionary, rows)
    asked = []
    for found in suggest_words(tagger, rows, number, known):
        where = " ".join(rows[found.sentence])
        comment = f"# {count(found.tokens, 'token')}, {found.errors:.2f} expected errors: {where}"
        asked.append((found._asdict(), f"{comment}\n{found.word}\t{' '.join(found.tags)}\n"))
    return asked


def _sentences(
    tagger: Tagger, rows: list[Sentence], number: int, labelled: str | None
) -> list[tuple[Record, str]]:
    """Of each sentence a record, and its words with the tags that are believed in."""
    from fstce.tagging.suggest import suggest_sentences

    done = set() if labelled is None else {tuple(sentence) for sentence in read(labelled)}
    open_rows = [row for row in rows if tuple(row) not in done]
    return [
        (
            {"words": list(open_rows[found.sentence]), **found._asdict()},
            slashed(open_rows[found.sentence], found.tags) + "\n",
        )
        for found in (suggest_sentences(tagger, open_rows, number) if open_rows else [])
    ]


def _nothing(kind: str) -> str:
    if kind == "word":
        return "nothing to ask: the dictionary lists every word; --sentences asks for sentences"
    return "nothing to ask: all sentences are labelled"
