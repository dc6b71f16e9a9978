"""``fstce tagger ask`` and ``suggest``: words to ask a speaker about, sentences to tag."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

from fstce.console.models import load
from fstce.console.options import AsJson, Model, Text, helped, option
from fstce.console.output import count, print_json, remark
from fstce.console.texts import read
from fstce.corpora import Sentence
from fstce.corpora.dictionary_files import counts_of
from fstce.corpora.documents import lines_of
from fstce.corpora.tables import csv_text
from fstce.corpora.tagged_text import tagged_line
from fstce.corpora.words import is_fit
from fstce.errors import DictionaryError, ParameterError
from fstce.storage.atomic import is_written_into, marked, write_whole
from fstce.tagging.answers import escaped, read_answers
from fstce.tagging.questions import Question, questions, suggest_sentences

MOST_SHOWN = 30  # tags
CONTEXT = 6  # words on each side of the one that is asked for
# Ten minutes are some hundred words, or seven sentences (Garrette & Baldridge 2013): until there
# are some fifty sentences, words bring more (docs/results/answers.md).
MANY_WORDS, FEW_SENTENCES = 100, 50
HEAD = (
    "# A line is an answer: keep the tags that the word can have, the usual one first. Tags may be "
    "added.\n"
    "# If you can say how often each is, say so of ten times: VERB:7 NOUN:3.\n"
    "# To leave a question, delete its line or put # before it. What follows the tags is not "
    "read.\n"
    "# word\ttags\ttokens\tplaces\n"
)
COLUMNS = ("word", "tags", "tokens", "places")
HINT = (
    "type the numbers of the tags that the word can have, the usual one first (2, or 2 1), or "
    "their names, "
    "with how often of ten if you can say it (2:7 1:3); Enter leaves the question, q ends"
)


@helped("""Ask for the tags of the words of a raw text that are worth most to know.

Each line has a word, its tags, the one that the tagger finds most often first, its tokens, and
places where it stands. Strike out the tags that the word never has, move the usual one to the
front, delete the lines that you leave, and train with --answers. Sentences to tag are what fstce
tagger suggest is for.

\b
Examples:
  fstce tagger ask model text.txt --number 20 --output questions.tsv
  fstce tagger ask model text.txt --interactive --output answers.tsv
  fstce tagger train text.txt -d words.tsv --answers answers.tsv -o new
""")
def ask(
    model: Model,
    text: Text = "-",
    number: Annotated[int, option("--number N", "How many words at most.", min=1)] = 20,
    output: Annotated[
        Path | None,
        option("--output -o FILE", "Where the questions, or the answers, go: a .tsv, or .csv."),
    ] = None,
    answers: Annotated[
        Path | None, option("--answers FILE", "Words that this file answers are not asked for.")
    ] = None,
    interactive: Annotated[
        bool, option("--interactive", "Ask one by one; an --output that is there is gone on with.")
    ] = False,
) -> None:
    is_csv = output is not None and output.suffix.lower() == ".csv"
    _check(text, output, interactive, is_csv)
    tagger = load(model, "tagger")
    rows = read(text)

    lines = _lines(output) if interactive and output is not None else []
    done = _words(lines)
    answered = done if answers is None else done | read_answers(answers).keys()
    n_open = max(number - len(done), 0)
    asked = questions(tagger, rows, n_open, answered) if n_open else []

    if interactive and output is not None:
        _interview(asked, rows, tagger.tags_, lines or [HEAD], output)
    else:
        content = "".join([HEAD, *(_line(question, rows) for question in asked)])
        if is_csv:
            content = csv_text([COLUMNS, *(_columns(question, rows) for question in asked)])
        if output is None:
            print(content, end="")
        else:
            write_whole(output, content, DictionaryError)

    _report_end(len(asked), output, interactive)
    if len(answered) >= MANY_WORDS:
        remark("after so many words tagged sentences bring more: fstce tagger suggest")


@helped("""Name the sentences of a raw text that are worth tagging by hand.

A sentence is worth as many errors a word as the tagger expects in it. Sentences come as
word/tag. Correct them, add them to the labeled sentences, and train again. Words to ask a
speaker for are what fstce tagger ask is for.

\b
Examples:
  fstce tagger suggest model text.txt --number 5 > more.pos
  fstce tagger train text.txt -d words.tsv --labelled more.pos -o better
