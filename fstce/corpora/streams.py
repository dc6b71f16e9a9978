r"""Streams of readings: what an analyser says of each token, in Apertium's format and CG-3's.

In Apertium's, ``^saw/see<vblex><past>/saw<n><sg>$`` is a token with two readings, what stands in
``[…]`` is markup, and a backslash makes any letter an ordinary one. In CG-3's, ``"<saw>"`` in a
line is followed by a line for each reading, ``"see" V Past`` behind a tab, with sub-readings
further in.

Every byte that is no reading is kept: :meth:`StreamSentence.written` gives a stream back with the
readings of each token reordered or cut. A sentence ends with a full stop that the readings know as
such (``sent``), an empty line, a NUL, or markup with a line end in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, zip_longest
from typing import NamedTuple

from fstce.corpora.sentence import Sentence
from fstce.corpora.words import clean_word, fault
from fstce.errors import CorpusError

LONGEST = 500  # tokens, behind which a line end does for the end of a sentence
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_SPACE = re.compile(r"\s+")
_SYMBOL = re.compile(r"\\(.)|<((?:\\.|[^\\<>])*)>|([^\\<]+|<)", re.DOTALL)
_WEIGHT = re.compile(r"(\\.)| ?<W:[^<>\n]*>", re.DOTALL)
_LINE_END = re.compile(r"(?<=[^\r\n])(?=\r?\n|\Z)")
_TAG = r"<(?:\\.|[^\\<>/^$])+>"
_UNIT = rf"\^(?P<surface>(?:\\.|[^\\/^$])+)(?P<readings>(?:/(?:\\.|{_TAG}|[^\\/^$<])*)*)\$"
_MARKUP = r"\[\[(?:\\.|[^\\\]])*\]\]|\[(?!\[)(?:\\.|[^\\\]])*\]"
_PIECE = re.compile(
    rf"{_UNIT}|(?P<markup>{_MARKUP})|(?P<end>\0)|(?P<open>[\^\[$])|(?:\\.|[^\\^\[\0$])+|\\",
    re.DOTALL,
)
_UNCLOSED = re.compile(r"\[|\^(?:\\.|[^\\^$])*\\?\Z", re.DOTALL)
_COHORT = re.compile(r'"<(?P<surface>.*)>"(?:\s.*)?')
_READING = re.compile(
    r'(?P<indent>\s+)"(?P<lemma>.*?)"(?=[\s+<]|$)(?P<tags>.*)'
    r'|(?P<tab>\t)(?P<bare>[^\t"+<]+)(?P<joined>[+<].*)'  # as hfst-tokenise --cg writes it
)
# CG-3 adds to a reading's own tags: functions, dependencies, weights, names and traces of rules.
_ADDED = re.compile(r'@.*|#\d.*|<?W:.*|ID:.*|R:.*|[A-Z]{3,}:.*|".*|~.*|\*|\?|-?\d+\.\d+')
_REMOVED = re.compile("/¬[^<]")  # by a rule, as cg-proc -t writes it
_INFINITE = re.compile(r"\t[Ii]nf\b")  # a weight of hfst-tokenise; behind a blank it is a tag
_AT_NUL = re.compile(r"[^\0]*\0|[^\0]+")
_FINAL = frozenset({".", "!", "?", "...", "…", "¶", "।", "。", "！", "？"})
_ENDS = frozenset({"sent", "<<<"})
_LOOKS_APERTIUM = re.compile(
    r"\^(?=(?:\\.|[^\\^$])*\$)(?:\\.|[^\\/^$])+(?:/(?:\\.|[^\\/^$])*)*/"
    r"(?:\*|(?:\\.|[^\\/^$])*(?:<[^<>/^$]+>|\+))"
    r"|\^(?:\\.|[^\\/^$<])+(?:<[^<>/^$]+>)+(?:/[^/^$]*)*\$|^\^\*\w+\$"
    r"|\A\s*(?:\^\w+\$\s*){2,}\Z"  # without readings
    # Damaged: a token that does not end, or has no beginning.
    r"|(?<![^\s\]$])\^[^\\/^$\s]+/(?:\*\w|[^\s/^$<]+<\w)"
    r"|(?<!\S)[^\s/^$<>]+/[^\s/^$<>]+(?:<[^<>\s]+>)+\$(?!\S)"
)
_LOOKS_CG = re.compile(r'(?:; )?"<.*>"(?:\s.*)?|"<[^\s">]+>?"?|\t+"[^"]+"(?: [\w<>@:+-]+)+')


class Reading(NamedTuple):
    """One analysis of a token.

    ``raw``: as it stands in the stream, with the slash or the line end before it. ``lemma``: of its
    first part. ``tags``: its symbols in order, a plus between joined parts; none of an unknown
    word.
    """

    raw: str
    lemma: str
    tags: tuple[str, ...]

    @property
    def category(self) -> str | None:
        """The first tag; one in angle brackets, which CG-3 adds, only where there is no other."""
        plain = [tag for tag in self.tags if not tag.startswith("<")]
        return next(iter(plain or self.tags), None)

    def weighted(self, weight: str) -> Reading:
        r"""The reading with ``<W:…>`` behind it, in place of the one that it had.

        >>> Reading("/saw<n><W:2.5>", "saw", ("n",)).weighted("1").raw
        '/saw<n><W:1>'
        >>> Reading('\n\t"saw" N', "saw", ("N",)).weighted("1").raw
        '\n\t"saw" N <W:1>'
        """
        bare = _WEIGHT.sub(lambda match: match[1] or "", self.raw)
        if bare.startswith("/"):
            return self._replace(raw=f"{bare}<W:{weight}>")
        # before its sub-readings
        return self._replace(raw=_LINE_END.sub(f" <W:{weight}>", bare, count=1))


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a stream.

    ``surface``: as in the text, without escapes. ``readings``: in order. ``gaps``: the bytes before
    the first reading, with what stands between this token and the one before it; between readings;
    behind the last.
    """

    surface: str
    readings: tuple[Reading, ...]
    gaps: tuple[str, ...]

    @property
    def categories(self) -> tuple[str, ...]:
        """The distinct categories of its readings, in order; none of an unknown word."""
        return tuple(dict.fromkeys(filter(None, (reading.category for reading in self.readings))))

    def written(self, readings: Sequence[Reading] | None = None) -> str:
        """The bytes of the token with its own readings, or with others in their places."""
        chosen = self.readings if readings is None else readings
        head, *between, tail = self.gaps
        pieces = [head]
        for raw, gap in zip_longest([reading.raw for reading in chosen], between, fillvalue=""):
            pieces += [raw, gap]
        return "".join([*pieces, tail])


