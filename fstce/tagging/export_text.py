"""The text that goes with an exported tagger: what the files are, and the commands that run them."""

from __future__ import annotations

from collections.abc import Sequence

from fstce.version import __version__

_BEST = (
    "fstcompose {sentence} emissions.fst | fstcompose - history.fst | fstshortestpath |\n"
    "        fstproject --project_type=output | fstrmepsilon | fsttopsort |\n"
    "        fstprint --acceptor --isymbols=tags.syms"
)
TITLE = "A tagger as two weighted transducers, written by fstce"
_README = """\
{title} {version}.

emissions.fst   word : tag; the weight is minus the score of the tag for the word
history.fst     tag : tag; the weight is minus the score of the tag {order}-gram, and the
                final weight the cost of ending the sentence there
words.syms      the words that emissions.fst reads, and their numbers
tags.syms       the tags, and their numbers
{given}
Weights are tropical, in nats. The commands are those of OpenFst (Debian: libfst-tools).

The best tags of a sentence:

    {best}

The tags of your own sentences, one a line in own.txt:

    farcompilestrings --symbols=words.syms --unknown_symbol='<unk>' --keep_symbols \\
        --generate_keys=4 --key_prefix=own own.txt own.far
    farextract --filename_suffix=.fst own.far
    {own}

A word that words.syms lacks is read as <unk>, which may take the tags that the dictionary
allows for unseen words. Its spelling is then lost; give fstce such sentences when it writes
this folder, and their words have arcs with the scores of their spelling.
"""
_GIVEN = "{far}   the {count:,} given sentences, which are also in {first} to {last}\n"


def readme(keys: Sequence[str], order: int, archive: str) -> str:
    """The text for a tagger of this order and sentences with these keys.

    ``keys``: the keys of the exported sentences, which are also their files' stems. ``archive``: the file
    that holds all the sentences.

    >>> "fstcompose 0001.fst emissions.fst" in readme(["0001"], 3, "sentences.far")
    True
    """
    own = "own0001.fst"
    files = [f"{key}.fst" for key in keys]
    given = _GIVEN.format(far=archive, count=len(files), first=files[0], last=files[-1]) if files else ""
    best, yours = (_BEST.format(sentence=name) for name in (files[0] if files else own, own))
    return _README.format(title=TITLE, version=__version__, order=order, given=given, best=best, own=yours)
