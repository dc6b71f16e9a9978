r"""What lookups print: a word and an analysis a line, as a dictionary can be made of them.

``hfst-lookup`` and ``flookup -x`` write word, tab, analysis, perhaps a tab and a weight, and empty
lines between words; ``lt-expand`` writes ``word:lemma<tag>``, with ``:<:`` where a form is only
generated. Apertium's analyses of a word may stand in one line, with slashes between them. A word
without an analysis has ``+?``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

_LOOKED_UP = re.compile(
    r"(?:> )?(?P<word>[^\t]+)\t(?P<side>)(?P<analysis>[^\t]+)"
    r"(?:\t(?P<weight>[-+]?\d[\d.,]*(?:e[-+]?\d+)?|[-+]?inf(?:inity)?|\+\?))?",
    re.IGNORECASE,
)
_EXPANDED = re.compile(
    r"(?P<word>:|(?:\\.|[^:\\\t])+):(?:(?P<side>[<>]):)?(?P<analysis>(?!\s)[^\t]*?<[^<>\s]+>[^\t]*)"
    r"(?P<weight>)"
)
_SYMBOL = re.compile(r"<[^<>]+>|\+[^+<>\[\]#^\s]+|\[[^\[\]]+\]")
_READINGS = re.compile(r"(?<=>)/(?=.)")  # between the analyses of Apertium in one line
_ESCAPED = re.compile(r"\\(.)")
_UNKNOWN = "+?"


def is_lookup(lines: Sequence[str]) -> bool:
    r"""Whether lines are a lookup's: words with analyses, of which half begin as the word.

    >>> is_lookup(["cups\tcup+N+Pl\t0.0"]), is_lookup(["cups:cup<n><pl>"])
    (True, True)
    >>> is_lookup(["cups\tN+Pl"])
    False
    """
    rows = [line.rstrip() for line in lines if line.strip()]
    if not rows:
        return False
    if all(map(_EXPANDED.fullmatch, rows)):
        return True

    matches = [_LOOKED_UP.fullmatch(row) for row in rows]
    n_alike = n_analysed = 0
    for match in matches:
        if match is None:
            return False
        word = match["word"].casefold()
        analysis = match["analysis"].casefold()
        is_unknown = _UNKNOWN in (analysis[-2:], match["weight"])
        n_alike += is_unknown or word[0] == analysis[0]
        n_analysed += is_unknown or _SYMBOL.search(analysis, 1) is not None
    return n_analysed == len(rows) and 2 * n_alike >= len(rows)


def looked_up(lines: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Each analysed word, with the first symbol like a tag of one of its analyses."""
    for line in lines:
        row = line.rstrip()
        match = _EXPANDED.fullmatch(row) or _LOOKED_UP.fullmatch(row)
        if match is None or match["side"] == "<":
            continue
        word, analysis = match["word"], match["analysis"]
        if _UNKNOWN in (analysis[-2:], match["weight"]):
            continue
        if match.re is _EXPANDED:  # a backslash makes any letter an ordinary one
            word = _ESCAPED.sub(r"\1", word)
            analysis = _ESCAPED.sub("_", analysis)

        for reading in _READINGS.split(analysis):
            symbol = _SYMBOL.search(reading, 1)
            if symbol and symbol[0].strip("+<>[]"):
                yield word, [symbol[0].strip("+<>[]")]
