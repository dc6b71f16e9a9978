"""The alphabet over which the transducer of one sentence is built."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fstce.errors import MachineError
from fstce.machines.symbols import FIRST_WORD_ID, Symbols
from fstce.numeric.types import Ints32

# The words of a sentence and those that a machine may introduce.
Words = tuple[tuple[str, ...], tuple[str, ...]]


class Alphabet(Symbols):
    """The words of a sentence, and others that have ids but that no ``any()`` stands for.

    Parameters
    ----------
    words, others : iterable of str

    Examples
    --------
    >>> alphabet = Alphabet(["a", "thing"], ["the"])
    >>> list(alphabet), "the" in alphabet, alphabet.any().num_arcs(0)
    (['a', 'thing'], True, 2)
    """

    def __init__(self, words: Iterable[str], others: Iterable[str] = ()) -> None:
        distinct = tuple(dict.fromkeys(words))
        super().__init__((*distinct, *others))
        self._size = len(distinct)

    def ids(self, words: Sequence[str], *, unknown: bool = False) -> Ints32:
        """Ids of words; of one that the sentence has not the error says what a builder can do."""
        try:
            return super().ids(words, unknown=unknown)
        except MachineError as error:
            raise MachineError(
                f"{error}, which are the sentence's; a machine that introduces a word says so by "
                "INTRODUCES = [...], and asks `if word in symbols`, for a corpus may not have it"
            ) from None

    @property
    def labels(self) -> range:
        """The ids of the sentence's words."""
        return range(FIRST_WORD_ID, FIRST_WORD_ID + self._size)

    @property
    def end(self) -> int:
        """The first id that no word has."""
        return len(self._words)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[str]:
        return iter(self._words[FIRST_WORD_ID : FIRST_WORD_ID + self._size])
