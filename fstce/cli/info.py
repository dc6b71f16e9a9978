"""``fstce info``: what a model folder, a machine or a corpus holds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from fstce.cli.machine.info import machine_facts
from fstce.console.models import Facts, show
from fstce.console.options import argument, helped, option
from fstce.console.output import Sheet, count, facts, sections
from fstce.console.texts import coverage_sheets, dictionary_of, is_tagged, read
from fstce.corpora.coverage import Coverage

if TYPE_CHECKING:
    from fstce.corpora import Sentence

MACHINES = (".fst", ".far", ".att", ".hfst", ".foma")  # what is .txt is a corpus here
MODEL_FILES = ("model.json", "weights.npz")


@helped("""Say what a model, a machine or a corpus holds.

\b
Examples:
  fstce info model
  fstce info lattice.fst
  fstce info lattices.far
  fstce info sample
  fstce info text.txt --dictionary words.tsv
""")
def info(
    path: Annotated[str, argument("PATH", "A model's folder, a .fst or .far file, or a corpus.")],
    dictionary: Annotated[
        str | None, option("--dictionary -d", "Also what a dictionary lists of the corpus.")
    ] = None,
) -> None:
    place = Path(path)
    if any((place / name).exists() for name in MODEL_FILES):
        show(place)
    elif place.suffix.lower() in MACHINES:
        facts(machine_facts(place))
    else:
        sentences = read(path)
        listed: list[Sheet] = []
        if dictionary is not None:
            coverage = Coverage.of(dictionary_of(dictionary, sentences), sentences)
            coverage.check(dictionary, path)
            listed = coverage_sheets(coverage)
        sections(((), corpus_facts(sentences)), *listed)


def corpus_facts(sentences: Sequence[Sentence]) -> Facts:
    """The sizes of a corpus; of a tagged one, its tags and how ambiguous they leave a word."""
    from fstce.corpora import TagDictionary
    from fstce.corpora.streams import StreamSentence

    words = [word for sentence in sentences for word in sentence]
    sizes = [
        ("sentences", f"{len(sentences):,}"),
        ("words", f"{len(words):,}"),
        ("types", f"{len(set(words)):,}"),
        ("longest", count(max(map(len, sentences)), "word")),
    ]
    tokens = [t for s in sentences if isinstance(s, StreamSentence) for t in s.tokens]
    if tokens:
        unknown = sum(not token.categories for token in tokens)
        readings = sum(len(token.readings) for token in tokens if token.categories)
        mean = f"{readings / max(len(tokens) - unknown, 1):.2f} a word"
        sizes.append(("readings", f"{mean}; {count(unknown, 'word')} without any"))

    if not (is_tagged(sentences) or any(token.categories for token in tokens)):
        return [*sizes, ("tags", "none")]

    dictionary = TagDictionary.from_corpus(sentences)
    return [
        *sizes,
        ("tags", f"{len(dictionary.tagset)}: {' '.join(dictionary.tagset)}"),
        ("ambiguity", f"{dictionary.ambiguity(sentences):.2f} tags a word"),
    ]
