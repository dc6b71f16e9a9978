"""``fstce speller suggest``: words for what is typed, line by line."""

from __future__ import annotations

import sys
from typing import Annotated, Any

from fstce.console.models import load
from fstce.console.options import Model, helped, option
from fstce.console.output import remark
from fstce.corpora.documents import checked, from_stream
from fstce.speller.lexicon import LONGEST


@helped("""Suggest words for those of standard input, one a line.

A line is the word and its suggestions, separated by tabs, the likeliest first; they have
the capitals of the word, and a blank line stays one. A word that is right is its own first
suggestion, at no cost.

\b
Examples:
  echo recieve | fstce speller suggest model
  fstce speller suggest model --number 10 --costs < words.txt
""")
def suggest(
    model: Model,
    number: Annotated[int, option("--number N", "The most suggestions of a word.", min=1)] = 5,
    costs: Annotated[bool, option("--costs", "Each with its cost in nats.")] = False,
) -> None:
    from fstce.console.streams import standard_input
    from fstce.speller.speller import Suggestion

    speller = load(model, "speller")
    stream: Any = standard_input()
    document = from_stream(stream)
    too_long = 0
    for _, line in checked(document.lines(), document.name):
        word = line.strip()
        fields = [word]
        if word:
            [rows] = speller.suggest([word], number)
            if len(word) <= LONGEST and speller._search.has(word):
                rows = [Suggestion(word, 0.0), *rows[: number - 1]]
            fields += [f"{row.word} {row.cost:.4f}" if costs else row.word for row in rows]
        too_long += len(word) > LONGEST
        sys.stdout.write("\t".join(fields) + "\n")
        sys.stdout.flush()
    if too_long:
        remark(f"words of more than {LONGEST} letters have no suggestions: {too_long:,}")
