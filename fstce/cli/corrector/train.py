"""``fstce corrector train``: a speller, a punctuator or both, from clean text; or a speller by a grammar."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from fstce.cli import training
from fstce.cli.corrector.by_grammar import (
    ByGrammar,
    Fallback,
    Longest,
    MaxLength,
    TaggerModel,
    check_options,
    grammar_facts,
    parsed_corrector,
    tags_for,
)
from fstce.cli.options import (
    Corpus,
    Format,
    FormatOption,
    MaxIterations,
    ModelOutput,
    Quiet,
    Tolerance,
    Variance,
    Words,
    names,
    relative_change,
    variance,
)
from fstce.cli.output import Interruption, count, facts, note, seconds
from fstce.cli.reading import reading
from fstce.cli.texts import dictionary_of, is_tagged, read
from fstce.errors import CorpusError, ParameterError

if TYPE_CHECKING:
    from fstce.corpora import Sentence
    from fstce.correction.corrector import Corrector
    from fstce.correction.parsed.corrector import ParsedCorrector

    Model = TypeVar("Model", Corrector, ParsedCorrector)

Row = list[str]
MISTAKES_HELP = "mistakes made on purpose: random, keyboard, confusables, drop, lose, insert, swap."
Facts = list[tuple[str, str]]
CHANNEL_HELP = "A table of mistakes: meant, typed, cost (or count), separated by tabs."


class CorrectorCriterion(str, Enum):
    """How the model is trained."""

    contrastive = "contrastive"
    em = "em"
    none = "none"


def train(
    corpus: Corpus,
    output: ModelOutput = None,
    dictionary: Annotated[
        str | None,
        typer.Option(
            "--dictionary",
            "-d",
            help="The tags of words: a .tsv file or a tagged corpus; by default none.",
        ),
    ] = None,
    lexicon: Annotated[
        Path | None,
        typer.Option("--lexicon", help="More words to choose from: a table of word, tab, count."),
    ] = None,
    spell: Annotated[
        int, typer.Option("--spell", min=0, max=3, help="SPELL: the most edits of a word; 0 for none.")
    ] = 1,
    punctuation: Annotated[
        int,
        typer.Option("--punctuation", min=0, max=3, help="PUNC: the most edits of marks; 0 for none."),
    ] = 0,
    classes: Annotated[
        str,
        typer.Option(
            "--classes", help="Without a dictionary: so many latent classes, or words, each for itself."
        ),
    ] = "words",
    order: Annotated[
        int, typer.Option("--order", min=1, max=3, help="The length of an n-gram of tags or classes.")
    ] = 2,
    criterion: Annotated[
        CorrectorCriterion,
        typer.Option(
            "--criterion",
            "-c",
            help="What is maximized; none leaves the n-gram model alone. A grammar's EM begins where Klein "
            "and Manning's does.",
        ),
    ] = CorrectorCriterion.contrastive,
    ngrams: Annotated[
        int, typer.Option("--ngrams", min=0, max=3, help="The length of an n-gram of words; 0 for none.")
    ] = 3,
    damerau: Annotated[
        bool, typer.Option(help="Whether two letters in the wrong order are one edit.")
    ] = True,
    limit: Annotated[
        int, typer.Option("--limit", min=1, help="The most candidates of a word, the most frequent.")
    ] = 50,
    channel: Annotated[Path | None, typer.Option("--channel", help=CHANNEL_HELP)] = None,
    marks: Annotated[
        Path | None,
        typer.Option("--marks", help="The punctuation marks, one a line; by default the English ones."),
    ] = None,
    mark_channel: Annotated[
        Path | None, typer.Option("--mark-channel", help="The same table for punctuation marks.")
    ] = None,
    exponent: Annotated[
        float | None,
        typer.Option("--exponent", min=0.0, help="Of the channel in training; by default sets of sentences."),
    ] = None,
    mistakes: Annotated[
        str | None,
        typer.Option(
            "--mistakes",
            help=f"Held-out text has {MISTAKES_HELP}",
            show_default="random for words, drop for marks",
        ),
    ] = None,
    rate: Annotated[
        float, typer.Option("--rate", min=0.0, max=1.0, help="How many words or marks are mistyped there.")
    ] = 0.1,
    held_out: Annotated[
        float,
        typer.Option(
            "--held-out",
            min=0.0,
            max=0.9,
            help="The share of the text that is held out for it, at most 1,000 sentences.",
        ),
    ] = 0.1,
    sigma2: Variance = "1.0",
    smoothing: Annotated[
        float, typer.Option("--smoothing", help="The λ added to every count of an HMM or grammar (em).")
    ] = 1.0,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seeds the mistakes and random starts.")] = 0,
    tolerance: Tolerance = 1e-4,
    max_iterations: MaxIterations = 150,
    grammar: ByGrammar = False,
    tagger: TaggerModel = None,
    max_length: MaxLength = None,
    longest: Longest = None,
    fallback: Fallback = None,
    words: Words = None,
    format: FormatOption = None,
    quiet: Quiet = False,
) -> None:
    """Train a corrector on clean text.

    A plain text has one sentence a line; words and marks are separated as fstce corrector
    correct does it. The end of the text is mistyped on purpose, to learn how much each part of the
    model is worth; then everything is trained once more on the whole text.

    With --grammar a dependency grammar chooses among the candidates of a word; it is trained
    on the tags of the corpus, or on those that --tagger gives a text.

    \b
    Examples:
      fstce corrector train clean.txt --output model
      fstce corrector train clean.txt --lexicon words.tsv --spell 2 -o model
      fstce corrector train clean.txt --spell 0 --punctuation 1 -o punctuator
      fstce corrector train nltk:treebank --dictionary nltk:treebank --classes 0 -o model
      fstce corrector train clean.txt --mistakes keyboard,confusables --rate 0.05 -o model
      fstce corrector train nltk:treebank --grammar -o model
      fstce corrector train clean.txt --grammar --tagger tagger -o model
    """
    from fstce.correction import corrector_files
    from fstce.correction.corrector import Corrector
    from fstce.correction.mistakes.channel import Channel
    from fstce.correction.mistakes.punctuation import read_marks
    from fstce.correction.parsed import files as parsed_files

    corrector = Corrector(
        spell,
        punctuation,
        _classes(classes),
        order,
        criterion.value,
        ngrams,
        damerau,
        limit,
        channel=None if channel is None else Channel.read(channel),
        marks=None if marks is None else read_marks(marks),
        mark_channel=None if mark_channel is None else Channel.read(mark_channel),
        exponent=exponent,
        mistakes=names("--mistakes", mistakes) or None,
        rate=rate,
        held_out=held_out,
        sigma2=variance(sigma2),
        smoothing=smoothing,
        seed=seed,
        tolerance=relative_change(tolerance),
        max_iterations=max_iterations,
    )
    given = {"tagger": tagger, "max_length": max_length, "longest": longest, "fallback": fallback}
    check_options(grammar, corrector, {"dictionary": dictionary, "lexicon": lexicon}, given)
    if output is not None:
        training.check_output(output, parsed_files.KIND if grammar else corrector_files.KIND)
    listed = None if lexicon is None else _lexicon(lexicon)
    reading().text.tokenized = True  # words are told apart a line at a time, with all words in sight
    sentences = read(corpus, format, words)
    rows = rows_of(sentences, corpus, format)
    if not quiet:
        _describe(rows, listed)
    model: Corrector | ParsedCorrector = corrector
    if grammar:
        model = parsed_corrector(corrector, max_length, longest)
        model.check_lengths(rows)
        tags = tags_for(sentences, rows, tagger, quiet)
        if fallback is not False:
            model.other = _fit(corrector, rows, {}, quiet, "the corrector of long sentences")
        _fit(model, rows, {"tags": tags}, quiet, "the grammar")
    else:
        entries = None if dictionary is None else dictionary_of(dictionary, sentences)
        _fit(corrector, rows, {"lexicon": listed, "dictionary": entries}, quiet)
    # Words of running text are told apart as in English, whatever stands in it.
    model.reading_ = reading().record([] if _is_plain(corpus, format) else sentences)
    if output is not None:
        model.save(output)
    if not quiet:
        facts([*_learnt(model), ("saved in", str(output) if output else "nowhere; give --output FOLDER")])


def _fit(corrector: Model, rows: list[Row], given: Mapping[str, Any], quiet: bool, what: str = "") -> Model:
    import time

    from fstce.cli.progress import watcher

    began = time.perf_counter()
    rule: Any = getattr(corrector, "parser", corrector)
    if what and not quiet:
        note(f"training {what}")
    try:
        with watcher(rule.tolerance, rule.max_iterations, quiet) as monitor:
            corrector.fit(rows, monitor=monitor, **given)
    except KeyboardInterrupt:
        raise Interruption("interrupted before the end of training; nothing is saved") from None
    if not quiet:
        facts([("time", seconds(time.perf_counter() - began))])
    return corrector


def _classes(text: str) -> int | str | None:
    """The classes as the command line spells them: a number, 0 for None, or ``words``."""
    if text == "words":
        return text
    if not text.isdecimal():
        raise ParameterError(f"--classes {text}: give a number, 0 with a dictionary, or words")
    return int(text) or None


def rows_of(sentences: Sequence[Sentence], spec: str, format: Format | None) -> list[Row]:
    """The words of sentences; words and marks of running text as `correct` tells them apart."""
    rows = [list(sentence) for sentence in sentences]
    return _told_apart(rows) if _is_plain(spec, format) and not is_tagged(sentences) else rows


def _is_plain(spec: str, format: Format | None) -> bool:
    """Whether the text is lines rather than a treebank's sentences."""
    from fstce.corpora.formats import format_of

    if format is not None:
        return format is Format.plain
    return spec == "-" or (Path(spec).is_file() and format_of(spec) == "plain")