""")
def suggest(
    model: Model,
    text: Text = "-",
    number: Annotated[int, option("--number N", "How many at most.", min=1)] = 20,
    labelled: Annotated[
        str | None, option("--labelled CORPUS", "Sentences of this corpus are not asked for.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    tagger = load(model, "tagger")
    done = read(labelled, by_suffix=True) if labelled else []
    rows = read(text)
    asked = suggest_sentences(tagger, rows, number, done)

    if as_json:
        records = [{"words": list(rows[each.sentence]), **each._asdict()} for each in asked]
        print_json(records)
    else:
        lines = (tagged_line(rows[each.sentence], each.tags) + "\n" for each in asked)
        sys.stdout.write(marked("".join(lines)))

    summary = "nothing to ask: all sentences are labeled"
    if asked:
        summary = f"{count(len(asked), 'sentence')}; the tags are the tagger's: correct them"
    remark(summary)
    if len(done) < FEW_SENTENCES:
        remark(
            f"with fewer than {FEW_SENTENCES} tagged sentences, words bring more in the same time: "
            "fstce tagger ask"
        )


def _check(text: str, output: Path | None, interactive: bool, is_csv: bool) -> None:
    if interactive and is_csv:
        raise ParameterError(f"--output {output}: --interactive writes a .tsv; name one")
    if interactive and text == "-":
        raise ParameterError(
            "--interactive reads answers where a text would come in: give the text as a file"
        )
    if interactive and output is None:
        raise ParameterError("--interactive writes down each answer: name a file with --output")
    is_there = output is not None and output.exists() and not is_written_into(output)
    if is_there and not interactive:
        raise ParameterError(
            f"{output}: is there already; name another file, or go on with its answers by "
            "--interactive"
        )


def _lines(path: Path) -> list[str]:
    """The lines of a file of answers that was begun, each with its end."""
    if not path.exists():
        return []
    read_answers(path)  # raises where it is something else
    return [line.rstrip("\r\n") + "\n" for line in lines_of(path)]


def _words(lines: Sequence[str]) -> set[str]:
    """The words that were asked for, answered or left."""
    fields = [line.removeprefix("# ").split("\t") for line in lines if line not in HEAD]
    return {columns[0].removeprefix("\\") for columns in fields if len(columns) > 1}


def _line(question: Question, rows: Sequence[Sentence], tags: Sequence[str] = ()) -> str:
    """A question as it stands in the file, or its answer."""
    word, *columns = _columns(question, rows, tags)
    return "\t".join([escaped(word), *columns]) + "\n"


def _columns(
    question: Question, rows: Sequence[Sentence], tags: Sequence[str] = ()
) -> tuple[str, ...]:
    """The columns of a question, or of its answer: word, tags, tokens, places."""
    places = [_place(rows[row].words, i) for row, i in question.places]
    return question.word, " ".join(tags or question.tags), str(question.count), *places


def _place(words: Sequence[str], i: int) -> str:
    """Where a word stands: some words on each side, the word itself in brackets."""
    first, last = max(i - CONTEXT, 0), i + CONTEXT + 1
    around = [*words[first:i], f"[{words[i]}]", *words[i + 1 : last]]
    before = "… " if first else ""
    behind = " …" if last < len(words) else ""
    return f"{before}{' '.join(around)}{behind}"


def _interview(
    asked: Sequence[Question],
    rows: Sequence[Sentence],
    tagset: Sequence[str],
    lines: list[str],
    output: Path,
) -> None:
    """Ask one by one; each answer is written behind these lines before the next question."""
    if isinstance(sys.stdin, TextIOWrapper):  # bytes that are no text are no tag: asked again
        sys.stdin.reconfigure(errors="surrogateescape")

    with suppress(EOFError, KeyboardInterrupt):
        for place, question in enumerate(asked):
            answer = _answer(question, rows, len(asked) - place, tagset)
            note = "" if answer else "# "
            lines.append(note + _line(question, rows, answer))
            write_whole(output, "".join(lines), DictionaryError)
    print()


def _answer(
    question: Question, rows: Sequence[Sentence], to_go: int, tagset: Sequence[str]
) -> list[str]:
    """The tags that someone types for a word; none where the question is left.

    A tag that is in no tagset is one where it is typed again.
    """
    tokens = count(question.count, "token")
    print(f"\n{question.word}  ({tokens}; {count(to_go, 'question')} to go)")
    for row, i in question.places:
        print(f"    {_place(rows[row].words, i)}")
    print("  " + "   ".join(f"{i} {tag}" for i, tag in enumerate(question.tags, 1)))

    known = {*tagset}
    while True:
        typed = input("> ").split()
        if typed in (["q"], ["quit"]):
            raise EOFError
        if typed in (["?"], ["help"]):
            print(HINT)
            continue

        names = [_named(one, question.tags) for one in typed]
        tags = counts_of(names)[0]
        if any(map(str.isdecimal, names)) or not all(map(is_fit, tags)):
            if any("\udc80" <= letter <= "\udcff" for letter in "".join(names)):
                print("standard input: this answer is not valid UTF-8; set the terminal to it")
            print(HINT)
        elif known.issuperset(tags):
            return names
        else:
            print(
                f"no tag of the model: {' '.join(sorted({*tags} - known))}; it has "
                f"{' '.join(tagset[:MOST_SHOWN])}. Type the answer again to add it"
            )
            known.update(tags)


def _named(typed: str, tags: Sequence[str]) -> str:
    """A tag by its number, with how often it is, or as it was typed."""
    number, colon, times = typed.partition(":")
    if number.isdecimal() and 0 < int(number) <= len(tags) and times.isdecimal() == bool(colon):
        return f"{tags[int(number) - 1]}{colon}{times}"
    return typed


def _report_end(n: int, output: Path | None, interactive: bool) -> None:
    if not n:
        remark("nothing to ask: every word is answered")
    elif interactive and output is not None and not output.exists():
        remark(f"{output} is not written: no question was answered or left")
    else:
        begin = "" if interactive else "correct them, then "
        remark(f"{begin}train with --answers {output or 'FILE'}")
