"""What ``fstce parser parse`` reads: sentences, those of CoNLL files with the lines they stand on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from fstce.console.options import Format
from fstce.console.reading import reading
from fstce.errors import CorpusError, ParameterError
from fstce.parsing.verbs.treebanks import Preparation

if TYPE_CHECKING:
    from fstce.corpora import Sentence

CONLL = ("conllu", "conllx")


class Item(NamedTuple):
    """A sentence to be parsed.

    ``sentence``: none where the lines hold none that can be read. ``lines``: of a CoNLL file: what is passed
    through, with the ends of lines. ``replaced``: whether heads are put into the lines; else the sentence is
    written anew. ``comments``: what is written before a sentence that is written anew.
    """

    sentence: Sentence | None
    lines: tuple[str, ...] = ()
    replaced: bool = False
    fault: str = ""
    comments: tuple[str, ...] = ()


def items(text: str, format: Format | None, preparation: Preparation) -> Iterator[Item]:
    """The sentences of a text; of CoNLL, also what stands between them.

    A text that would be plain is read as ``word/TAG``, unless its words are the tags.
    """
    plain = "plain" if preparation.tags == "word" else "tagged"
    if format is not None and format.value == "plain" != plain:
        raise ParameterError("plain text has no tags: give word/TAG text, or take words with --tags word")
    reading().faults.told_by_caller = True  # with what else is unparsed
    found = False
    given = reading().passages(text, format, preparation.tag_column, plain)
    while True:
        try:
            passage = next(given, None)
        except CorpusError as error:
            if found or plain == "plain" or "word/TAG" not in str(error):
                raise
            raise CorpusError(
                f"{error}; a parser needs tags: tag the text first (fstce tagger tag), or --tags word"
            ) from None
        if passage is None:
            return
        found = found or passage.sentence is not None
        in_columns = passage.format in CONLL
        lines = passage.lines if in_columns or passage.fault else ()
        yield Item(passage.sentence, lines, in_columns and passage.columns, passage.fault)
