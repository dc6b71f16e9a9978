"""The neighborhood of a sentence: sentence ∘ transducer → lattice (Smith & Eisner 2005a, §4).

A transducer is built over the words of one sentence, so that its size depends on the
sentence and not on the vocabulary; a builder with a parameter ``sentence`` is given the
sentence, too, as the ids of its words in their order. A transducer that treats all words alike is
*equivariant*: renaming the words renames the neighbors. Its lattice is then computed
once for each pattern of repeated words and relabelled, which changes nothing else. With fstce's
own transducers a renaming may even make words equal, so those are composed once for each length.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from html import escape
from itertools import chain as chained
from itertools import count, islice
from typing import Any, ClassVar, TypeVar

import numpy as np

from fstce.corpora.vocabulary import Vocabulary, sample_vocabulary
from fstce.corpora.words import check_listable, fault, is_fit
from fstce.errors import CorpusError, FstceError, MachineError, NeighborhoodError
from fstce.machines import algebra
from fstce.machines.image import Arrays, arrays_to_const, arrays_to_fst, chain, fst_to_arrays
from fstce.machines.lattice import Lattice, accepts, is_minimal, linear
from fstce.machines.openfst import pynini
from fstce.machines.symbols import FIRST_WORD_ID, SIGMA_ID, Symbols
from fstce.neighborhoods.alphabet import Alphabet, Words
from fstce.neighborhoods.author import SentenceUse, sentence_use
from fstce.neighborhoods.first_use import MEGABYTES, PATIENCE, TRIED, beginning, try_in_child
from fstce.numeric.kernels import places
from fstce.numeric.types import Ints32, Rows, Sentences
from fstce.parameters.overview import Overview
from fstce.parameters.rules import shown
from fstce.parameters.tables import check_arguments

Self = TypeVar("Self", bound="Neighborhood")

Builder = Callable[..., "pynini.Fst"]
Sentence = tuple[int, ...]  # the ids of a sentence's words in an alphabet


class Neighborhood(metaclass=Overview):
    """Sentences that could have been said and were not: a transducer, applied to sentences.

    Parameters
    ----------
    build : callable
        From the alphabet of one sentence to its transducer; with a parameter ``sentence`` it is
        given the ids of the sentence's words, too, or None, if that is the default, for any
        sentence.
    name : str
        The name for messages and files.
    equivariant : bool
        Whether `build` treats all words alike, so that lattices may be shared.
    limit : int
        The number of states a lattice may have.
    introduces : sequence of str
        Words that the machine may introduce where the sentence has them not: the builder
        finds their ids in its alphabet, as far as the corpus has them at all.
    weighted : bool
        Whether the machine's weights, −log in nats, are part of the neighborhood (2005b,
        note 3); the weights of paths to one neighbor add up as probabilities. Without it a
        neighborhood is a set, and a machine with weights is refused.

    Attributes
    ----------
    patience, megabytes : float, int
        The seconds and the memory that a sentence may take when an author's machine is first
        used; see :meth:`try_first`.
    corpus_wide : bool
        Whether all sentences of a corpus share one lattice; False for transducers.
    spelt, infix : bool
        Whether the name is an expression, which stands within another as it is; whether it
        has an operator, so that brackets go around it there.

    Examples
    --------
    Those of the methods go on with this one.

    >>> from fstce import neighborhood
    >>> kind = neighborhood("trans1")
    >>> kind("a delicate thing".split()).count()
    3
    """

    corpus_wide = False
    spelt = False
    infix = False
    # A machine that is not fstce's own is tried in a child process on the first sentences: the
    # seconds that a sentence may take there, and the megabytes.
    _untried: bool
    _sentence_use: SentenceUse
    patience = PATIENCE
    megabytes = MEGABYTES
    # What makes a neighborhood of a sign and two: ``algebra``, which stands on this module.
    combination: ClassVar[Callable[[str, Any, Any], Neighborhood]]

    def __init__(
        self,
        build: Builder,
        name: str,
        *,
        equivariant: bool = False,
        limit: int = algebra.STATE_LIMIT,
        introduces: Sequence[str] = (),
        weighted: bool = False,
    ) -> None:
        check_arguments(
            build=build,
            name=name,
            equivariant=equivariant,
            limit=limit,
            introduces=introduces,
            weighted=weighted,
        )
        if equivariant and introduces:
            raise NeighborhoodError(
                f"{name} introduces words by name, so it does not treat all words alike"
            )

        self.build = build
        self.name = name
        self.equivariant = equivariant
        self.limit = limit
        self.introduces: tuple[str, ...] = tuple(dict.fromkeys(introduces))
        self.weighted = weighted
        self._remember()

    def __call__(self, words: Sequence[str], vocabulary: Iterable[str] = ()) -> Lattice:
        """The lattice of one sentence, over its own words and those of the vocabulary.

        A neighborhood that wants a vocabulary to take words from has here, where none was
        given, that of the bundled sample.
        """
        words, vocabulary = checked_words(words, vocabulary)
        concrete = self.for_text()
        return next(
            concrete.expand([words], Symbols([*words, *vocabulary, *concrete.introduced(words)]))
        )

    def expand(
        self, sentences: Sentences, symbols: Symbols, numbers: Iterable[int] | None = None
    ) -> Iterator[Lattice]:
        """The lattice of each sentence, in order; messages name them by `numbers`, or from 1.

        Parameters
        ----------
        sentences : iterable of sequences of str
            A sentence is a list of words.
        symbols : Symbols
            The ids of all words.
        numbers : iterable of int, optional
            The numbers of the sentences in messages.

        Yields
        ------
        Lattice

        Raises
        ------
        NeighborhoodError
            A sentence is empty, or does not belong to its own neighborhood.
        MachineError
            An operation failed, or a lattice exceeds the limit; names sentence and machine.

        Examples
        --------
        >>> from fstce.machines.symbols import Symbols
        >>> [lattice.count() for lattice in kind.expand([["a", "b"], ["b"]], Symbols(["a", "b"]))]
        [2, 1]
        """
        rows = iter(sentences)
        if self._untried:
            # Not all are taken at once: a corpus may be longer than memory.
            beginning_of_text = list(islice(rows, TRIED))
            self.try_first(beginning_of_text, symbols)
            rows = chained(beginning_of_text, rows)
        for number, sentence in numbered(rows, numbers):
            with naming(number, sentence):
                arrays = self.arrays_of(sentence, symbols)
            yield Lattice(arrays, symbols, f"sentence {number} ∘ {self.name}")

    def try_first(self, sentences: Rows, symbols: Symbols) -> None:
        """Try an author's machine on the first of these sentences, once, in a child process."""
        # Within a child of its own, as in a check, there is nothing left to guard.
        if self._untried and not multiprocessing.current_process().daemon:
            self._untried = False
            try_in_child(self, sentences[:TRIED], symbols)

    @property
    def user_defined(self) -> bool:
        """Whether the machine comes from outside fstce, so that nothing is known of it."""
        build = getattr(self.build, "func", self.build)  # of a partial one
        is_shipped = str(getattr(build, "__module__", None)).startswith("fstce.")
        return bool(getattr(build, "user_defined", not is_shipped))

    def equivariant_parts(self) -> Sequence[Neighborhood]:
        """The neighborhoods within whose author says that they treat all words alike."""
        is_claim = self.equivariant and self.user_defined and not hasattr(self.build, "equivariant")
        return [self] * is_claim

    @property
    def by_pattern(self) -> bool:
        """Whether lattices are those of :meth:`over`: made once for a pattern of repeated words."""
        cls = type(self)
        return cls.expand is Neighborhood.expand and cls.arrays_of is Neighborhood.arrays_of

    @property
    def wants_vocabulary(self) -> bool:
        """Whether a vocabulary is still to be given; False for what takes no words from one."""
        return False

    def with_vocabulary(self, vocabulary: Vocabulary) -> Neighborhood:
        """A copy over this vocabulary; itself where it takes no words from one."""
        return self

    def for_text(self, sentences: Sentences | None = None) -> Neighborhood:
        """A copy over a text's vocabulary, if one is wanted.

        Parameters
        ----------
        sentences : sequence of sequences of str, optional
            By default those of the bundled sample.

        Returns
        -------
        Neighborhood

        Examples
        --------
        >>> band = neighborhood("sub1band").for_text([["we", "swim"], ["you", "swim"]])
        >>> band("we swim".split()).accepts("you swim".split())
        True
        """
        if sentences is not None:
            check_listable(sentences, "sentences")
        if not self.wants_vocabulary:
            return self
        if sentences is None:
            return self.with_vocabulary(sample_vocabulary())
        return self.with_vocabulary(Vocabulary.of(sentences))

    @property
    def sentence_use(self) -> SentenceUse:
        """Whether the builder takes the sentence, and whether it can do without."""
        return self._sentence_use

    def machine_over(self, symbols: Symbols, sentence: Sentence | None = None) -> pynini.Fst:
        """The builder's machine over an alphabet, for a sentence or for any, as it is."""
        return self._built(symbols, sentence=sentence)

    def _built(self, *arguments: Any, sentence: Sentence | None, **options: Any) -> pynini.Fst:
        """The builder's machine; the builder is given the sentence where it takes one."""
        if sentence is not None and self.sentence_use is not SentenceUse.NEVER:
            options["sentence"] = sentence
        return self.build(*arguments, **options)

    def introduced(self, words: Sequence[str]) -> tuple[str, ...]:
        """The words that may come into a sentence of these words."""
        return self.introduces

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}

    def __setstate__(self, state: dict[str, object]) -> None:
        vars(self).update(state)
        self._remember()

    def _remember(self) -> None:
        self._transducer = lru_cache(maxsize=512)(self._checked_transducer)
        self._pattern = lru_cache(maxsize=8192)(self._pattern_lattice)
        self._sentence_use = sentence_use(self.build)
        self._untried = self.by_pattern and self.user_defined

    def _repr_html_(self) -> str:
        """For notebooks: the neighbors of the papers' example, if it has any by itself."""
        try:
            return self(["natural", "language", "is", "a", "delicate", "thing"])._repr_html_()
        except FstceError:
            return f"<code>{escape(repr(self))}</code>"

    def __repr__(self) -> str:
        return f"<Neighborhood {self.name}>"

    def __or__(self, second: Neighborhood) -> Neighborhood:
        """The neighbors of either."""
        return _combined("|", self, second)

    def __and__(self, second: Neighborhood) -> Neighborhood:
        """The neighbors of both."""
        return _combined("&", self, second)

    def __sub__(self, second: Neighborhood) -> Neighborhood:
        """The neighbors of the first that are not of the second, and the sentence itself."""
        return _combined("-", self, second)

    def __matmul__(self, second: Neighborhood) -> Neighborhood:
        """The second's neighbors of the first's neighbors."""
        return _combined("@", self, second)

    def changed(self: Self, **attributes: Any) -> Self:
        """A copy with other attributes, that remembers no lattice."""
        same = object.__new__(type(self))
        same.__setstate__({**self.__getstate__(), **attributes})
        return same

    def over(self, pattern: tuple[int, ...], words: Words) -> Arrays:
        """The lattice of a pattern of placeholder words, numbered from 0.

        Parameters
        ----------
        pattern : tuple of int
            The sentence: each word as its place among `words`.
        words : Words
            The sentence's words and others that have ids.

        Returns
        -------
        Arrays
            The lattice; its label ``FIRST_WORD_ID + i`` is word i.

        Examples
        --------
        >>> from fstce import neighborhood
        >>> lattice = neighborhood("trans1").over((0, 1), (("we", "fish"), ()))
        >>> len(lattice.next)
        4
        """
        return self._pattern(pattern, self._meaningless(words))

    def _meaningless(self, words: Words) -> Words:
        """Placeholders for the words where all are treated alike, else the words."""
        return placeholders(number_of(words)) if self.equivariant else words

    @property
    def has_transducer(self) -> bool:
        """Whether lattices are composed from one transducer a sentence."""
        return self.by_pattern and not isinstance(self.build, NoTransducer)

    @property
    def is_relation(self) -> bool:
        """Whether one transducer serves all sentences of some words, as those of a lattice."""
        return self.has_transducer and self.sentence_use is not SentenceUse.ALWAYS

    def transducer(self, words: Sequence[str], vocabulary: Iterable[str] = ()) -> pynini.Fst:
        """The transducer of one sentence, its symbols attached, sorted by input.

        ``vocabulary``: words that the corpus has besides the sentence's, for a machine that
        introduces some. Raises NeighborhoodError where there is none: halves, the training set,
        set operations.

        >>> fst = neighborhood("del1word").transducer("so it goes".split())
        >>> fst.input_symbols().find("goes"), fst.num_states()
        (7, 4)
        """
        return self._machines(words, vocabulary)[1]

    def stages(self, words: Sequence[str], vocabulary: Iterable[str] = ()) -> dict[str, pynini.Fst]:
        """Every machine on the way from a sentence to its lattice, its symbols attached.

        Parameters
        ----------
        words : sequence of str
            The sentence.
        vocabulary : iterable of str
            Words that the corpus has besides the sentence's.

        Returns
        -------
        dict of str to pynini.Fst
            The ``sentence``'s acceptor, the ``transducer``, the two ``composed``, ``projected`` to
            their output side, the same ``determinized`` after its ε are removed, and
            ``minimized``, which is the lattice.

        Raises
        ------
        NeighborhoodError
            There is no transducer; says so by name.

        Examples
        --------
        >>> stages = neighborhood("del1word").stages("so it goes".split())
        >>> list(stages)[2:4], stages["minimized"].num_states()
        (['composed', 'projected'], 5)
        """
        sentence, transducer = self._machines(words, vocabulary)
        where = f"sentence ({beginning(words)}) ∘ {self.name}"
        composed = algebra.compose(sentence, transducer, where, self.limit)
        projected = composed.copy().project("output")
        plain = algebra.without_epsilon(projected.copy(), where)

        lattice = algebra.without_empty_string(
            algebra.to_lattice(composed, where, self.limit), where
        )
        machines = {
            "sentence": sentence,
            "transducer": transducer,
            "composed": composed,
            "projected": projected,
            "determinized": algebra.determinize(plain, where, self.limit),
            "minimized": lattice,
        }

        for fst in machines.values():
            fst.set_input_symbols(sentence.input_symbols()).set_output_symbols(
                sentence.output_symbols()
            )
        return machines

    def _machines(
        self, words: Sequence[str], vocabulary: Iterable[str]
    ) -> tuple[pynini.Fst, pynini.Fst]:
        """A sentence's acceptor and transducer with their symbols."""
        words, vocabulary = checked_words(words, vocabulary)
        concrete = self.for_text()
        if not concrete.has_transducer:
            raise NeighborhoodError(
                f"{self.name} has no transducer of its own: its lattices are made without one; "
                "ask for a sentence's lattice"
            )
        over = words, (*vocabulary, *concrete.introduced(words))
        alphabet = Alphabet(*over)
        arc_type = "log64" if self.weighted else "standard"
        labels = alphabet.ids(list(words))
        concrete.try_first([words], Symbols([*words, *over[1]]))

        with naming(1, words):
            transducer = concrete._checked_transducer(over, tuple(labels.tolist()))
        sentence = arrays_to_fst(linear(labels), arc_type)
        for fst in (sentence, transducer):
            fst.set_input_symbols(alphabet.table).set_output_symbols(alphabet.table)
        return sentence, transducer

    def transducer_over(self, words: Words, sentence: Sentence | None = None) -> pynini.Fst:
        """The transducer over the sentence's words and others; sorted by input, no symbols.

        ``sentence``: for a builder that takes it; None for any.
        """
        if self.sentence_use is SentenceUse.NEVER:
            sentence = None
        return self._transducer(self._meaningless(words), sentence)

    def arrays_of(self, sentence: Sequence[str], symbols: Symbols) -> Arrays:
        """The lattice over placeholder words, its labels renamed to those of `symbols`."""
        number_of_word = places(dict.fromkeys(sentence))
        pattern = tuple(map(number_of_word.__getitem__, sentence))
        introduced = self.introduced(tuple(number_of_word))

        new_words = tuple(
            word for word in introduced if word in symbols and word not in number_of_word
        )
        arrays = self.over(pattern, (tuple(number_of_word), new_words))
        return with_ids(arrays, symbols.ids((*number_of_word, *new_words)))

    def _pattern_lattice(self, pattern: tuple[int, ...], words: Words) -> Arrays:
        """The lattice over placeholder words, which holds the sentence, for the contrast needs it.

        What fstce's own that treat all words alike do to a word depends on its place, whichever it
        is, as the suite knows: N(h(x)) is h(N(x)) for any renaming h, also one that makes words
        equal. So they are composed with different words, as many.
        """
        where = f"sentence ∘ {self.name}"
        labels = np.array(pattern, dtype=np.int32) + FIRST_WORD_ID
        different = tuple(range(len(pattern)))
        looks_at_places = self.equivariant and not self.user_defined
        if looks_at_places and pattern != different:
            arrays = self._pattern(different, placeholders(len(pattern)))
            alike = with_ids(arrays, labels)
            if is_minimal(alike):
                return fst_to_arrays(arrays_to_fst(alike).arcsort().topsort())
            lattice = algebra.determinize(arrays_to_const(alike), where, self.limit, small=True)
            return fst_to_arrays(lattice.minimize().topsort())

        arrays = self._composed(labels, words, where)
        if not looks_at_places and not accepts(arrays, labels):
            raise NeighborhoodError(
                f"{where}: the sentence is not in its own neighborhood; let the machine copy it"
            )
        return arrays

    def _composed(self, labels: Ints32, words: Words, where: str) -> Arrays:
        """Compose, project, determinize, minimize, exactly as the papers say."""
        sentence = chain(labels, "log64" if self.weighted else "standard")
        transducer = self.transducer_over(words, tuple(labels.tolist()))
        neighbours = algebra.compose(sentence, transducer, where, self.limit)
        # fstce's own have at most quadratically many states; another's may have 2^m.
        small = not self.user_defined and neighbours.num_states() ** 2 < self.limit
        lattice = algebra.to_lattice(neighbours, where, self.limit, small)
        return fst_to_arrays(algebra.without_empty_string(lattice, where))

    def _checked_transducer(self, words: Words, sentence: Sentence | None) -> pynini.Fst:
        alphabet = _alphabet(words)
        where = f"transducer {self.name}"
        try:
            fst = self.machine_over(alphabet, sentence)
        except SystemExit as error:  # of a function; files are guarded by their `Author`
            raise NeighborhoodError(f"{self.name}: the builder called exit({error.code})") from None
        if self.user_defined:
            fst = algebra.verified(fst, where)
            check_labels(fst_to_arrays(fst), alphabet.end, where)

        fst = algebra.in_log(fst) if self.weighted else algebra.unweighted(fst, where)
        plain = algebra.without_epsilon(fst.copy(), where)
        return algebra.nonempty(plain.arcsort("ilabel"), "builder", where)


