"""Hunspell itself: what its library accepts, and little dictionaries made at random to ask it about."""

from __future__ import annotations

import ctypes
import ctypes.util
import random
from collections.abc import Iterable
from pathlib import Path

LIBRARY = ctypes.util.find_library("hunspell-1.7")
ROLES = ("NEEDAFFIX", "ONLYINCOMPOUND", "CIRCUMFIX")
FLAGS = "ABCD"


class Hunspell:
    """The library with one dictionary."""

    def __init__(self, dic: Path) -> None:
        self.library = ctypes.CDLL(LIBRARY)
        self.library.Hunspell_create.restype = ctypes.c_void_p
        self.library.Hunspell_create.argtypes = [ctypes.c_char_p] * 2
        self.library.Hunspell_spell.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
        self.library.Hunspell_get_dic_encoding.argtypes = [ctypes.c_void_p]
        self.library.Hunspell_get_dic_encoding.restype = ctypes.c_char_p
        self.library.Hunspell_destroy.argtypes = [ctypes.c_void_p]
        self.handle = self.library.Hunspell_create(bytes(dic.with_suffix(".aff")), bytes(dic))
        name = self.library.Hunspell_get_dic_encoding(self.handle).decode().lower()
        self.encoding = name.removeprefix("microsoft-").replace("tis620-2533", "tis-620")

    def accepted(self, words: Iterable[str]) -> list[str]:
        """The words that it accepts."""
        return [word for word in words if self._spell(word.encode(self.encoding))]

    def _spell(self, word: bytes) -> bool:
        return bool(self.library.Hunspell_spell(self.handle, word))

    def __del__(self) -> None:
        self.library.Hunspell_destroy(self.handle)


def random_dictionary(seed: int, letters: str = "ab") -> tuple[str, str]:
    """The text of an ``.aff`` and of a ``.dic`` file over two letters."""
    rng = random.Random(seed)
    a, b = letters
    edges = [".", a, b, f"[{a}{b}]", f"[^{a}]"]
    conditions = [*edges, f"{b}[{a}{b}]", f"{a}.", f"[^{a}].", f"{b}[^{a}]"]
    roles = {role: flag for role, flag in zip(ROLES, "xyz", strict=True) if rng.random() < 0.4}
    lines = ["SET UTF-8", "BREAK 0", *(f"{role} {flag}" for role, flag in roles.items())]
    lines += ["FULLSTRIP"] * (rng.random() < 0.3) + ["COMPLEXPREFIXES"] * (rng.random() < 0.2)

    def flags(most: int, among: str = FLAGS) -> str:
        return "".join(sorted({*rng.choices([*among, *roles.values()], k=rng.randint(1, most))}))

    for flag in FLAGS:
        for kind in rng.choice((["SFX"], ["PFX"], ["SFX", "PFX"])):
            lines.append(f"{kind} {flag} {rng.choice('YYN')} 2")
            for _ in range(2):
                strip, add = rng.choice(["0", "0", a, b]), rng.choice(["0", a, b, a + b, b + a])
                # A prefix and a suffix that lead to each other need no flag of the stem's: left out.
                leads = rng.choice(["", f"/{flags(2, FLAGS if kind == 'SFX' else 'w')}"])
                asked = rng.choice(conditions)
                # Behind a letter that it compared hunspell takes the end of a word for any other.
                if kind == "PFX" and asked in (f"{a}.", f"{b}[^{a}]"):
                    asked = f"{b}[{a}{b}]"
                lines.append(f"{kind} {flag} {strip} {add}{leads} {asked}")

    # Of several stems of a form hunspell asks one whether it is for compounds alone: here none is.
    stems = ["".join(rng.choices(letters, k=rng.randint(1, 3))) for _ in range(3)]
    entries = [f"{stem}/{flags(4)}".replace("y", "") for stem in stems]
    return "\n".join(lines) + "\n", "\n".join(["3", *entries]) + "\n"