@dataclass(frozen=True, slots=True, repr=False)
class StreamSentence(Sentence):
    """A sentence of a stream: its words are the surfaces of its tokens, which have readings.

    It has tags, the categories, where every token has readings of one category alone. ``tokens``:
    one a word. ``tail``: the bytes behind the last token.
    """

    tokens: tuple[Token, ...] = field(kw_only=True)
    tail: str = field(kw_only=True, default="")

    @classmethod
    def of(cls, tokens: Sequence[Token], tail: str = "", source: str = "") -> StreamSentence:
        """The sentence of tokens: their words, and tags where readings leave no choice."""
        words = tuple(clean_word(token.surface, source or "stream") for token in tokens)
        readings = chain.from_iterable(token.readings for token in tokens)
        for tag in dict.fromkeys(chain.from_iterable(reading.tags for reading in readings)):
            reason = fault(tag)
            if reason is not None:
                raise CorpusError(f"{source or 'stream'}: the tag {tag!r} cannot be one: {reason}")

        choices = [token.categories for token in tokens]
        is_tagged = all(len(categories) == 1 for categories in choices)
        tags = tuple(categories[0] for categories in choices) if is_tagged else None
        return cls(words, tags, source=source, tokens=tuple(tokens), tail=tail)

    def written(self, readings: Iterable[Sequence[Reading] | None] | None = None) -> str:
        """The bytes of the sentence, with other readings of its tokens if they are given.

        ``readings``: for each token those that are written, in order; None for its own.
        """
        chosen = [None] * len(self.tokens) if readings is None else readings
        pairs = zip(self.tokens, chosen, strict=True)
        return "".join(token.written(some) for token, some in pairs) + self.tail


