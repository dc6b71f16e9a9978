"""Words as integers: the symbol table that every machine of a corpus shares.

Id 0 is ``<epsilon>``, as OpenFst demands. The other reserved symbols follow, then
the words in the order given. The readers reject words spelt like a reserved symbol.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import count

import numpy as np

from fstce.corpora.words import RESERVED, fault
from fstce.errors import MachineError
from fstce.machines.image import machine_of
from fstce.machines.openfst import pynini, pywrapfst
from fstce.numeric.types import Ints32, Words

EPSILON, SIGMA, START, END, UNKNOWN = RESERVED
SIGMA_ID, START_ID, END_ID, UNKNOWN_ID = 1, 2, 3, 4
FIRST_WORD_ID = len(RESERVED)


class Symbols:
    """The words of an alphabet Σ and their ids.

    Parameters
    ----------
    words : iterable of str
        The alphabet; repeated words count once, in the order of first mention.

    Raises
    ------
    MachineError
        A word is empty, holds white space, or is spelt like a reserved symbol.

    Examples
    --------
    >>> symbols = Symbols("the cat saw the dog".split())
    >>> list(symbols), symbols.ids(["cat", "dog"]).tolist()
    (['the', 'cat', 'saw', 'dog'], [6, 8])
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._words: tuple[str, ...] = RESERVED
        self._id: dict[str, int] = {}
        self._add(words)

    def extended(self, words: Iterable[str]) -> Symbols:
        """These words, and behind them those of others that are new.

        >>> list(Symbols(["the"]).extended(["cat", "the"]))
        ['the', 'cat']
        """
        symbols = Symbols(())
        symbols._words, symbols._id = self._words, self._id.copy()
        symbols._add(words)
        return symbols

    def _add(self, words: Iterable[str]) -> None:
        alphabet = tuple(word for word in dict.fromkeys(words) if word not in self._id)
        for word in alphabet:
            if (reason := fault(word)) is not None:
                raise MachineError(
                    f"{word!r} cannot be a word: {reason}; a word is a non-empty string without "
                    f"white space, and fstce reserves {', '.join(RESERVED)}"
                )
        self._id.update(zip(alphabet, count(len(self._words)), strict=False))
        self._words = (*self._words, *alphabet)

    @property
    def labels(self) -> range:
        """The ids of the alphabet's words, without the reserved symbols."""
        return range(FIRST_WORD_ID, len(self._words))

    def __len__(self) -> int:
        return len(self._words) - FIRST_WORD_ID

    def __iter__(self) -> Iterator[str]:
        return iter(self._words[FIRST_WORD_ID:])

    def __contains__(self, word: object) -> bool:
        return word in self._id

    def ids(self, words: Words, *, unknown: bool = False) -> Ints32:
        """Ids of `words`, shape (len(words),).

        Unknown words are ``<unk>`` if allowed, else an error.
        """
        if unknown:
            return np.array([self._id.get(word, UNKNOWN_ID) for word in words], dtype=np.int32)
        try:
            return np.array([self._id[word] for word in words], dtype=np.int32)
        except KeyError as error:
            raise MachineError(
                f"the word {error.args[0]!r} is not in the alphabet of {len(self)} words"
            ) from None

    def label(self, word: str) -> int:
        """The id of a word or of a reserved symbol; raises MachineError where it has none."""
        if word in RESERVED:
            return RESERVED.index(word)
        return int(self.ids([word])[0])

    def word(self, label: int) -> str:
        """The word with this id."""
        return self._words[label]

    def words_of(self, labels: Iterable[int]) -> list[str]:
        """The words with these ids.

        >>> Symbols("the cat saw".split()).words_of([6, 5])
        ['cat', 'the']
        """
        return list(map(self._words.__getitem__, labels))

    @cached_property
    def table(self) -> pywrapfst.SymbolTable:
        """The alphabet as an OpenFst symbol table, reserved symbols included."""
        table = pywrapfst.SymbolTable("fstce")
        for word in self._words:
            table.add_symbol(word)
        return table

    def any(self) -> pynini.Fst:
        """The acceptor of any one word, the ``?`` of the papers' figures."""
        return self.union(self.labels)

    def union(self, labels: Iterable[int]) -> pynini.Fst:
        """The acceptor of any one of the words with these ids."""
        label = np.fromiter(labels, dtype=np.int32)
        return machine_of([1], (0, label, label, 1))
