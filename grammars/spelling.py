"""The spelling features of a word: its last 1–3 characters, an initial capital, a hyphen, a digit.

Source: Smith & Eisner (2005a), §5.2; each is conjoined with a tag, so that what is
learned of ``-ing`` serves words the dictionary does not list.
To try: ``fstce tagger train --spelling …``
"""

from __future__ import annotations

SUFFIX_LENGTHS = (1, 2, 3)


def build(word: str) -> tuple[str, ...]:
    """The names of the features that a word has.

    >>> build("Mid-60s")
    ('suffix=s', 'suffix=0s', 'suffix=60s', 'capital', 'hyphen', 'digit')
    """
    suffixes = [f"suffix={word[-n:]}" for n in SUFFIX_LENGTHS if len(word) >= n]
    signs = {
        "capital": word[:1].isupper(),
        "hyphen": "-" in word,
        "digit": any(character.isdigit() for character in word),
    }
    return (*suffixes, *(name for name, present in signs.items() if present))