# The bytes of a sentence, or of what stands between two, and the sentence, None, or what is wrong.
Part = tuple[str, StreamSentence | CorpusError | None]


def stream_of(lines: Iterable[str]) -> str | None:
    """The format of a stream, ``apertium`` or ``cg``, by its first lines; None of other texts.

    >>> stream_of(["^saw/see<vblex>$"]), stream_of(['"<saw>"']), stream_of(["x^2/y^2 costs $3"])
    ('apertium', 'cg', None)
    """
    for line in lines:
        if _LOOKS_APERTIUM.search(line):
            return "apertium"
        if _LOOKS_CG.fullmatch(line.rstrip("\r\n")):
            return "cg"
    return None


@dataclass
class _Open:
    """A sentence as it grows."""

    name: str
    tokens: list[Token] = field(default_factory=list)
    between: str = ""
    first: int = 0
    has_ended: bool = False

    def add(self, token: Token, line: int) -> None:
        """Take a token, found in a line of this number."""
        if not self.tokens:
            self.first = line
        self.tokens.append(token)
        self.between = ""
        self.has_ended = any(_ENDS.intersection(reading.tags) for reading in token.readings)

    def close(self) -> Iterator[Part]:
        """The sentence, or the text without one, if there is any; the next begins."""
        tokens, tail = self.tokens, self.between
        where = f"{self.name}:{self.first}"
        text, sentence = self.fail("", None)
        if tokens:
            try:
                sentence = StreamSentence.of(tokens, tail, where)
            except CorpusError as error:
                sentence = error
        if text:
            yield text, sentence

    def fail(self, text: str, error: CorpusError | None) -> Part:
        """All text so far and one that cannot be read, with the error."""
        before = "".join(token.written() for token in self.tokens) + self.between
        self.__init__(self.name)  # type: ignore[misc]
        return before + text, error


def apertium_sentences(lines: Iterable[tuple[int, str]], name: str) -> Iterator[Part]:
    """The sentences of Apertium's stream, each as soon as it is there."""
    now = _Open(name)
    waiting: list[str] = []  # lines of what has begun and is not closed
    first = 0

    for number, line in _up_to_nul(lines):
        if not waiting:
            first = number
        waiting.append(line)
        closing = "]\0" if waiting[0][0] == "[" else "^$\0"
        if len(waiting) > 1 and not any(mark in line for mark in closing):
            continue

        text = "".join(waiting)
        waiting = []
        seen = 0
        for piece in _PIECE.finditer(text):
            at = piece.start()
            first += text.count("\n", seen, at)
            seen = at
            if piece["surface"] is not None:
                surface = piece["surface"]
                is_unknown_alone = surface[0] == "*" and not piece["readings"]
                if is_unknown_alone or "<" in _ESCAPED.sub("", surface):
                    error = CorpusError(
                        f"{name}:{first}: {piece[0][:40]!r} has a lemma where the word of the text "
                        "should be; take the analyser's own output (lt-proc), or that of "
                        "apertium-tagger -p"
                    )
                    yield now.fail(text[at:], error)
                    break
                if now.has_ended:
                    yield from now.close()
                now.add(_unit(piece, now.between), first)
                continue
            if piece["open"] is not None:
                if _UNCLOSED.match(text, at) and not text.endswith("\0"):
                    waiting = [text[at:]]
                else:
                    yield now.fail(text[at:], _damaged(name, first, text[at:]))
                break
            now.between += piece[0]
            now.has_ended |= piece["markup"] is not None and "\n" in piece[0]
            if piece["end"]:
                yield from now.close()

        if waiting:
            continue
        too_long = len(now.tokens) >= LONGEST
        if now.has_ended or not now.tokens or not line.strip() or too_long:
            yield from now.close()

    if waiting:
        text = "".join(waiting)
        yield now.fail(text, _damaged(name, first, text))
    yield from now.close()


