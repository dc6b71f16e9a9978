"""Corpora and dictionaries as the options ask for them: read, cut, projected, diluted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from fstce.console.output import Sheet, count, note, percent
from fstce.console.reading import reading
from fstce.corpora import Sentence, TagDictionary, coarse_map, first_words, project
from fstce.corpora.conll import UPOS
from fstce.corpora.coverage import Coverage, unmapped
from fstce.corpora.dictionary_files import is_dictionary, nearest
from fstce.corpora.dictionary_sources import first_tag, tag_rule
from fstce.corpora.streams import StreamSentence
from fstce.errors import CorpusError, ParameterError
from fstce.numeric.types import Rows

MOST = 15  # unlisted words that are shown
ANALYSERS = (".hfst", ".hfstol", ".zhfst", ".foma", ".att", ".fst", ".far")


def read(
    spec: str, words: int | None = None, coarse: bool | str = False, *, by_suffix: bool = False
) -> list[Sentence]:
    """The sentences of a corpus, cut after so many words; ``-`` is stdin.

    Tags, if there are some, are projected by option: `coarse` may name a map. ``by_suffix``:
    whether it is a corpus besides the verb's input, written as its own suffix says.
    """
    stream = reading().sentences(spec, by_suffix=by_suffix)
    sentences = list(stream) if words is None else first_words(stream, words)
    tagged = any(sentence.tags is not None for sentence in sentences)
    if not (coarse and tagged) or is_stream(sentences):  # whose tags are those of a dictionary
        return sentences
    return project(sentences, _map_named(coarse))


def _map_named(coarse: bool | str) -> dict[str, str]:
    """The map that is named, or that of ``--coarse`` itself."""
    return coarse_map(coarse) if isinstance(coarse, str) else coarse_map()


def size_of_text(sentences: Rows, types: bool = False) -> str:
    """How many sentences and words there are, and how many types of words."""
    sizes = [count(len(sentences), "sentence"), count(sum(map(len, sentences)), "word")]
    if types:
        sizes.append(count(len({*chain.from_iterable(sentences)}), "type"))
    return ", ".join(sizes)


def is_stream(sentences: Iterable[Sentence]) -> bool:
    """Whether they are of a stream of readings, whose symbols are projected where they are read."""
    return any(isinstance(sentence, StreamSentence) for sentence in sentences)


def is_tagged(sentences: Iterable[Sentence]) -> bool:
    """Whether every sentence has tags."""
    return all(sentence.tags is not None for sentence in sentences)


LEARNT = "the sentence has no tags, but the criterion learns from tags"


def tags_of(sentences: Sequence[Sentence], wanting: str = LEARNT) -> list[tuple[str, ...]]:
    """The tags of a corpus; raises CorpusError where a sentence has none, which is ``wanting``."""
    for sentence in sentences:
        if sentence.tags is None:
            raise CorpusError(f"{sentence.source}: {wanting}")
    return [sentence.tags or () for sentence in sentences]


def gold_of(sentences: Sequence[Sentence], tagset: Sequence[str]) -> list[tuple[str, ...]]:
    """The tags of a corpus to compare a tagger of this tagset with; says which it lacks.

    Raises CorpusError where there are none, or it lacks those of most words.
    """
    gold = tags_of(sentences, "the sentence has no tags to compare with")
    lacking = Counter(tag for tag in chain.from_iterable(gold) if tag not in tagset)
    if lacking:
        tag, place = next(
            (tag, f"{sentence.source}: {word}/{tag}")
            for sentence in sentences
            for word, tag in zip(sentence.words, sentence.tags or (), strict=True)
            if tag in lacking
        )
        outside = _outside(tag, tagset, {sentence.tag_column for sentence in sentences})
        if 2 * lacking.total() > sum(map(len, sentences)):
            raise CorpusError(f"{place}: {outside}")

        kinds = ", ".join(f"{tag} {n:,}" for tag, n in lacking.most_common(5))
        note(
            f"{count(lacking.total(), 'word')} with tags that the model lacks count as errors "
            f"({kinds}); the first is {place}: {outside}"
        )

    return gold


OTHER_COLUMN = {"upos": "xpos", "xpos": "upos"}


def _outside(tag: str, tagset: Sequence[str], columns: Collection[str]) -> str:
    """How a tag comes to be none of a tagset; `columns`: those that the tags were read from."""
    coarse = coarse_map()
    (column,) = columns if len(columns) == 1 else ("",)
    if coarse.get(tag) in tagset:
        hint = f"the model knows its coarse class {coarse[tag]!r}: add --coarse"
    elif not column and tag in coarse.values() and tag not in coarse:
        hint = "it is a coarse class: leave --coarse out"
    elif column == "upos" and 2 * len(UPOS.intersection(tagset)) > len(tagset):
        hint = "no word of its dictionary has it"
    elif column:
        hint = f"it is of {column.upper()}: see --tag-column {OTHER_COLUMN[column]}"
    else:
        hint = f"the nearest is {nearest(tag, tagset)!r}"
    return f"the tag {tag!r} is not in the model's tagset of {len(tagset)}; {hint}"


def dictionary_of(
    spec: str | None,
    sentences: Sequence[Sentence],
    *,
    coarse: bool | str = False,
    min_count: int = 1,
) -> TagDictionary:
    """The tagging dictionary that the options describe.

    ``spec``: a dictionary (``.tsv``, ``.csv``, ``.json``, UniMorph, …), a morphological analyser
    (``.hfst``, ``.att``, ``.fst``; behind a colon a regular expression for the tag), a tagged
    corpus, of which it is also known how often a word has each tag, or None for the training text's
    own tags. ``coarse``: whether the tags of a corpus are projected, or by which map.
    ``min_count``: how the dictionary of a corpus is diluted.
    """
    if spec is None:
        if not is_tagged(sentences):
            raise ParameterError(
                "the corpus has no tags to read a dictionary off; give one with --dictionary: a "
                ".tsv file (word, tab, tags) or a tagged corpus"
            )

        return TagDictionary.from_corpus(sentences, min_count=min_count)

    if spec == "-":
        raise ParameterError(
            "a dictionary is read from a file, by whose name and rows its form is "
            "known; write what comes in to one"
        )
    tag_map = _map_named(coarse) if coarse else None
    entries = _analysed(spec, sentences, tag_map)
    if entries is None and is_dictionary(spec):
        if min_count > 1:
            raise ParameterError(
                "--min-count dilutes a dictionary that is read off a corpus; a .tsv is used as it "
                "is"
            )

        entries = TagDictionary.from_file(spec, reading().tag_column)

    if entries is None:
        source = read(spec, by_suffix=True)
        entries = TagDictionary.from_corpus(source, min_count=min_count, counts=True)

    if tag_map is not None:
        if foreign := unmapped(entries, tag_map):
            note(
                f"{spec}: the map has nothing for {' '.join(foreign[:20])}, which stay as they are"
            )

        entries = entries.mapped(tag_map)

    if entries.unseen == "all":
        return entries
    return entries.for_text(sentences)


def _analysed(
    spec: str, sentences: Sequence[Sentence], tag_map: Mapping[str, str] | None
) -> TagDictionary | None:
    """The tags that an analyser gives the text's words; behind a colon, how its output has them."""
    file, colon, rule = spec.partition(":")
    suffix = Path(file.removesuffix(".gz")).suffix.lower()
    has_symbols = suffix == ".txt" and Path(file).with_suffix(".syms").is_file()
    if suffix not in ANALYSERS and not has_symbols:
        return None
    if suffix == ".far":
        key, colon, rule = rule.partition(":")
        file = f"{file}:{key}" if key else file

    from fstce.machines.analyser import Analyser

    tag: Any = rule if colon else None
    if not colon and tag_map is not None:
        by_map = tag_rule(tag_map)

        def tag(analysis: Sequence[str]) -> str | None:
            return by_map(analysis) or first_tag(analysis)

    return TagDictionary.from_analyser(Analyser(file), chain.from_iterable(sentences), tag=tag)


def coverage_sheets(coverage: Coverage) -> list[Sheet]:
    """What a dictionary lists of a text, and the commonest words that it does not."""

    def part(n: int) -> str:
        return f"{n:,} ({percent(100 * n / max(coverage.n_words, 1))} %)"

    closed = "not known of these tags"
    if coverage.lacking is not None:
        closed = " ".join(coverage.lacking) or "none"
    rows = [
        ("words of the text", f"{coverage.n_words:,}"),
        ("listed", part(coverage.n_listed)),
        ("listed in another case", part(coverage.n_other_case)),
        ("listed with one tag", part(coverage.single.total())),
        ("closed classes of no word", closed),
    ]
    return [((), rows), (("commonest unlisted", "count"), coverage.unlisted.most_common(MOST))]
