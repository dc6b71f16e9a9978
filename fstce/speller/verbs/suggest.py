"""``fstce speller suggest``: the words that may have been meant."""

from __future__ import annotations

import sys
from typing import Annotated, Any

from fstce.console.models import load
from fstce.console.options import Model, Quiet, helped, option


@helped("""Suggest words for those of standard input, one a line.

A line is the word and its suggestions, separated by tabs, the likeliest first.

\b
Examples:
  echo recieve | fstce speller suggest model
  fstce speller suggest model --number 10 --costs < words.txt
""")
def suggest(
    model: Model,
    number: Annotated[int, option("--number N", "The most suggestions of a word.", min=1)] = 5,
    costs: Annotated[bool, option("--costs", "Each with its cost in nats.")] = False,
    quiet: Quiet = False,
) -> None:
    from fstce.console.streams import standard_input
    from fstce.corpora.documents import checked, from_stream

    speller = load(model, "speller")
    stream: Any = standard_input()
    document = from_stream(stream)
    for _, line in checked(document.lines(), document.name):
        word = line.strip()
        if not word:
            continue
        [rows] = speller.suggest([word], number)
        fields = (f"{row.word} {row.cost:.4f}" if costs else row.word for row in rows)
        sys.stdout.write("\t".join((word, *fields)) + "\n")
        sys.stdout.flush()
