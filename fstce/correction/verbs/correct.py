"""``fstce corrector correct``: text in, corrected text out, line by line, spaced as it was."""

from __future__ import annotations

import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, cast

from fstce.console.applying import Applying
from fstce.console.models import load
from fstce.console.options import Model, helped, option
from fstce.console.output import count, note, remark
from fstce.console.parameters import Given, Parameters
from fstce.console.reading import reading
from fstce.console.streams import standard_input
from fstce.corpora.documents import check_text, from_file, from_stream, without_mark
from fstce.corpora.running_text import Token, check_broken, placed, tokenize
from fstce.corpora.words import fault, is_fit
from fstce.correction.corrector import Corrector
from fstce.correction.decoding import Correction
from fstce.correction.reader import LONGEST
from fstce.correction.spacing import restore
from fstce.correction.verbs.differences import DOUBTS, json_of, markings, write_marked
from fstce.errors import CorpusError, ParameterError
from fstce.speller.lexicons import read_words

if TYPE_CHECKING:  # what goes with parsing
    from fstce.correction.parsed import ParsedCorrector

    AnyCorrector = Corrector | ParsedCorrector

LONGEST_WORD = 20_000
CONTROL = re.compile(r"[\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")  # but for white space
TOGETHER = 500  # lines of a batch, which tell together which of their unknown words are terms


CorrectorDecoding = Annotated[
    Given,
    Parameters(
        "fstce.correction.corrector.Corrector",
        only=("threshold", "user_dictionary", "adapt"),
        panel=None,
        files={"user_dictionary": read_words},
        helps={
            "user_dictionary": "A file with words of your own, one a line: known, never "
            "changed, and "
            "candidates.",
            "adapt": "Whether the text tells which of its unknown words are terms, 500 lines at "
            "a time; of a "
            "pipe, which one process answers, by the lines before.",
        },
    ),
]


class Line(NamedTuple):
    """A line of the input: text, end, words, and why it is passed through, or nothing."""

    number: int
    text: str
    end: str
    tokens: list[Token]
    reason: str

    @property
    def words(self) -> list[str]:
        """The texts of its tokens."""
        return [token.text for token in self.tokens]

    @property
    def is_sound(self) -> bool:
        """Whether it has words that can be corrected."""
        return bool(self.tokens) and not self.reason

    @property
    def sentence(self) -> list[Token]:
        """Its words, as those of a passage."""
        return self.tokens


@helped("""Correct the spelling or the punctuation, as the model was trained to.

Lines come out in the order in which they came in, with their spacing, capitals and line
ends. A line that cannot be corrected (over 2,000 words, control characters, words spelt
like symbols of fstce, a lattice or chart beyond its limit) comes out unchanged, with a
warning on standard error and a count at the end.

\b
Examples:
  echo "The clok stopped." | fstce corrector correct model
  fstce corrector correct model draft.txt > corrected.txt
  fstce corrector correct model draft.txt --diff --threshold 0.9
  fstce corrector correct model my.txt --user-dictionary names.txt
  fstce corrector correct model draft.txt --json > doubts
""")
def correct(
    model: Model,
    decoding: CorrectorDecoding,
    applying: Applying,
    diff: Annotated[
        bool, option("--diff", "Show changes: red and green on a terminal, else [-old-]{+new+}.")
    ] = False,
    as_json: Annotated[
        bool,
        option(
            "--json",
            "In place of the text a JSON object a line: the changes, and what words in doubt may "
            "be, with probabilities; places are characters of the line.",
        ),
    ] = False,
) -> None:
    text = applying.text
    if diff and as_json:
        raise ParameterError("--diff and --json: give one of them")
    if reading().format not in (None, "plain"):
        raise ParameterError(
            "--input-format: a text is corrected line by line as it stands; leave it out"
        )

    corrector = loaded(model, decoding)
    # How many lines of a pipe come together is a matter of time, and must not matter: each is
    # judged by those before it, one after another.
    domain = None
    if text == "-" and isinstance(corrector, Corrector):
        domain = corrector.domain_vocabulary()
    if domain is not None:
        applying = replace(applying, jobs=1)

    name, mark, lines = _whole_lines(text)
    if not as_json:
        sys.stdout.write(mark)
    n = DOUBTS if as_json else 1
    work = partial(_corrected, corrector=corrector, n=n, domain=domain)
    tally = Counter[str]()
    for _, results in applying.answers(work, _lines(lines, name, corrector), most=TOGETHER):
        for line, correction in results:
            _count(tally, line, correction)
            _show(line, correction, diff, as_json)
    if tally["lines"]:
        _summarize(tally)


def _summarize(tally: Counter[str]) -> None:
    changes = f"{count(tally['changes'], 'change')} in {count(tally['changed'], 'line')}"
    passed = ""
    if tally["passed"]:
        passed = f"; {count(tally['passed'], 'line')} passed through unchanged"
    remark(f"{count(tally['lines'], 'line')}, {changes}{passed}")


