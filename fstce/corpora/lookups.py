r"""What lookups print: a word and an analysis a line, as a dictionary can be made of them.

``hfst-lookup`` and ``flookup`` write word, tab, analysis, perhaps a tab and a weight, and empty
lines between words; ``flookup -i`` the analysis first; ``lt-expand`` writes ``word:lemma<tag>``,
with ``:<:`` where a form is only generated. Apertium's analyses of a word may stand in one line,
with slashes between them. A word without an analysis has ``+?``, or nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import regex

from fstce.errors import CorpusError

_ROW = regex.compile(
    r"(?:> )*+(?:"
    # generated: symbols in the first column, none in the second
    r"(?P<analysis>[^\t]++)(?<=[^\t+](?:\+[A-Z\d][^\s+]*|[<⟨][^<>⟨⟩]+[>⟩]|\[[^\[\]]+\]))"
    r"\t(?P<word>[^\t+<⟨\[]++|[^\t]*\+\?)(?:\t(?P<weight>[^\t]*))?"
    r"|(?P<word>[^\t]++)\t(?P<analysis>[^\t]*+)"
    r"(?:\t(?P<weight>[-+]?\d[\d.,]*(?:e[-+]?\d+)?|[-+]?(?i:inf(?:inity)?)|\+\?|))?"
    # of lt-expand
    r"|(?P<word>:|(?:\\.|[^:\\\t\0])++):(?:(?P<side>[<>]):)?(?P<analysis>(?!\s)[^\t]+))"
)
_SYMBOL = regex.compile(r"[<⟨][^<>⟨⟩]+[>⟩]|\+[^+<>\[\]#^\s]+|\[[^\[\]]+\]")
_LEMMA_AND_SYMBOL = regex.compile(r"[^<⟨\[+A-Z\s]+(?:[<⟨\[]|\+[A-Z])")
_READINGS = regex.compile(r"(?<=>)/(?=.)")  # between the analyses of Apertium in one line
_ESCAPED = regex.compile(r"\\(.)")


def is_lookup(lines: Iterable[str]) -> bool:
    r"""Whether lines are a lookup's: words with analyses, of which half begin as the word or tell.

    >>> is_lookup(["cups\tcup+N+Pl\t0.0"]), is_lookup(["cups:cup<n><pl>"])
    (True, True)
    >>> is_lookup(["went\tgo+V"]), is_lookup(["cup+N+Pl\tcups"]), is_lookup(["cups\tN+Pl"])
    (True, True, False)
    """
    n_analysed = n_alike = 0
    for _, match in _rows(lines):
        if match is None:
            return False
        analysis = match["analysis"]
        is_unknown = _is_unknown(match)
        if is_unknown or _SYMBOL.search(analysis, 1):
            n_analysed += 1
            n_alike += (
                is_unknown
                or match["word"][0].casefold() == analysis[0].casefold()
                or bool(_LEMMA_AND_SYMBOL.match(analysis))
            )
        elif analysis and "\t" in match[0]:
            return False
    return 0 < n_analysed <= 2 * n_alike


def _rows(lines: Iterable[str]) -> Iterator[tuple[int, regex.Match[str] | None]]:
    """The numbers of lines that are not blank, and what they match."""
    for number, line in enumerate(lines, 1):
        if row := line.rstrip("\r\n "):
            yield number, _ROW.fullmatch(row)


def _is_unknown(match: regex.Match[str]) -> bool:
    """Whether a row says that its word has no analysis."""
    return "+?" in match[0] and "+?" in (
        match["word"][-2:],
        match["analysis"][-2:],
        match["weight"],
    )


def looked_up(lines: Sequence[str], name: str) -> Iterator[tuple[str, list[str]]]:
    """Each analysed word, with the first symbol like a tag of one of its analyses.

    Raises CorpusError, with the line, for one that is no row.
    """
    for number, match in _rows(lines):
        if match is None:
            raise CorpusError(
                f"{name}:{number}: no word, tab, analysis, as the lines before it; take it out"
            )
        word, analysis = match["word"], match["analysis"]
        # What lt-expand writes as __REGEXP__ stands for many words.
        if match["side"] == "<" or word.startswith("__REGEXP__") or _is_unknown(match):
            continue
        if "\t" not in match[0]:  # a backslash makes any letter an ordinary one
            word = _ESCAPED.sub(r"\1", word)
            analysis = _ESCAPED.sub("_", analysis)

        for reading in _READINGS.split(analysis):
            symbol = _SYMBOL.search(reading, reading[:1] == word[:1])
            if symbol and (tag := symbol[0].strip("+<>[]⟨⟩")):
                yield word, [tag]
