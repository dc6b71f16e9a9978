"""``fstce neighborhood pairs``: sentences with their neighbors, for people who score language models."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

from fstce.console.options import (
    Exponent,
    FormatOption,
    Name,
    Quiet,
    Text,
    Weighted,
    Words,
    corpora,
    helped,
    option,
)
from fstce.console.output import count, note
from fstce.console.places import check_file
from fstce.errors import ParameterError


@helped("""Write each sentence of a text with each of its neighbors, a line a pair.

The fields are BLiMP's (sentence_good, sentence_bad, UID, pair_id), with what was
changed and where. Nobody has judged the pairs: a neighbor may be grammatical by chance.
Those that the text itself has are left out; --dictionary and --changed leave out more.
They are for scoring language models. As a test of fstce's own taggers they are none:
these are contrasted with such neighbors, and at chance on BLiMP itself.

\b
Examples:
  fstce neighborhood pairs trans1 my.txt --output p.jsonl
  fstce neighborhood pairs del1word my.txt --changed function-words -o p.jsonl
  fstce neighborhood pairs "trans1 | del1word" - -d tags.tsv < my.txt | head
""")
def pairs(
    name: Name,
    text: Text = "-",
    output: Annotated[Path, option("--output -o FILE", "The pairs, .jsonl; - is standard output.")] = Path(
        "-"
    ),
    dictionary: Annotated[
        str | None,
        option(
            "--dictionary -d FILE",
            "Leave out neighbors that may have the tags of the sentence, by these tags of words.",
            complete=corpora,
        ),
    ] = None,
    changed: Annotated[
        str | None,
        option(
            "--changed CLASS",
            "Only pairs in which such a word changes: function-words, content-words, punctuation, numbers, "
            "or a file of words.",
        ),
    ] = None,
    format: FormatOption = None,
    words: Words = None,
    weighted: Weighted = False,
    exponent: Exponent = None,
    quiet: Quiet = False,
) -> None:
    from fstce.console.texts import dictionary_of, read
    from fstce.neighborhoods.pairs import pairs as pairs_of
    from fstce.neighborhoods.registry import neighborhood
    from fstce.neighborhoods.word_machines import word_class
    from fstce.storage.atomic import replacing

    if str(output) != "-":
        check_file(output, ".jsonl")
    kind = neighborhood(name, weighted=weighted, exponent=exponent)
    chosen = None if changed is None else word_class(changed)
    sentences = read(text, format, words)
    tags = None if dictionary is None else dictionary_of(dictionary, sentences).lookup
    rows = pairs_of(kind, [sentence.words for sentence in sentences], tags=tags, changed=chosen)
    written = 0
    with (
        nullcontext() if str(output) == "-" else replacing(output, ParameterError) as place,
        nullcontext(sys.stdout) if place is None else place.open("w", encoding="utf-8") as stream,
    ):
        for row in rows:
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            written += 1
    if not quiet:
        note(f"{count(written, 'pair')} of {count(len(sentences), 'sentence')}")
