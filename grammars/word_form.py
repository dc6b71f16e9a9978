"""The form of a word, for guessing its tags: affixes of 1 to 5 characters, capitals, signs, length.

Source: the features of taggers for unknown words since Ratnaparkhi (1996), at both ends of
the word, since languages inflect at either; no list of affixes is needed.
To try: ``Tagger(guess=True)``, the default, and a dictionary that does not list all words
"""

from __future__ import annotations

AFFIX_LENGTHS = (1, 2, 3, 4, 5)
LONGEST = 8


def build(word: str) -> tuple[str, ...]:
    """The names of the features that a word has.

    Examples
    --------
    >>> build("Un-do")
    ('length=5', 'prefix=U', 'suffix=o', 'prefix=Un', 'suffix=do', 'prefix=Un-', 'suffix=-do', \
'prefix=Un-d', 'suffix=n-do', 'prefix=Un-do', 'suffix=Un-do', 'capital', 'hyphen')
    """
    affixes = (
        name
        for n in AFFIX_LENGTHS
        if len(word) >= n
        for name in (f"prefix={word[:n]}", f"suffix={word[-n:]}")
    )
    mixed = not word.isalpha()  # most words are letters alone, which need no second look
    signs = {
        "capital": word[:1].isupper(),
        "capitals": len(word) > 1 and word.isupper(),
        "digit": mixed and any(map(str.isdigit, word)),
        "hyphen": "-" in word,
        "no-letter": mixed and not any(map(str.isalpha, word)),
    }
    return (f"length={min(len(word), LONGEST)}", *affixes, *(name for name, is_so in signs.items() if is_so))
