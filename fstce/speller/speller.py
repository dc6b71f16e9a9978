"""The speller: an estimator of an error model, next to the lexicon that it was learned with."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Any, ClassVar, Literal, NamedTuple
from unicodedata import normalize

from fstce.corpora.casing import capitals
from fstce.errors import ParameterError
from fstce.estimation.estimator import Estimator
from fstce.machines.files import read_fst
from fstce.machines.openfst import pynini
from fstce.parameters.rules import POSITIVE, Table
from fstce.speller.error_model import OTHER, ErrorModel
from fstce.speller.lexicon import LONGEST, Lexicon, acceptor, lexicon_of, strings
from fstce.speller.parameters import SPELLER
from fstce.storage.state import State, text_file

LEXICON = "lexicon.fst"
ERRORS = "errors.json"


class Suggestion(NamedTuple):
    """A word that may have been intended.

    Attributes
    ----------
    word : str
    cost : float
        Of the cheapest way to mistype it so, and of the word itself, in nats.
    """

    word: str
    cost: float


class Search:
    """Observed word ∘ error model ∘ lexicon, for one word after another: the cheapest outputs."""

    def __init__(self, errors: ErrorModel, lexicon: Lexicon, exponent: float) -> None:
        labels = lexicon.labels()
        self.form: Literal["NFC", "NFD"] = lexicon.form
        self.errors: Any = errors.machine(labels)
        self.lexicon: Any = lexicon.raised(exponent)
        self.cases = lexicon.cases
        self._known = {*labels, *map(ord, errors.letters)}

    def __call__(self, typed: str, number: int) -> list[Suggestion]:
        """At most so many other words, cheapest first; of equal ones first in the alphabet.

        What is typed with capitals is searched in small letters, too, and what is found has its
        capitals, of mixed ones (``fRIEND``, ``FreInd``) the first.
        """
        if len(typed) > LONGEST:
            return []
        observed = normalize(self.form, typed)
        small = self.cases.lower(observed)
        casing = capitals(observed)
        spellings = {observed}
        if observed != small:
            casing = casing or ("first" if observed[:1].isupper() else "")
            spellings |= {small, self.cases.capitalized(small, "first")}

        costs: dict[str, float] = {}
        rows = [row for spelling in spellings for row in self.as_typed(spelling, number)]
        if len(rows) < number:  # there is room for an acronym in small letters
            rows += self.as_typed(self.cases.upper(observed), number)
        # Other capitals are no error of letters, however many they are.
        for row in (*sorted(rows, key=_by_cost), *self.in_any_case(observed)):
            word = normalize("NFC", self.cases.capitalized(row.word, casing))
            if word != normalize("NFC", typed):
                costs.setdefault(word, row.cost)
        return sorted((Suggestion(*item) for item in costs.items()), key=_by_cost)[:number]

    def has(self, typed: str) -> bool:
        """Whether a word may be typed so: as it is, or with capitals, first or all."""
        observed = normalize(self.form, typed)
        return any(self.cases.allows(row.word, observed) for row in self.in_any_case(observed))

    def in_any_case(self, observed: str) -> list[Suggestion]:
        """The words that differ from one in capitals alone, if at all."""
        alike = pynini.compose(acceptor(list(map(ord, observed))), self.cases.alike)
        listed = pynini.compose(alike.project("output"), self.lexicon)
        return [Suggestion(*row) for row in strings(listed.rmepsilon())]

    def as_typed(self, observed: str, number: int) -> list[Suggestion]:
        """At most so many words, whatever capitals there are."""
        code_points = list(map(ord, observed))
        labels = [label if label in self._known else OTHER for label in code_points]
        edited = pynini.compose(acceptor(labels), self.errors).arcsort("olabel")
        outputs = pynini.compose(edited, self.lexicon).project("output").rmepsilon()
        best = pynini.shortestpath(outputs, nshortest=number + 1, unique=True)
        rows = [Suggestion(word, cost) for word, cost in strings(best) if word != observed]
        return sorted(rows, key=_by_cost)[:number]


def _by_cost(row: Suggestion) -> tuple[float, str]:
    return row.cost, row.word


@dataclass(repr=False)
class Speller(Estimator):
    """A speller learned from typos: which words of a lexicon may have been intended.

    The error model is a transducer whose weights are learned by contrast: the intended word over
    the others that a speller would suggest, its neighborhood. Edits are of letters, by kind, class
    and place in the word, and of strings (Brill & Moore 2000).

    Attributes
    ----------
    errors_ : ErrorModel
        What edits cost.
    exponent_ : float
        Of the lexicon's own weights.
    lexicon_ : Lexicon
        The words.
    reached_ : int
        How many typos had their right form among the candidates.

    Examples
    --------
    >>> from fstce import Speller
    >>> words = ["receive", "relieve", "believe", "achieve", "beehive"]
    >>> speller = Speller().fit([("recieve", "receive"), ("acheive", "achieve")], words)
    >>> speller.predict(["beleive"])
    [['believe', 'beehive', 'relieve', 'receive']]
    """

    rules: ClassVar[Table] = SPELLER
    KIND: ClassVar[str] = "speller"
    SIZES: ClassVar[Mapping[str, str]] = {
        "errors_.letters": "letters",
        "errors_.strings": "edits of strings",
        "lexicon_.arrays.source": "arcs of the lexicon",
    }

    candidates: int = 40
    penalty: float = 1.0

    errors_: ErrorModel = field(init=False)
    exponent_: float = field(init=False)
    lexicon_: Lexicon = field(init=False)
    reached_: int = field(init=False)

    def fit(
        self,
        typos: Iterable[tuple[str, str]],
        lexicon: Any,
        *,
        progress: Callable[[int], None] | None = None,
    ) -> Speller:
        """Learn from typos and a lexicon.

        Parameters
        ----------
        typos : iterable of (str, str)
            Observed and intended. What was observed and never intended is no word of the lexicon.
        lexicon : mapping of str to int, iterable of str, path, several paths, or Fst
            Counts, words, a file of :mod:`fstce.speller.lexicon`, or an acceptor over code points.
        progress : callable, optional
            Called with the number of typos whose candidates are known.

        Returns
        -------
        Speller

        Raises
        ------
        ParameterError
            No typo's right form is in the lexicon and within two edits.

        Examples
        --------
        >>> from fstce import Speller
        >>> Speller().fit([("teh", "the")], ["the", "ten", "tea"]).predict(["teh"])
        [['the', 'ten', 'tea']]
        """
        from fstce.speller.contrast import EXPONENT, PRIOR, learnt  # nothing else needs SciPy's

        self._check_parameters()
        pairs = [(str(observed), str(intended)) for observed, intended in typos]
        words = lexicon_of(lexicon, pairs)
        pairs = [
            (normalize(words.form, observed), normalize(words.form, intended))
            for observed, intended in pairs
            if max(len(observed), len(intended)) <= LONGEST
        ]
        typed = "".join(chain.from_iterable(pairs))
        typed_letters = set(filter(str.isalpha, typed))
        if typed_letters and typed_letters.isdisjoint(map(chr, words.labels())):
            raise ParameterError(
                "the lexicon has none of the typos' letters: it is of another script"
            )
        letters = words.letters(typed)

        search = Search(ErrorModel(letters, PRIOR), words, EXPONENT)
        rows = []
        for number, (observed, intended) in enumerate(pairs):
            near = search.as_typed(observed, self.candidates)
            rows.append(words.costs([intended, *(row.word for row in near)]))
            if progress is not None:
                progress(number + 1)

        weights, self.exponent_, self.reached_ = learnt(pairs, rows, self.penalty)
        self.errors_ = ErrorModel(letters, weights)
        self.lexicon_ = words
        vars(self).pop("_search", None)
        return self

    def suggest(self, words: Sequence[str], number: int = 5) -> list[list[Suggestion]]:
        """The words that may have been intended by each, with their costs.

        Parameters
        ----------
        words : sequence of str
        number : int
            The most for each.

        Returns
        -------
        list of list of Suggestion
            Cheapest first.

        Examples
        --------
        >>> from fstce import Speller
        >>> speller = Speller().fit([("teh", "the")], ["the", "ten", "tea"])
        >>> speller.suggest(["teh"], 1)[0][0].word
        'the'
        """
        self._check_fitted("errors_")
        POSITIVE.check(number=number)
        if isinstance(words, str):
            raise ParameterError("words is one string; give a list of words")
        distinct = {word: self._search(word, number) for word in dict.fromkeys(words)}
        return [distinct[word] for word in words]

    def predict(self, words: Sequence[str]) -> list[list[str]]:
        """The five words at most that may have been intended by each.

        Parameters
        ----------
        words : sequence of str

        Returns
        -------
        list of list of str

        Examples
        --------
        >>> from fstce import Speller
        >>> Speller().fit([("teh", "the")], ["the", "ten", "tea"]).predict(["the"])
        [['tea', 'ten']]
        """
        return [list(map(attrgetter("word"), rows)) for rows in self.suggest(words)]

    def machines(self) -> tuple[pynini.Fst, pynini.Fst]:
        """The error model and the acceptor of words, over code points, their weights in nats.

        Returns
        -------
        pair of Fst
            What was observed ∘ the first ∘ the second has the suggestions as its outputs.

        Examples
        --------
        >>> from fstce import Speller
        >>> errors, words = Speller().fit([("teh", "the")], ["the", "ten", "tea"]).machines()
        >>> words.num_states()
        5
        """
        self._check_fitted("errors_")
        return self._search.errors, self._search.lexicon

    @cached_property
    def _search(self) -> Search:
        return Search(self.errors_, self.lexicon_, self.exponent_)

    def _outcome(self) -> dict[str, str]:
        return {
            "learned from": f"{self.reached_:,} typos",
            "exponent of words": f"{self.exponent_:.3g}",
        }

    def to_state(self) -> State:
        """The manifest with the exponent, the costs as text, the lexicon as a machine."""
        self._check_fitted("errors_")
        errors = {
            "letters": self.errors_.letters,
            "weights": dict(sorted(self.errors_.weights.items())),
        }
        entries = {
            "parameters": self.get_params(),
            "exponent": self.exponent_,
            "reached": self.reached_,
        }

        files = {
            ERRORS: text_file(json.dumps(errors, ensure_ascii=False, indent=1)),
            LEXICON: self.lexicon_.write,
        }
        return State(self.KIND, entries, files=files)

    @classmethod
    def from_state(cls, state: State) -> Speller:
        """The speller of a saved state."""
        speller = cls.of_parameters(state.entries)
        errors = json.loads(state.path(ERRORS).read_text(encoding="utf-8"))
        speller.errors_ = ErrorModel.of_entries(errors)
        speller.exponent_ = float(state.entry("exponent", float, int))
        speller.reached_ = int(state.entry("reached", int))
        speller.lexicon_ = Lexicon(read_fst(state.path(LEXICON)))
        return speller
