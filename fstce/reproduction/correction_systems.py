"""What is compared: correctors, and what they must beat, by the names that the tables give them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from fstce.correction.baselines import Ispell, LeaveAlone, MostFrequent, PySpellChecker, SymSpell
from fstce.correction.corrector import Corrector
from fstce.correction.lexicons import package_lexicon
from fstce.correction.mistakes.candidates import Candidates
from fstce.errors import CorpusError, ParameterError

Row = list[str]

CE, EM, NGRAMS = "contrastive", "em", "none"


class Correct(Protocol):
    """What corrects sentences; of other parameters it takes those that it has."""

    def __call__(self, rows: list[Row], /, **parameters: Any) -> list[Row]:
        """The corrected sentences."""
        ...


class System(NamedTuple):
    """A row of the tables, by the name that they have.

    ``parameters``: of a Corrector; None for what is none. ``lexicon``, ``tags``, ``misspellings``: whether it
    is given the extra lexicon, a dictionary read from the tags of the text, and the part of a list of
    misspellings that it may learn from.
    """

    name: str
    parameters: Mapping[str, Any] | None = None
    lexicon: bool = False
    tags: bool = False
    misspellings: bool = False


TAGGER = {"classes": None}
SYSTEMS: dict[str, System] = {
    "alone": System("left alone"),
    "frequent": System("most frequent candidate"),
    "pyspellchecker": System("pyspellchecker"),
    "symspellpy": System("symspellpy"),
    "ngrams": System("trigrams", {"criterion": NGRAMS}),
    "ce": System("CE and trigrams", {"criterion": CE}),
    "em": System("EM and trigrams", {"criterion": EM}),
    "ce-alone": System("CE without trigrams", {"criterion": CE, "ngrams": 0}),
    "em-alone": System("EM without trigrams", {"criterion": EM, "ngrams": 0}),
    "ce-tags": System("CE with tags", {"criterion": CE, **TAGGER}, tags=True),
    "em-tags": System("EM with tags", {"criterion": EM, **TAGGER}, tags=True),
    "ce-classes": System("CE with 8 latent classes", {"criterion": CE, "classes": 8}),
    "em-classes": System("EM with 8 latent classes", {"criterion": EM, "classes": 8}),
    "pyspellchecker-own": System("pyspellchecker, its own counts", None, True),
    "symspellpy-own": System("symspellpy, its own counts", None, True),
    "hunspell": System("hunspell, en_US"),
    "aspell": System("aspell, en_US"),
    "ngrams-lexicon": System("trigrams, lexicon", {"criterion": NGRAMS}, True),
    "ce-lexicon": System("CE and trigrams, lexicon", {"criterion": CE}, True),
    "auto": System("default, lexicon", {"criterion": "auto"}, True),
    "human": System("trigrams, lexicon, misspellings", {"criterion": NGRAMS}, True, misspellings=True),
    "human-ce": System("CE, lexicon, misspellings", {"criterion": CE}, True, misspellings=True),
}
ISPELL = {"hunspell": ("-d", "en_US"), "aspell": ("-l", "en_US")}
ON_REQUEST = ("symspellpy-own", "hunspell", "aspell", "auto", "human", "human-ce")
SPELLERS = tuple(SYSTEMS)
PUNCTUATORS = ("alone", "ngrams", "ce", "em", "ce-alone", "em-alone", "ce-tags", "em-tags")


def trained(
    name: str,
    rows: Sequence[Row],
    parameters: Mapping[str, Any],
    tags: Sequence[Row] | None = None,
    misspellings: Sequence[tuple[str, str]] | None = None,
) -> Correct:
    """Train a system on clean sentences; what it makes of typed ones.

    ``parameters``: more parameters of a Corrector, such as ``spell``. ``tags``: of the words, for the systems
    that read a dictionary from them. ``misspellings``: what was typed and meant, for the systems that learn
    from such.
    """
    if name not in SYSTEMS:
        raise ParameterError(f"there is no system {name!r}; choose among {', '.join(SYSTEMS)}")
    system = SYSTEMS[name]
    if system.parameters is None:
        baseline = _baseline(name, rows, parameters.get("spell", 1))
        if isinstance(baseline, Ispell):
            return lambda rows, /, **_: baseline.correct_all(rows)
        return lambda rows, /, **_: [baseline.correct(row) for row in rows]
    if system.tags and tags is None:
        raise CorpusError("the text has no tags to read a dictionary from")
    lexicon = package_lexicon("en") if system.lexicon else None
    corrector = Corrector(**{**parameters, **system.parameters})
    pairs = misspellings if system.misspellings else None
    corrector.fit(rows, tags if system.tags else None, lexicon=lexicon, misspellings=pairs)
    return lambda rows, /, **others: corrector.set_params(**others).predict(rows)


def _baseline(name: str, rows: Sequence[Row], spell: int) -> Any:
    counts = Counter(word for row in rows for word in row)
    if name == "alone":
        return LeaveAlone()
    if name == "frequent":
        return MostFrequent(Candidates(counts, 1, damerau=True))
    if name in ISPELL:
        return Ispell(name, ISPELL[name])
    k = min(max(spell, 1), 2)
    if name.startswith("symspellpy"):
        return SymSpell(None if name == "symspellpy-own" else counts, k)
    # Two edits take pyspellchecker seconds a word.
    return PySpellChecker(None if name == "pyspellchecker-own" else counts)
