"""A small language of syllables, its words with counts, and what its writers mistype."""

from __future__ import annotations

import random

CHOICE = random.Random(7)


SYLLABLES = [a + b for a in "bdgklmnprst" for b in ("a", "e", "i", "o", "u", "á", "ie", "uo")]


def word() -> str:
    return "".join(CHOICE.choices(SYLLABLES, k=CHOICE.choice((2, 3)))) + CHOICE.choice(
        ("", "t", "n", "id")
    )


def mistyped(intended: str) -> str:
    """An accent forgotten, g for k, p for d, one letter for a diphthong; now and then any other."""
    for right, wrong in (("á", "a"), ("k", "g"), ("d", "p"), ("uo", "a"), ("ie", "e")):
        if right in intended and CHOICE.random() < 0.6:
            return intended.replace(right, wrong, 1)
    place = CHOICE.randrange(len(intended))
    return intended[:place] + CHOICE.choice("aeioubdgkl") + intended[place + 1 :]


LEXICON = {word(): CHOICE.randrange(50) for _ in range(3000)}


PAIRS = [(mistyped(intended), intended) for intended in CHOICE.sample(sorted(LEXICON), 300)]


PAIRS = [(observed, intended) for observed, intended in PAIRS if observed != intended]


TRAINING, TEST = PAIRS[:200], PAIRS[200:]
