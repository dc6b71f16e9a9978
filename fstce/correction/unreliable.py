"""Which words of an uncleaned text are hardly words: mistakes that would be known for ever.

Raw text has mistakes of its own. A word that the text has once, and the lexicon has not, is no
evidence of a word; nor is one that is rare beside a neighbour, one edit away, that is frequent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fstce.corpora.affixes import is_spelt
from fstce.correction.mistakes.candidates import Candidates

RARE = 3  # times, at most, that a mistake is made
SHORTEST = 5  # letters of a word that is doubted for its neighbour alone; short words have many
COVERED = 0.8
LISTED_RATIO, RATIO = 30, 300  # how much more frequent the neighbour is, with a lexicon and without


def unreliable_words(counts: Mapping[str, int], listed: Callable[[str], bool] | None = None) -> set[str]:
    """The words of a text that are taken for unknown ones.

    ``counts``: the words of the text and how often it has them. ``listed``: whether the lexicon has a word,
    in any case. Without one, or with one that lacks more than a fifth of the words that are no rare ones,
    only a frequent neighbour speaks against a word.

    >>> counts = {"because": 400, "becuase": 1, "beacon": 1, "unheard": 1}
    >>> sorted(unreliable_words(counts))
    ['becuase']
    >>> sorted(unreliable_words(counts, lambda word: word in {"because", "beacon"}))
    ['becuase', 'unheard']
    """
    if listed is not None and not _covers(listed, counts):
        listed = None
    rare = [word for word, count in counts.items() if count <= RARE and is_spelt(word)]
    if listed is not None:
        rare = [word for word in rare if not listed(word)]
    once = {word for word in rare if listed is not None and counts[word] == 1}
    asked = [word for word in rare if word not in once and len(word) >= SHORTEST]
    if not asked:
        return once
    ratio = RATIO if listed is None else LISTED_RATIO
    frequent = {word: count for word, count in counts.items() if count >= ratio}
    if not frequent:
        return once
    found = Candidates(frequent, 1, damerau=True, variants=False).of(asked)
    return once | {
        word
        for word, rows in found.items()
        if any(other.frequency >= ratio * counts[word] for other in rows[1:])
    }


def _covers(listed: Callable[[str], bool], counts: Mapping[str, int]) -> bool:
    """Whether a lexicon has most of a text's words, as one of a language has, and one of terms has not."""
    common = [word for word, count in counts.items() if count > RARE and is_spelt(word)]
    return sum(map(listed, common)) >= COVERED * len(common)