def _unit(piece: re.Match[str], before: str) -> Token:
    """The token between a caret and a dollar sign."""
    readings: list[Reading] = []
    gaps = [f"{before}^{piece['surface']}"]
    for raw in re.findall(r"/(?:\\.|[^\\/])*", piece["readings"], re.DOTALL):
        if _REMOVED.match(raw):
            gaps[-1] += raw
        else:
            readings.append(_apertium_reading(raw))
            gaps.append("")

    tail = gaps.pop() if readings else ""
    return Token(_unescaped(piece["surface"]), tuple(readings), (*gaps, f"{tail}$"))


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text


@lru_cache(maxsize=1 << 16)
def _apertium_reading(raw: str) -> Reading:
    """The reading behind a slash; of an unknown word, which has a star, without tags."""
    lemma = ""
    tags: list[str] = []
    for escaped, tag, text in _SYMBOL.findall(raw[1:]):
        if tag:
            if not _ADDED.fullmatch(tag):
                tags.append(_SPACE.sub("_", _unescaped(tag)))
        elif not tags:
            lemma += escaped or text
        elif "+" in text:
            tags.append("+")

    if not tags and "+" in lemma[1:]:  # as hfst-lookup writes it
        lemma, _, joined = lemma.partition("+")
        tags = [_SPACE.sub("_", tag) for tag in joined.split("+") if tag.strip() not in ("", "?")]
    is_unknown = lemma.startswith("*")
    return Reading(raw, lemma.removeprefix("*"), () if is_unknown else tuple(tags))


def _damaged(name: str, line: int, text: str) -> CorpusError:
    """The error of a piece of Apertium's stream that begins and does not end."""
    where = f"{name}:{line}"
    start = re.split(r"(?!\A)\^|[\n\0]", text[:30])[0]
    if text[0] == "$":
        return CorpusError(f"{where}: damaged stream: a '$' that closes no token; escape it as \\$")
    if re.match(r"\^(?:\\.|[^\\^$])*\$", text):
        return CorpusError(
            f"{where}: damaged stream: {start!r} is no token, as ^word/lemma<symbol>$ is one; "
            "escape other marks, as in \\<"
        )
    end = "]" if text[0] == "[" else "$"
    return CorpusError(f"{where}: damaged stream: {start!r} is not closed by '{end}'")


def cg_sentences(lines: Iterable[tuple[int, str]], name: str) -> Iterator[Part]:
    """The sentences of CG-3's stream, each as soon as the line behind it is there."""
    now = _Open(name)
    cohort: _Cohort | None = None
    empty_lines = 0  # behind a token, which end no sentence
    is_bare = False  # the token before, without readings

    for number, line in _up_to_nul(lines):
        content = line.rstrip("\r\n\0")
        end = line[len(content) :]
        if cohort is not None and cohort.takes(content, end):
            if "\0" not in end:
                continue
            content = end = ""

        if cohort is not None:
            now.add(cohort.token(), cohort.line)
            now.has_ended |= cohort.surface.removeprefix("$") in _FINAL
            empty_lines = int(cohort.is_joined)
            is_bare = not cohort.rows
            cohort = None

        begins = _COHORT.fullmatch(content)
        if begins is None:
            damage = _damage(content)
            if is_bare and re.match(r"\t+[^\s#]", content):
                damage = f"the reading {content.strip()[:30]!r} has no lemma in quotation marks"
            is_bare = is_bare and bool(damage)
            if damage:
                yield now.fail(line, CorpusError(f"{name}:{number}: damaged stream: {damage}"))
                continue
            now.between += content + end
            # a line end of the text, or of markup
            is_line_end = content.startswith(":") and "\\n" in content
            is_markup = content.startswith("<STREAMCMD") or content.count("[") > content.count("]")
            now.has_ended |= (not content and not empty_lines) or is_line_end or is_markup
            empty_lines -= not content
            if not now.tokens or "\0" in line:
                yield from now.close()
            continue

        if now.has_ended or len(now.tokens) >= LONGEST:
            yield from now.close()
        cohort = _Cohort(begins["surface"], now.between + content, end, number)

    if cohort is not None:
        now.add(cohort.token(), cohort.line)
    yield from now.close()


