"""Lines of text as sentences of words, by the conventions of a corpus.

A line break always ends a sentence; within a line a full stop and its like do, unless what
follows begins in lower case. Each sentence keeps its text and where its words stand in it, so
that it is written as it was. Text that is tokenized already is cut at white space, a sentence a
line; :class:`TextReader` tells the two apart, unless one is named.

A token knows where it stands, so that what is done to it changes nothing else of the line.
What is a word of its own is a matter of :class:`~fstce.corpora.conventions.Conventions`; by
default ``don't`` is ``do`` ``n't``, punctuation stands alone, a full stop belongs to an
abbreviation and not to the last word of a sentence. Letters, marks and digits are Unicode's in
every script: a combining mark belongs to its word. Every alternative of the pattern looks ahead a
bounded way or takes what it has read, so that the time is linear in the length of the line.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice, pairwise, zip_longest
from typing import NamedTuple

import regex

from fstce.corpora.conventions import BLANK, ENGLISH, LETTER, Conventions, fold
from fstce.corpora.formats import Lines
from fstce.corpora.sentence import Sentence
from fstce.corpora.tables import bundled_rows
from fstce.corpora.words import clean_word
from fstce.errors import CorpusError, ParameterError

_STANDING = regex.compile(r"(?:^|\s)(?:[,.،、。，]|n't|'s)(?=\s|$)")
_HANGING = regex.compile(
    rf"{LETTER}[,;:?!،؟。，](?=\s|$)|{LETTER}\.$|['\"’”)][,.;:?!]|[\"“(]{LETTER}"
)
_HYPHEN = regex.compile(r"(?<=\w)-(?=\w)")
_FINAL = regex.compile(r"\p{Sentence_Terminal}+|…")
_CLOSING = frozenset(
    {'"', "''", "'", "”", "’", "»", "›", ")", "]", "}", "」", "』", "）", "-RRB-", "-RSB-"}
)
_EITHER = frozenset({'"', "'", "’"})  # opens behind a blank
_WIDE = "。！？｡"  # no blank follows these
_CJK = r"\p{Han}\p{Hiragana}\p{Katakana}"
_SOUTHEAST = r"\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}"
# Longest mean length of words, in letters, that text with blanks between its words has.
_UNBROKEN = (
    (regex.compile(rf"[{_CJK}]+"), 6),
    (regex.compile(rf"[{_SOUTHEAST}][{_SOUTHEAST}\p{{M}}]*"), 14),
)
_MANY, _LONG = 10, 0.6  # so many stretches tell by a mean of this part of that length already
_SHORT = 1 / 3  # the part that tells in a text of which a line has told
Tokenizer = Callable[[str], Sequence[str]]


class Token(NamedTuple):
    """A word or a mark, and where it stands in its line."""

    text: str
    start: int
    end: int


def lines_of_a_file() -> int:
    """How many lines are looked at of a file, for which there is no need to wait."""
    return 1000


@dataclass
class TextReader:
    """A reader of plain text, running or tokenized.

    Parameters
    ----------
    conventions : Conventions
        What is a word of its own.
    raw : bool, optional
        Whether the text is running text; by default as its punctuation says: where it stands
        alone between blanks the text counts as tokenized.
    tokenizer : callable, optional
        From a line to its words, in place of the conventions.
    known : container of str
        Words, such as a vocabulary; one that ends in a full stop keeps it.
    lookahead : callable
        How many lines are looked at before the first is cut: those that are there.

    Attributes
    ----------
    tokenized : bool or None
        What the text was found to be; None while no mark has said.
    cut : bool
        Whether any stretch without white space was found to be several words.
    unbroken : bool
        Whether a line was refused because nobody has cut it.

    Examples
    --------
    >>> reader = TextReader()
    >>> [s.words for s in reader.sentences("It's late. We (all) go.", "a.txt:1")]
    [('It', "'s", 'late', '.'), ('We', '(', 'all', ')', 'go', '.')]
    >>> print(reader)
    running text, cut into words as in English (n't 's 'm 'd 'll 're 've apart)
    """

    conventions: Conventions = ENGLISH
    raw: bool | None = None
    tokenizer: Tokenizer | None = None
    known: Container[str] = ()
    lookahead: Callable[[], int] = lines_of_a_file
    tokenized: bool | None = None
    cut: bool = False
    unbroken: bool = False

    def __post_init__(self) -> None:
        """Take what is named for decided."""
        if self.raw is not None:
            self.tokenized = not self.raw

    def decided(self, lines: Lines) -> Lines:
        """The lines, of which the first few have been looked at."""
        is_open = self.tokenized is None or self.raw
        first = list(islice(lines, self.lookahead())) if is_open else []
        texts = [line for _, line in first]
        self.decide(texts)
        self.unbroken |= len(_uncut("\n".join(texts), _LONG)) >= _MANY
        return chain(first, lines)

    def decide(self, lines: Sequence[str]) -> None:
        """Look at lines until it is clear whether the text is tokenized."""
        if self.tokenized is None and self.tokenizer is None:
            looks = [looks_tokenized(line) for line in lines]
            if looks.count(True) != looks.count(False):
                self.tokenized = looks.count(True) > looks.count(False)

    def sentences(self, line: str, source: str) -> list[Sentence]:
        """The sentences of one line, none of a blank one."""
        self.decide([line])
        if not line.strip():
            return []
        if self.tokenizer is not None:
            return self._by_tokenizer(self.tokenizer, line, source)
        if self.raw is None or not self.tokenized:
            self._check_broken(line, source)
        if self.tokenized:
            return [Sentence([clean_word(word, source) for word in line.split()], source=source)]

        tokens = tokenize(line, self.known, True, self.conventions)
        self.cut = self.cut or any(a.end == b.start for a, b in pairwise(tokens))
        parts = cut_sentences(line, tokens)
        return [to_sentence(line, part, self.conventions, source) for part in parts]

    def _by_tokenizer(self, tokenizer: Tokenizer, line: str, source: str) -> list[Sentence]:
        """The sentence that a line is, cut by a tokenizer that somebody has given."""
        try:
            texts = [word for word in tokenizer(line) if word.strip()]
        except ParameterError as error:
            raise ParameterError(f"{source}: {error}") from None
        if not texts:
            return []

        words = [clean_word(word, source) for word in texts]
        tokens = placed(line, texts)
        spans = None if tokens is None else [token[1:] for token in tokens]
        return [Sentence(words, source=source, text=line, spans=spans)]

    def _check_broken(self, line: str, source: str) -> None:
        """Raise CorpusError as :func:`check_broken`; once refused, of short lines, too."""
        try:
            check_broken(line, source, _SHORT if self.unbroken else 1)
        except CorpusError:
            self.unbroken = True
            raise

    def __str__(self) -> str:
        """One line for a person."""
        if self.tokenizer is not None:
            return "running text, cut into words by the tokenizer given"
        if self.tokenized:
            why = ": its punctuation stands alone" if self.raw is None else ""
            return f"tokenized text{why}"
        return f"running text, cut into words as in {self.conventions}"


def cut_sentences(line: str, tokens: Sequence[Token]) -> list[list[Token]]:
    """The tokens of a line, sentence by sentence."""
    final = _FINAL
    if regex.search(r"\p{Greek}", line):
        final = regex.compile(rf"{_FINAL.pattern}|;")
    parts: list[list[Token]] = []
    part: list[Token] = []
    has_ended = has_letters = False

    for token, behind in zip_longest(tokens, tokens[1:]):
        touches = not part or token.start == part[-1].end
        closes = token.text in _CLOSING and (touches or token.text not in _EITHER)
        may_begin = has_ended and not closes and (not touches or part[-1].text[-1] in _WIDE)
        if may_begin and _begins(token, behind):
            parts.append(part)
            part = []
            has_letters = False

        is_final = has_letters and final.fullmatch(token.text) is not None
        has_ended = is_final or (has_ended and closes)
        has_letters = has_letters or any(map(str.isalpha, token.text))
        part.append(token)

    if part:
        parts.append(part)
    return parts


def to_sentence(
    line: str, tokens: Sequence[Token], conventions: Conventions, source: str
) -> Sentence:
    """Tokens of a line as a sentence, spelt as the conventions have it."""
    begin = tokens[0].start
    end = tokens[-1].end
    words: list[str] = []
    spans: list[tuple[int, int]] = []

    for token in tokens:
        before = line[max(token.start - 1, 0) : token.start]
        after = line[token.end : token.end + 1]
        opens = after.strip() != "" and (not before.strip() or before in "([{-–—/“‘«")
        spelt = conventions.spelling(token.text, opens)
        words.extend(clean_word(word, source) for word in spelt)
        spans.extend([(token.start - begin, token.end - begin)] * len(spelt))
    return Sentence(
        words, source=source, text=line[begin:end], spans=spans, conventions=conventions
    )


def check_broken(line: str, source: str, part: float = 1) -> None:
    """Raise CorpusError if a line is text of a script without blanks that nobody has cut.

    ``part``: of the longest mean length of words, from which it is taken for that.
    """
    stretches = _uncut(line, part)
    if stretches:
        raise CorpusError(
            f"{source}: text without blanks between its words "
            f"({max(stretches, key=len)[:10]}…): cut it with a tokenizer of its language and "
            "give the words with blanks between them (--tokenized), or name the tokenizer with "
            "--tokenizer"
        )


def _uncut(text: str, part: float) -> list[str]:
    """The stretches of a script without blanks, if in the mean they are longer than words."""
    for pattern, longest in () if text.isascii() else _UNBROKEN:
        stretches: list[str] = pattern.findall(text)
        if sum(map(len, stretches)) > part * longest * len(stretches):
            return stretches
    return []


def placed(line: str, words: Sequence[str]) -> list[Token] | None:
    """Words as tokens of their line; None where the line does not hold them in this order."""
    tokens: list[Token] = []
    at = 0
    for word in words:
        start = line.find(word, at)
        if start < 0:
            return None
        at = start + len(word)
        tokens.append(Token(word, start, at))
    return tokens


def _begins(token: Token, behind: Token | None) -> bool:
    """Whether a sentence may begin with a token; with a dash unless a small letter follows it."""
    first = behind if token.text[0] in "-–—" else token
    return first is not None and not is_lower(first.text[0]) and first.text[0] not in ",;:.?!%-–—"


def tokenize(
    line: str,
    known: Container[str] = (),
    split: bool | None = None,
    conventions: Conventions = ENGLISH,
) -> list[Token]:
    """The tokens of a line, in order; every character that is no white space is in one.

    ``known``: words, such as a vocabulary; one that ends in a full stop keeps it before a capital.
    ``split``: whether tokens are looked for inside stretches without white space; by default unless
    the line looks tokenized already (:func:`looks_tokenized`).

    >>> [token.text for token in tokenize('"Well," said Mr. Fox, "I don\\'t know."')]
    ['"', 'Well', ',', '"', 'said', 'Mr.', 'Fox', ',', '"', 'I', 'do', "n't", 'know', '.', '"']
    >>> french = Conventions("ud", beginnings=("l'",), endings=("-il",), whole=("aujourd'hui",))
    >>> [token.text for token in tokenize("L'a-t-il vu aujourd'hui?", conventions=french)]
    ["L'", 'a-t', '-il', 'vu', "aujourd'hui", '?']
    """
    if split is None:
        split = not looks_tokenized(line)
    if conventions.name == "spaces" or not split:
        matches = regex.finditer(rf"[^{BLANK}]+", line)
        return [Token(match.group(), *match.span()) for match in matches]
    return _with_stops(line, list(_pieces(line, conventions)), known, conventions)


@cache
def abbreviations() -> frozenset[str]:
    """The abbreviations of ``grammars/abbreviations.tsv``, without their last full stop."""
    return frozenset(
        word for _, words in bundled_rows("abbreviations.tsv") for word in words.split()
    )


def looks_tokenized(line: str) -> bool | None:
    """Whether a line's punctuation looks set apart; None where no mark says either."""
    if _HANGING.search(line) is not None:
        return False
    return True if _STANDING.search(line) is not None else None


def is_lower(letter: str) -> bool:
    r"""Whether a letter is a small one that would be a capital at the beginning of a sentence.

    >>> is_lower("a"), is_lower("A"), is_lower("\N{GEORGIAN LETTER AN}")
    (True, False, False)
    """
    return letter.title() != letter


def _pieces(line: str, rules: Conventions) -> Iterator[Token]:
    """Words and marks, with beginnings and endings cut from their words."""
    for match in rules.piece.finditer(line):
        text = match.group()
        start = match.start()
        cuts: list[int] = []
        if any(map(text.__contains__, "'’-")):
            cuts = _places(text, rules)
        for a, b in pairwise([0, *cuts, len(text)]):
            yield Token(text[a:b], start + a, start + b)


def _places(text: str, rules: Conventions) -> list[int]:
    """Where a piece is cut: behind beginnings, before endings, and around hyphens if none stay."""
    if not text[0].isalnum() or fold(text) in rules.exceptions:
        return []
    places: list[int] = []
    start = 0
    end = len(text)
    while match := rules.beginning.match(text, start, end - 1):
        start = match.end()
        places.append(start)
    while match := rules.ending.search(text, max(start + 1, end - rules.longest), end):
        end = match.start()
        places.append(end)

    if not rules.hyphens:
        for match in _HYPHEN.finditer(text, start + 1, end):
            places += match.span()
    return sorted(places)


def _with_stops(
    line: str, pieces: Sequence[Token], known: Container[str], rules: Conventions
) -> list[Token]:
    """Full stops joined to the abbreviations that they belong to, and cut from last words."""
    words = [i for i, piece in enumerate(pieces) if any(map(str.isalnum, piece.text))]
    last = max(words, default=-1)
    is_cased = any(map(str.isupper, line))
    tokens = list(pieces[:1])

    for i, (before, piece) in enumerate(pairwise(pieces)):
        tokens.append(piece)
        is_stop = piece.text == "." and piece.start == before.end
        if not is_stop or i == last or not before.text[0].isalnum():
            continue
        word = f"{before.text}."
        behind = "".join(token.text[0] for token in pieces[i + 2 : i + 3])
        is_listed = word in known or fold(word) in rules.exceptions
        if is_listed or _is_abbreviation(before.text, behind, is_cased):
            tokens[-2:] = [Token(word, before.start, piece.end)]
    return tokens


def _is_abbreviation(word: str, behind: str, cased: bool) -> bool:
    """Whether a full stop in the middle of a line belongs to the word before it."""
    if not word[0].isalpha():
        return False
    if behind and ((cased and is_lower(behind)) or behind in ",;:?!"):
        return True
    return (len(word) == 1 and word.isupper()) or word in abbreviations()