class NoTransducer:
    """The builder of what has lattices but no single transducer."""

    def __call__(self, symbols: Symbols) -> pynini.Fst:
        """Raise NeighborhoodError."""
        raise NeighborhoodError(
            "what is made of lattices has no transducer of its own; ask for a sentence's lattice"
        )


def numbered(
    sentences: Sentences, numbers: Iterable[int] | None
) -> Iterator[tuple[int, Sequence[str]]]:
    """Each sentence with its number, by default from 1; NeighborhoodError at an empty one."""
    for number, sentence in zip(numbers or count(1), sentences, strict=False):
        if not len(sentence):
            raise NeighborhoodError(f"sentence {number} is empty and has no neighborhood")
        yield number, sentence


@contextmanager
def naming(number: int, sentence: Sequence[str]) -> Iterator[None]:
    """Name the sentence in what goes wrong in the block.

    >>> with naming(3, "a b".split()):
    ...     raise NeighborhoodError("there is no neighbor")
    Traceback (most recent call last):
    fstce.errors.NeighborhoodError: sentence 3 (a b): there is no neighbor
    """
    try:
        yield
    except (MachineError, NeighborhoodError) as error:
        raise type(error)(f"sentence {number} ({beginning(sentence)}): {error}") from None


def _combined(operation: str, first: Neighborhood, right: Neighborhood) -> Neighborhood:
    if not isinstance(right, Neighborhood):
        return NotImplemented
    return Neighborhood.combination(operation, first, right)


