"""``fstce neighborhood lattice`` and ``pairs``: lattices in a file, sentences with neighbors."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from fstce.console.options import (
    Name,
    Sentence,
    Text,
    TextOption,
    Transducer,
    Weighted,
    Words,
    helped,
    option,
)
from fstce.console.output import count, remark, silenced, size_of, words_of
from fstce.console.places import check_file, to_file
from fstce.console.progress import sentences_shown
from fstce.errors import ParameterError

if TYPE_CHECKING:
    import pynini

    from fstce.machines.lattice import Lattice
    from fstce.neighborhoods.base import Neighborhood


@helped("""Write lattices for OpenFst's tools: fstinfo, fstprint, farinfo, farextract.

The words stand next to the machines in a .syms file of the same name. In an archive,
the keys are the numbers of the sentences, from 1, padded with zeros; all machines
share the ids of the .syms file, and each carries the symbols of its own words;
<sigma> stands for any word of the .syms file.

\b
Examples:
  fstce neighborhood lattice trans1 "a delicate thing" -o lattice.fst
  fstce neighborhood lattice delortrans1 --text my.txt --output lattices.far
  farextract lattices.far
  fstce neighborhood lattice trans1 "a thing" --transducer -o - | fstprint
""")
def lattice(
    name: Name,
    output: Annotated[
        Path,
        option(
            "--output -o FILE",
            "A .fst for a sentence (or -), a .far for a corpus.",
            show_default=False,
        ),
    ],
    sentence: Sentence = None,
    text: TextOption = None,
    words: Words = None,
    transducer: Transducer = False,
    weighted: Weighted = False,
) -> None:
    from fstce.neighborhoods.registry import neighborhood

    neighbors = neighborhood(name, weighted=weighted)
    spelt = " ".join(sentence or [])
    if text is not None and spelt:
        raise ParameterError("give a sentence or --text with a corpus, not both")
    if text is not None and transducer:
        raise ParameterError("--transducer is that of a sentence; leave --text out")
    if text is None:
        if str(output) != "-":
            check_file(output, ".fst")
        written = _write_one(neighbors, words_of(spelt), output, transducer)
    else:
        check_file(output, ".far")
        written = _write_all(neighbors, text, words, output)

    remark(written)


def _write_one(neighbors: Neighborhood, words: list[str], output: Path, transducer: bool) -> str:
    from fstce.machines.files import write_fst
    from fstce.machines.text import check_symbols_beside, write_symbols
    from fstce.storage.atomic import together

    fst = neighbors.transducer(words) if transducer else neighbors(words).to_fst()
    if str(output) == "-":
        with silenced(), to_file(output) as file:
            write_fst(fst, file)

        return size_of(fst)

    check_symbols_beside(fst.output_symbols(), output)
    with together(), silenced():
        write_fst(fst, output)
        write_symbols(fst.output_symbols(), output.with_suffix(".syms"))

    return f"wrote {output}: {size_of(fst)}; words in {output.with_suffix('.syms')}"


def _write_all(neighbors: Neighborhood, text: str, words: Words, output: Path) -> str:
    from fstce.console.texts import read
    from fstce.machines.files import write_far
    from fstce.machines.symbols import Symbols
    from fstce.machines.text import check_symbols_beside, write_symbols
    from fstce.storage.atomic import together

    sentences = [sentence.words for sentence in read(text, words)]
    symbols = Symbols(chain.from_iterable(sentences))
    check_symbols_beside(symbols.table, output)
    neighbors = neighbors.for_text(sentences)
    total = 1 if neighbors.corpus_wide else len(sentences)

    with together():
        with sentences_shown(total, "lattice") as advance:
            write_far(_keyed(neighbors.expand(sentences, symbols), total, advance), output)

        write_symbols(symbols.table, output.with_suffix(".syms"))

    machines = count(total, "lattice")
    listed = f"{count(len(symbols), 'word')} in {output.with_suffix('.syms')}"
    return f"wrote {output}: {machines}; {listed}"


def _keyed(
    lattices: Iterator[Lattice], total: int, advance: Callable[[int], None]
) -> Iterator[tuple[str, pynini.Fst]]:
    """The machines with their keys, one at a time, each with the symbols that it uses.

    The whole alphabet in each would fill the disk.
    """
    import numpy as np

    from fstce.machines.files import far_key
    from fstce.machines.openfst import pywrapfst
    from fstce.machines.symbols import FIRST_WORD_ID

    for number, lattice in enumerate(lattices, 1):
        table = pywrapfst.SymbolTable("fstce")
        for label in np.union1d(np.arange(FIRST_WORD_ID), lattice.arrays.ilabel).tolist():
            table.add_symbol(lattice.symbols.word(label), label)
        fst = lattice.to_fst().set_input_symbols(table).set_output_symbols(table)
        yield far_key(number, total + 1), fst
        advance(1)


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
    output: Annotated[
        Path, option("--output -o FILE", "The pairs, .jsonl; - is standard output.")
    ] = Path("-"),
    dictionary: Annotated[
        str | None,
        option(
            "--dictionary -d FILE",
            "Leave out neighbors that may have the tags of the sentence, by these tags of words.",
        ),
    ] = None,
    changed: Annotated[
        str | None,
        option(
            "--changed CLASS",
            "Only pairs in which such a word changes: function-words, content-words, punctuation, "
            "numbers, or a file of words.",
        ),
    ] = None,
    words: Words = None,
    weighted: Weighted = False,
) -> None:
    from fstce.console.texts import dictionary_of, read
    from fstce.neighborhoods.pairs import pairs as pairs_of
    from fstce.neighborhoods.registry import neighborhood
    from fstce.neighborhoods.word_machines import word_class
    from fstce.storage.atomic import replacing

    if str(output) != "-":
        check_file(output, ".jsonl")

    neighbors = neighborhood(name, weighted=weighted)
    chosen = None if changed is None else word_class(changed)
    sentences = read(text, words)
    tags = None if dictionary is None else dictionary_of(dictionary, sentences).lookup
    rows = pairs_of(
        neighbors, [sentence.words for sentence in sentences], tags=tags, changed=chosen
    )
    written = 0

    with (
        nullcontext() if str(output) == "-" else replacing(output, ParameterError) as place,
        nullcontext(sys.stdout) if place is None else place.open("w", encoding="utf-8") as stream,
    ):
        for row in rows:
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            written += 1

    remark(f"{count(written, 'pair')} of {count(len(sentences), 'sentence')}")