def _up_to_nul(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The lines, cut behind each NUL."""
    for number, line in lines:
        for part in _AT_NUL.findall(line):
            yield number, part


def _damage(text: str) -> str:
    """The fault of a line between tokens that is a piece of one, if it is."""
    if text.startswith('"<'):
        return f"the word {text[:30]!r} is not closed by '>\"'"
    if text.startswith("\t") and _READING.fullmatch(text):
        return "a reading without a word before it"
    return ""


@dataclass
class _Cohort:
    """A token of CG-3's stream as it grows; line ends belong to what follows them.

    ``rows``: its lines behind the first with the line ends before them, and which of their parts
    are what; None of readings that a rule has removed.
    """

    surface: str
    head: str
    end: str
    line: int
    rows: list[tuple[str, re.Match[str] | None]] = field(default_factory=list)

    def takes(self, content: str, end: str) -> bool:
        """Whether a line belongs to it: a reading, a sub-reading, one that a rule has removed."""
        match = _READING.fullmatch(content)
        if match is None and not content.startswith(";"):
            return False
        self.rows.append((self.end + content, match))
        self.end = end
        return True

    @property
    def is_joined(self) -> bool:
        """Whether tags are joined to their lemma, as in HFST's cohorts, empty lines between."""
        matches = [match for _, match in self.rows if match]
        return any(
            (match["tags"] or match["joined"] or "").startswith(("+", "<")) for match in matches
        )

    def token(self) -> Token:
        """The token, whole."""
        readings: list[Reading] = []
        gaps = [self.head]
        indent = ""
        for raw, match in self.rows:
            if match is None:
                gaps[-1] += raw
                continue

            tags = _cg_tags(match["tags"] or match["joined"] or "")
            before = match["indent"] or match["tab"]
            if readings and len(before) > len(indent):
                raw_above, lemma, tags_above = readings.pop()
                tags = (*tags_above, *["+"][: len(tags_above)], *tags)
                readings.append(Reading(raw_above + raw, lemma, tags))
                continue

            indent = before
            readings.append(Reading(raw, match["lemma"] or match["bare"] or "", tags))
            gaps.append("")

        tail = gaps.pop() if readings else ""
        return Token(self.surface, tuple(readings), (*gaps, tail + self.end))


def _cg_tags(text: str) -> tuple[str, ...]:
    """The tags of a reading's line, without what rules and weights add."""
    tags: list[str] = []
    for tag in _INFINITE.sub("", text).split():
        if tag.startswith("+") and len(tag) > 1:
            tags += filter(None, tag.split("+"))
        elif tag[0] == "<" and text.startswith(tag):  # symbols behind a lemma, without a blank
            tags += tag[1:-1].split("><")
        elif not _ADDED.fullmatch(tag):
            tags.append(tag)
    return tuple(tags)


READERS: dict[str, Callable[[Iterable[tuple[int, str]], str], Iterator[Part]]] = {
    "apertium": apertium_sentences,
    "cg": cg_sentences,
}
