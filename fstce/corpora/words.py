"""What a word may be: no reserved spelling, no white space inside.

Machines number their symbols, and the spellings in :data:`RESERVED` are symbols with a
meaning of their own; a corpus word spelt like one would silently become it. Symbol files
separate their columns by white space, so a word holds none.
"""

from __future__ import annotations

import re

from fstce.errors import CorpusError

RESERVED = ("<epsilon>", "<sigma>", "<s>", "</s>", "<unk>")
_SPACE = re.compile(r"\s+")
_UNFIT = re.compile(r"\s|\A(?:" + "|".join(map(re.escape, RESERVED)) + r")\Z")


def is_fit(word: str) -> bool:
    """Whether a word can be a symbol as it stands.

    >>> is_fit("dog"), is_fit("<s>"), is_fit("New York")
    (True, False, False)
    """
    return _UNFIT.search(word) is None


def clean_word(word: str, where: str) -> str:
    """The word (or tag) with each stretch of inner white space written ``_``.

    Parameters
    ----------
    word : str
        A word or a tag as the file spells it.
    where : str
        File and line, for the message.

    Returns
    -------
    str
        A spelling without white space.

    Raises
    ------
    CorpusError
        The word is spelt like a reserved symbol.

    Examples
    --------
    >>> clean_word("10\\N{NO-BREAK SPACE}000", "prices.conllu:7")
    '10_000'
    """
    if word in RESERVED:
        raise CorpusError(f"{where}: {word!r} is a reserved symbol; spell the word differently in the corpus")
    return word if is_fit(word) else _SPACE.sub("_", word)
