"""``fstce corrector train``: a corrector of words, marks or both."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from fstce.console.models import Saving, load
from fstce.console.options import TEXT, Corpus, LexiconFormat, Memory, Words, helped, option
from fstce.console.output import remark, seconds
from fstce.console.parameters import Given, Parameters
from fstce.console.progress import training_shown
from fstce.console.reading import reading
from fstce.console.texts import dictionary_of, is_tagged, read, size_of_text
from fstce.corpora import Sentence
from fstce.corpora.formats import known_format
from fstce.corpora.running_text import tokenize
from fstce.corpora.word_files import WordFile
from fstce.correction.base import check_one_channel
from fstce.correction.corrector import MAX_ITERATIONS, Corrector
from fstce.correction.mistakes.misspellings import SHIPPED, shipped_channel
from fstce.correction.mistakes.punctuation import read_marks
from fstce.correction.verbs.facts import learned
from fstce.errors import MissingToolError
from fstce.speller.lexicons import language_of, lexicon_file
from fstce.speller.typos import read_typos

Row = list[str]
NONE = "none"


CORRECTOR = Parameters(
    "fstce.correction.corrector.Corrector",
    without=("channel", "threshold", "user_dictionary", "adapt"),
    files={"marks": read_marks},
    helps={"marks": "The punctuation marks, one a line; by default the English ones."},
)


@helped("""Train a corrector on raw text.

A plain text has one sentence a line; words and marks are separated as fstce corrector
correct does it. Words that the text has once, and the lexicon has not, count as unknown. The
end of the text is mistyped on purpose, to learn how much each part of the model is worth;
then everything is trained once more on the whole text.

\b
Examples:
  fstce corrector train raw.txt --output model
  fstce corrector train raw.txt --lexicon english --misspellings none -o model
  fstce corrector train my.txt --misspellings p.tsv -o model
  fstce corrector train my.txt --speller speller -o model
  fstce corrector train raw.txt --lexicon none --misspellings none -o model
  fstce corrector train raw.txt --lexicon words.tsv -o model
  fstce corrector train clean.txt --spell 0 --punctuation 1 -o punctuator
  fstce corrector train trees.mrg -d trees.mrg -c contrastive -o model
  fstce corrector train clean.txt --mistakes confusables --rate 0.05 -o model
""")
def train(
    corpus: Corpus,
    parameters: Annotated[Given, CORRECTOR],
    *,
    dictionary: Annotated[
        str | None,
        option(
            "--dictionary -d FILE",
            "The tags of words, for --criterion contrastive or em: a .tsv file or a tagged corpus.",
            TEXT,
        ),
    ] = None,
    lexicon: Annotated[
        str | None,
        option(
            "--lexicon FILE",
            "More words to choose from: english, french and so on, of the package pyspellchecker; "
            "a list, words with counts, a table of UniMorph, a text, hunspell's .dic, an acceptor; "
            "or none.  [default: that of the text's language, where it is installed]",
            TEXT,
        ),
    ] = None,
    lexicon_format: LexiconFormat = None,
    misspellings: Annotated[
        str | None,
        option(
            "--misspellings FILE",
            "Misspellings and intended words, separated by tabs, from which the channel is "
            "learned; english, "
            "which was learned before; or none.  [default: that of the text's language]",
            TEXT,
        ),
    ] = None,
    speller: Annotated[
        Path | None,
        option(
            "--speller MODEL",
            "A model of fstce speller learn: its errors are the channel, and its words the lexicon "
            "where none is named.",
            TEXT,
        ),
    ] = None,
    words: Words = None,
    memory: Memory = None,
    saving: Saving,
) -> None:
    corrector = Corrector(**parameters)
    saving.check("corrector")
    check_one_channel(speller, None if misspellings == NONE else misspellings)
    # What is named is read before the text, which may be long.
    named: dict[str, Any] = {}
    file = None
    if lexicon not in (None, NONE):
        file = lexicon_file(lexicon, lexicon_format)
    if misspellings is not None:
        named["misspellings"] = _misspellings(misspellings, None)
    if speller is not None:
        named["speller"] = load(speller, "speller")
    reading().leave_words()  # words are distinguished a line at a time, with all words in sight
    sentences = read(corpus, words)
    rows = rows_of(sentences, corpus)

    saving.facts([("text", size_of_text(rows, types=True))])
    sys.stdout.flush()
    language = None
    if corrector.spell and speller is None:
        language = language_of(Counter(chain.from_iterable(rows)))
    resources = Given(named)
    resources["lexicon"] = {} if lexicon == NONE else _lexicon(file, rows, language)
    if misspellings is None:
        resources["misspellings"] = _misspellings(None, language)
    saving.note_unsaved()

    if dictionary is not None:
        resources["dictionary"] = dictionary_of(dictionary, sentences)
    _fit(corrector, rows, saving, **resources, memory=memory)

    # Words of running text are distinguished as in English, whatever stands in it.
    corrector.tokenization_ = reading().record([] if _is_plain(corpus) else sentences)
    if corrector.tuning_ is None and corrector.exponents is None:
        remark(
            "too little text is held out to learn the exponents; those of the Penn Treebank are "
            "used"
        )
    saving.save(corrector, learned(corrector))


def _lexicon(
    file: WordFile | None, rows: list[Row], language: str | None
) -> Mapping[str, int] | None:
    """The lexicon that is named, or that of the text's language, where it is installed."""
    if file is not None:
        file = file.with_compounds(chain.from_iterable(rows))
        remark(str(file))
        return file.counts
    if language is None:
        return None

    name = language.title()
    try:
        words = lexicon_file(language).counts
    except MissingToolError:
        remark(
            "without a lexicon only the words of this text are known, and most mistakes in "
            f"others stay: install pyspellchecker, which has one for {name}"
        )
        return None
    remark(f"{name}: --lexicon {language}, of the package pyspellchecker (none leaves it out)")
    return words


def _misspellings(spec: str | None, language: str | None) -> Any:
    """The misspellings that are named, or what was learned of the text's language."""
    if spec is None and language in SHIPPED:
        learned_of = f"--misspellings {language}, learned from Wikipedia's list"
        remark(f"{language.title()}: {learned_of} (none leaves them out)")
        spec = language
    if spec in (None, NONE):
        return None
    if Path(spec).exists() or spec not in SHIPPED:
        return read_typos(spec)
    return shipped_channel(spec)


def _fit(corrector: Corrector, rows: list[Row], saving: Saving, **material: Any) -> None:
    """Train, with the iterations and the time shown; raises Interruption on Ctrl-C."""
    began = time.perf_counter()
    rescued = saving.rescuing(lambda: corrector, lambda: "", before="the end of training")
    with rescued, training_shown(MAX_ITERATIONS) as monitor:
        corrector.fit(rows, monitor=monitor, progress=monitor.reached, building=monitor, **material)
    saving.facts([("time", seconds(time.perf_counter() - began))])


def rows_of(sentences: Sequence[Sentence], spec: str) -> list[Row]:
    """The words of sentences; words and marks of running text as `correct` tells them apart."""
    rows = [list(sentence) for sentence in sentences]
    if not _is_plain(spec) or is_tagged(sentences):
        return rows
    vocabulary = set(chain.from_iterable(rows))
    lines = (tokenize(" ".join(row), vocabulary, reading().raw) for row in rows)
    return [[token.text for token in line] for line in lines]


def _is_plain(spec: str) -> bool:
    """Whether the text is lines rather than a treebank's sentences."""
    if reading().format is not None:
        return reading().format == "plain"
    return spec == "-" or (Path(spec).is_file() and known_format(spec) is None)