def with_ids(lattice: Arrays, ids: Ints32) -> Arrays:
    """The lattice whose i-th word has the i-th of these ids."""
    label = np.append(np.arange(FIRST_WORD_ID), ids).astype(np.int32)[lattice.ilabel]
    return lattice._replace(ilabel=label, olabel=label)


def check_labels(arrays: Arrays, end: int, where: str) -> None:
    """Raise MachineError where a label is neither ε, ``<sigma>`` nor a word."""
    labels = np.union1d(arrays.ilabel, arrays.olabel)
    reserved = labels[(labels > SIGMA_ID) & (labels < FIRST_WORD_ID)]
    if len(reserved):
        raise MachineError(
            f"{where}: label {reserved[0]} is a reserved symbol, not a word: ids of words begin at "
            f"{FIRST_WORD_ID}, for 0 is ε; use symbols.labels"
        )

    strange = labels[(labels < 0) | (labels >= end)]
    if len(strange):
        raise MachineError(
            f"{where}: label {strange[0]} is no word of the sentence; build from symbols.any() and "
            "symbols.union(labels), for a string in pynini stands for its bytes"
        )


def checked_words(
    words: Sequence[str], vocabulary: Iterable[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of a sentence, and words besides them; raises CorpusError where they are none."""
    checked = []
    for name, items in (("words", words), ("vocabulary", vocabulary)):
        if isinstance(items, str):
            raise CorpusError(f"{name}={shown(items)} is one string; give a list of words")
        check_listable(items, name)
        checked.append(tuple(items))
        for word in checked[-1]:
            if not is_fit(word):
                raise CorpusError(
                    f"{name}={shown(items)}: {word!r} cannot be a word: {fault(word)}"
                )

    if not checked[0]:
        raise CorpusError(f"words={shown(words)}: give at least one word, in a list")
    return checked[0], checked[1]


def number_of(words: Words) -> int:
    """How many words have ids."""
    return len(words[0]) + len(words[1])


@lru_cache
def _alphabet(words: Words) -> Alphabet:
    """The alphabet of a sentence's words and others: of placeholders the same many times."""
    return Alphabet(*words)


@cache
def placeholders(number: int) -> Words:
    """Words without meaning, for what treats all words alike.

    >>> placeholders(2)
    (('x1', 'x2'), ())
    """
    return tuple(f"x{i}" for i in range(1, number + 1)), ()