def _told_apart(rows: list[Row]) -> list[Row]:
    """The words and marks of running text, as `fstce corrector correct` tells them apart, a line a row."""
    from fstce.corpora.tokens import tokenize

    counted = {word for row in rows for word in row}
    return [[token.text for token in tokenize(" ".join(row), counted, reading().raw)] for row in rows]


def _lexicon(path: Path) -> dict[str, int]:
    """Words with counts from a table.

    Raises
    ------
    CorpusError
        The file cannot be read, or a line is no word and count; names the line.
    """
    from fstce.corpora.documents import from_file
    from fstce.corpora.words import fault

    found: dict[str, int] = {}
    for number, line in from_file(path).lines():
        word, _, times = line.partition("\t")
        if not line.strip():
            continue
        if fault(word) is not None or not times.strip().isdecimal():
            raise CorpusError(f"{path}:{number}: expected a word and its count, separated by a tab")
        found[word] = found.get(word, 0) + int(times)
    if not found:
        raise CorpusError(f"{path}: holds no word; give one a line, with a tab and its count")
    return found


def _describe(rows: list[Row], lexicon: dict[str, int] | None) -> None:
    types = len({word for row in rows for word in row})
    sizes = f"{count(len(rows), 'sentence')}, {count(sum(map(len, rows)), 'word')}, {count(types, 'type')}"
    facts([("text", sizes), *([("lexicon", count(len(lexicon), "word"))] if lexicon else [])])
    sys.stdout.flush()


def _learnt(corrector: Corrector | ParsedCorrector) -> Facts:
    """What was learnt beside the model: exponents, and from what."""
    if corrector.tuning_ is None:
        note("too little text is held out to learn the exponents; those of the Penn Treebank are used")
    exponents = ", ".join(f"{name} {value:.3g}" for name, value in corrector.exponents_.items())
    found = [*grammar_facts(getattr(corrector, "parser_", None)), ("exponents", exponents)]
    if corrector.tuning_ is not None:
        tuned = corrector.tuning_
        made = f"{count(tuned.mistakes, 'mistake')} in {count(tuned.sentences, 'mistyped sentence')}"
        found.append(("learnt from", f"{made}, {tuned.before:,.1f} to {tuned.after:,.1f} nats"))
    return found
