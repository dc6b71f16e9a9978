"""``fstce info``: what a model folder, a machine or a corpus holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from fstce.cli.machine.info import machine_facts
from fstce.console.models import TOP, Facts, show
from fstce.console.options import argument, helped, option
from fstce.console.output import Sheet, count, facts, note, sections
from fstce.console.texts import dictionary_of, is_tagged, read
from fstce.errors import DictionaryError

if TYPE_CHECKING:
    from fstce.corpora import Sentence, TagDictionary

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
            listed = coverage_of(dictionary_of(dictionary, sentences), sentences)
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


def coverage_of(entries: TagDictionary, sentences: Sequence[Sentence]) -> list[Sheet]:
    """How much of a corpus a dictionary lists, and its most frequent words that are not listed."""
    from fstce.corpora.coverage import Coverage

    coverage = Coverage.of(entries, sentences)

    try:
        coverage.check("the dictionary")
    except DictionaryError as error:
        note(str(error))

    counts = Counter(chain.from_iterable(sentences))
    known = {word: n for word, n in counts.items() if word in entries}
    n_words = counts.total()
    n_listed = sum(known.values())
    tags = sum(n * len(entries[word]) for word, n in known.items()) / max(n_listed, 1)
    unused = set(entries.tagset).difference(*(entries[word] for word in known))
    seen = {tag for sentence in sentences for tag in sentence.tags or ()}

    listed = [
        ("words listed", f"{n_listed:,} of {n_words:,} ({100 * n_listed / n_words:.1f} %)"),
        ("in another case", f"{coverage.n_other_case:,}"),
        ("types listed", f"{len(known):,} of {len(counts):,}"),
        ("tags a word", f"{tags:.2f} of those listed"),
        ("tags never used", " ".join(sorted(unused)) or "none"),
    ]
    if seen:
        foreign = sorted(seen - set(entries.tagset))
        listed.append(("tags unknown to it", " ".join(foreign) or "none"))

    return [((), listed), (("never listed", "count"), (counts - Counter(known)).most_common(TOP))]
