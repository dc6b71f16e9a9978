"""The text and the dictionary of a tagger, as the options of several verbs give them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Annotated

from fstce.console.options import TEXT, Coarse, FormatOption, TagMap, Words, corpora, option
from fstce.console.parameters import Given, Parameters
from fstce.console.texts import dictionary_of, read

if TYPE_CHECKING:
    from fstce.corpora import Sentence, TagDictionary


TaggerDecoding = Annotated[Given, Parameters("fstce.tagging.tagger.Tagger", only=("decoder",), of_model=True)]


class Unseen(str, Enum):
    """The tags of a word that the dictionary does not list."""

    open = "open"
    all = "all"


@dataclass(frozen=True)
class TaggedText:
    """Options of a text that may have tags: how much of it is read, and what becomes of its tags."""

    words: Words = None
    coarse: Coarse = False
    tag_map: TagMap = None
    format: FormatOption = None

    def read(self, corpus: str) -> list[Sentence]:
        """The sentences of a corpus, cut and projected."""
        return read(corpus, self.format, self.words, self.tag_map or self.coarse)


@dataclass(frozen=True)
class TrainingText(TaggedText):
    """Options of a text to train on and of its dictionary, which is read off its tags or given."""

    dictionary: Annotated[
        str | None,
        option(
            "--dictionary -d FILE",
            "A .tsv file (word, tab, tags), a tagged corpus, or an analyser of foma or HFST (.att .hfst "
            ".fst; behind a colon a regular expression for the tag); by default the tags of CORPUS itself.",
            TEXT,
            complete=corpora,
        ),
    ] = None
    first: Annotated[
        int | None, option("--first N", "Dilute: list the words of the first N sentences only.", TEXT, min=1)
    ] = None
    min_count: Annotated[
        int, option("--min-count N", "Dilute: list the words seen at least so often.", TEXT, min=1)
    ] = 1
    unseen: Annotated[
        Unseen | None,
        option(
            "--unseen",
            "Tags of words that are not listed: those of open classes, or all; by default open, or all "
            "for a diluted dictionary.",
            TEXT,
        ),
    ] = None
    open_class: Annotated[
        str | None,
        option("--open-class TAG,...", "The tags of open classes, in place of the dictionary's own.", TEXT),
    ] = None
    capitals: Annotated[
        bool,
        option("--capitals", "Words in lower case are listed as they begin a sentence, too: the, The.", TEXT),
    ] = False

    def read_with_dictionary(self, corpus: str) -> tuple[list[Sentence], TagDictionary]:
        """The sentences of a corpus and their dictionary."""
        sentences = self.read(corpus)
        entries = dictionary_of(
            self.dictionary,
            sentences,
            coarse=self.tag_map or self.coarse,
            first=self.first,
            min_count=self.min_count,
            unseen=self.unseen and self.unseen.value,
            capitals=self.capitals,
        )
        return sentences, entries if self.open_class is None else _with_open_class(entries, self.open_class)


def _with_open_class(entries: TagDictionary, names: str) -> TagDictionary:
    """The dictionary with the open-class tags that are named, separated by commas."""
    from fstce.corpora import TagDictionary

    tags = [name.strip() for name in names.split(",") if name.strip()]
    return TagDictionary.from_dict({**entries.to_dict(), "open_class": tags})