def loaded(model: Path, decoding: Given) -> AnyCorrector:
    """The corrector, with the parameters of decoding that are given."""
    corrector: AnyCorrector = load(model, "corrector")
    changed = {name: value for name, value in decoding.items() if value is not None}
    if changed and not isinstance(corrector, Corrector):
        name = next(iter(changed)).replace("_", "-")
        raise ParameterError(
            f"--{name}: {model} has a grammar, whose best sentence is the only one"
        )
    return corrector.set_params(**changed)


def _show(line: Line, correction: Correction | None, diff: bool, as_json: bool) -> None:
    if as_json:
        print(json_of(line.number, line.text, line.tokens, correction))
    elif correction is None or not correction.changes:
        sys.stdout.write(line.text + line.end)
    elif diff:
        write_marked(markings(line.text, line.tokens, correction.changes), line.end)
    else:
        sys.stdout.write(restore(line.text, line.tokens, correction.changes) + line.end)


def _corrected(
    lines: Sequence[Line], corrector: Any, n: int, domain: Any = None
) -> list[tuple[Line, Correction | None]]:
    """Each line with its correction, None where it has no words or is passed through."""
    rows = [line.words for line in lines if line.is_sound]
    correct = corrector.correct
    if domain is not None:
        correct = partial(corrector.correct_each, domain=domain)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        corrections = iter(list(correct(rows, alternatives=n)))

    # Each line that is left as it is has a warning of its own, in order.
    reasons = iter([str(warning.message) for warning in caught if warning.category is UserWarning])
    results: list[tuple[Line, Correction | None]] = []
    for line in lines:
        correction = next(corrections) if line.is_sound else None
        if correction is not None and correction.decoder == "unchanged":
            line = line._replace(reason=next(reasons, "its lattice exceeds a limit"))
            correction = None
        results.append((line, correction))
    return results


def _whole_lines(text: str) -> tuple[str, str, Iterator[tuple[int, str]]]:
    """The name of a text in messages, its byte order mark, its numbered lines with ends."""
    source = from_stream(cast(Any, standard_input())) if text == "-" else from_file(Path(text))
    return source.name, *without_mark(source.lines(reading().encoding))


def _lines(lines: Iterator[tuple[int, str]], name: str, corrector: AnyCorrector) -> Iterator[Line]:
    options = reading()
    options.faults.reported_by_caller = True
    for number, text in lines:
        line = text.rstrip("\r\n")
        reason = _odd(line)
        try:
            check_text(line, f"{name}:{number}", options.encoding)
        except CorpusError as error:
            options.faults.add(error)
            if options.faults.policy != "pass":
                yield Line(number, "", "", [], "")
                continue
            reason = str(error).partition(": ")[2].partition(";")[0]

        tokens: list[Token] = []
        if not reason:
            tokens, reason = _tokens(line, corrector)
        if not options.faults.fatal:
            yield Line(number, line, text[len(line) :], tokens, reason or _reason(tokens))

    options.faults.finish()


def _tokens(line: str, corrector: AnyCorrector) -> tuple[list[Token], str]:
    """The words of a line, or why they cannot be distinguished."""
    reader = reading().text
    try:
        if reader.tokenizer is not None:
            tokens = placed(line, reader.tokenizer(line))
            if tokens is None:
                return [], "the tokenizer's words do not stand in it"
            return tokens, ""
        if reading().raw is not False:
            check_broken(line, "")
    except CorpusError as error:
        return [], str(error).removeprefix(": ")
    return tokenize(line, corrector.vocabulary_, reading().raw, reader.conventions), ""


def _odd(line: str) -> str:
    """Why the characters of a line keep it from being corrected, or nothing."""
    odd = CONTROL.search(line)
    return "" if odd is None else f"it holds the control character U+{ord(odd[0]):04X}"


def _reason(tokens: Sequence[Token]) -> str:
    """Why the words of a line keep it from being corrected, or nothing."""
    if any(token.end - token.start > LONGEST_WORD for token in tokens):
        return f"it has a word of more than {LONGEST_WORD:,} letters"
    if len(tokens) > LONGEST:
        return f"it has {len(tokens):,} words; at most {LONGEST:,} are corrected together"
    for token in tokens:
        if not is_fit(token.text):
            return f"{token.text!r} cannot be a word: {fault(token.text)}"
    return ""


def _count(tally: Counter[str], line: Line, correction: Correction | None) -> None:
    """Count a line and its changes; it is said if it is passed through."""
    tally["lines"] += bool(line.text or line.end)
    if line.reason:
        tally["passed"] += 1
        note(f"line {line.number} is passed through unchanged: {line.reason}")
    elif correction is not None:
        tally["changed"] += bool(correction.changes)
        tally["changes"] += len(correction.changes)
