"""``fstce neighborhood new``: a neighborhood of one's own to begin with, and its test."""

from __future__ import annotations

import keyword
from pathlib import Path
from typing import Annotated

from fstce.console.options import argument, helped, option
from fstce.console.output import remark
from fstce.errors import ParameterError


@helped("""Write a neighborhood of one's own to begin with, and its test.

NAME.py and test_NAME.py work as they stand.

The neighborhood deletes one word at most. Change build and what the test says of it.

\b
Examples:
  fstce neighborhood new mine
  fstce neighborhood show ./mine.py "a delicate thing"
  fstce tagger train sample --neighborhood ./mine.py --output model
""")
def new(
    name: Annotated[str, argument("NAME", "What it shall be called: letters, digits, _.")],
    folder: Annotated[
        Path,
        option("--output -o FOLDER", "The folder for the two files; it is made where missing."),
    ] = Path(),
) -> None:
    from fstce.neighborhoods.shipped import names
    from fstce.storage.atomic import write_whole

    if not (name.isascii() and name.isidentifier()) or keyword.iskeyword(name):
        raise ParameterError(
            f"{name!r} cannot be the name of a module: use letters, digits and _, a letter first"
        )

    if name.lower() in names():
        raise ParameterError(
            f"fstce itself has a neighborhood {name.lower()!r}; choose another name"
        )

    files = {folder / f"{name}.py": _MACHINE, folder / f"test_{name}.py": _TEST}
    for path in files:
        if path.exists():
            raise ParameterError(
                f"{path}: is there already and is not overwritten; choose another name"
            )

    folder.mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        write_whole(path, text.replace("NAME", name), ParameterError)
        print(path)

    place = f"{folder / name}.py"
    if not folder.is_absolute():
        place = f"./{place}"  # a name without a slash is that of a shipped neighborhood
    remark(f'try: fstce neighborhood show {place} "natural language is a delicate thing"')


_MACHINE = '''"""NAME: the sentence, and each sentence with one of its words deleted.

Say here what the neighbors of a sentence are, and where the idea is from.
To try: ``fstce neighborhood show ./NAME.py "natural language is a delicate thing"``
"""

from __future__ import annotations

import pynini

from fstce.machines import Symbols

# True as long as build treats all words alike: lattices are then shared between sentences whose
# words repeat in the same places. Where build asks for words by name, delete this line.
EQUIVARIANT = True

# Words that build inserts though the sentence may not have them:
# INTRODUCES = ["the", "a"]


def build(symbols: Symbols) -> pynini.Fst:
    """Copy, delete at most one word, copy.

    `symbols` is the alphabet of one sentence. The pieces of a machine:

    - ``symbols.any()`` reads and writes any one word, the ``?:?`` of the papers' figures;
    - ``symbols.union(symbols.ids(["the"]).tolist())`` reads and writes these words, of which
      ``"the" in symbols`` tells whether the sentence has them;
    - ``pynini.cross(a, b)`` reads a and writes b; the empty string is ``""``;
    - ``+`` is one after another, ``pynini.union(a, b)`` either, ``pynini.closure(a)`` any number,
      ``pynini.closure(a, 0, 1)`` none or one.

    A string such as ``"the"`` in pynini is its bytes, not a word: use `symbols` instead.
    The machine must be able to copy every sentence, and must write finitely many for each.

    A machine that is about words in their places is smaller where it knows them. Then begin with
    ``def build(symbols, sentence)``: `sentence` has the ids of the sentence's words in order, so
    that ``pairwise(sentence)`` are its bigrams, and ``symbols.union([sentence[0]])`` its first
    word.
    """
    copy = pynini.closure(symbols.any())
    deletion = pynini.cross(symbols.any(), "")
    return copy + pynini.closure(deletion, 0, 1) + copy
'''

_TEST = '''"""NAME against its definition on every short sentence."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from fstce import neighborhood
from fstce.machines import check_lattice

HERE = str(Path(__file__).with_name("NAME.py"))


def definition(words: tuple[str, ...]) -> set[tuple[str, ...]]:
    """The neighbors, written plainly: change it together with the machine."""
    shorter = {words[:i] + words[i + 1 :] for i in range(len(words))}
    return {words} | shorter - {()}


@pytest.mark.parametrize("size", range(1, 6))
def test_it_equals_its_definition(size: int) -> None:
    for words in product("abc", repeat=size):
        lattice = neighborhood(HERE)(words)
        assert set(lattice.strings()) == definition(words), words
        check_lattice(lattice.to_fst(), " ".join(words))
'''
