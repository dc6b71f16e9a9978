r"""What a speaker says of words: the tags that each may take, the usual one first.

An answer stands in a line, ``word TAB tags TAB …``; what follows the tags is for people. Lines that
begin with a hash are notes; a word that begins with one, or with a backslash, has a backslash
before it. The tags of an answer are all that the word may take, among them tags, and words, that
the dictionary lacks. They hold for the word in other capitals too, as far as the dictionary lists
it so with some of the same tags alone: what is known of *die* is known of *Die*.

The usual tag has a share of the word's tokens between s/2 + 1/2k and s/2 + 1/2, where s = Σ_(j ≤ k)
1/jk is the mean of the greatest of k shares (the broken stick; MacArthur 1957); counts say it
better. Training does not see it, for it would shift what is learned of other words. The trained
model p is moved no further than to where the expected shares are such: to the q of least KL(q ‖ p)
with E_q[count(w, t)] = s(w, t) E_q[count(w)], which is p with other weights of these words
(posterior regularization; Ganchev et al. 2010, Eq. 4), found by iterative scaling (Darroch &
Ratcliff 1972).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.corpora.dictionary import TagDictionary
from fstce.corpora.dictionary_files import BETWEEN_TAGS, counts_of, split_tags
from fstce.corpora.documents import lines_of
from fstce.corpora.tables import COMMENT, TAG, WORD, named_columns, unquoted_row
from fstce.corpora.words import fault
from fstce.errors import DictionaryError
from fstce.estimation.objective import Linear
from fstce.numeric.kernels import total
from fstce.numeric.types import Floats, PathName, ValueAndGradient
from fstce.parameters.rules import PATH, is_listable, shown
from fstce.tagging.unknown_words import in_capitals
from fstce.wfsa.features import TagFeatures

Answers = PathName | Mapping[str, str | Sequence[str] | Mapping[str, float]]
NOTE = "#"
ESCAPE = "\\"
# Less than one token in twenty is an error of annotation as often as not (Dickinson & Meurers
# 2003).
NOISE = 0.05
ROUNDS = 20  # of the scaling
CLOSE = 1e-3  # it is over when no log share is further away
TINY = np.finfo(np.float64).tiny


class Answer(NamedTuple):
    """All tags of a word, the usual one first; how often it has each, where that is said; the file
    and line that say it.
    """

    tags: list[str]
    counts: Mapping[str, float]
    source: str = ""

    def of(self, tags: Collection[str]) -> Answer:
        """The answer with these tags alone."""
        counts = {tag: n for tag, n in self.counts.items() if tag in tags}
        return self._replace(tags=[tag for tag in self.tags if tag in tags], counts=counts)

    def renamed(self, name: Callable[[str], str]) -> Answer:
        """The answer with other names of tags, several of which may be one."""
        counts: dict[str, float] = {}
        for tag, n in self.counts.items():
            counts[name(tag)] = counts.get(name(tag), 0.0) + n
        return self._replace(tags=[*dict.fromkeys(map(name, self.tags))], counts=counts)


def checked_answers(answers: Answers, tagset: Collection[str] = ()) -> dict[str, Answer]:
    """Answers from a file, or from a mapping of words to tags or counts."""
    if isinstance(answers, str | os.PathLike):
        PATH.check(answers=answers)
        return read_answers(Path(answers), tagset)
    if not isinstance(answers, Mapping):
        raise DictionaryError(
            f"answers={shown(answers)}: give a file, or a mapping from words to tags"
        )

    for word, tags in answers.items():
        is_said = isinstance(tags, str | Mapping) or is_listable(tags)
        if not isinstance(word, str) or not is_said or not tags:
            raise DictionaryError(
                f"answers: {shown(word)} has {shown(tags)}; give a word's tags, or counts"
            )
    return {
        word: Answer(
            [tags] if isinstance(tags, str) else list(tags),
            tags if isinstance(tags, Mapping) else {},
        )
        for word, tags in answers.items()
    }


def read_answers(path: Path, tagset: Collection[str] = ()) -> dict[str, Answer]:
    """The answers in a file; raises DictionaryError, with file and line, where a line is none.

    A table with a header (``word``, ``tags``), or with commas (``.csv``), has answers, too.
    ``tagset``: tags that are taken as they are, whatever commas and numbers they hold.
    """
    lines = lines_of(path, DictionaryError)
    table = named_columns(lines, WORD, TAG, where=str(path), is_table=".csv" in path.name.lower())
    # Between commas a word may begin with a hash, and a note is longer.
    notes = NOTE if table is None else COMMENT
    rows = _lines(lines) if table is None else table

    answers: dict[str, Answer] = {}
    for number, (word, text) in rows:
        if word.startswith(notes):
            continue
        if table is None:
            word = word.removeprefix(ESCAPE)
        where = f"{path}:{number}"
        tags = text.split()
        counts: dict[str, float] = {}
        if not set(tags).issubset(tagset):
            tags, counts = counts_of(split_tags(text))
        if not word or not tags or (counts and not any(counts.values())):
            raise DictionaryError(
                f"{where}: {lines[number - 1].strip()[:40]!r} is no answer; write word, tab, tags, "
                "the usual one first, or # before the line to leave the question"
            )
        if word in answers:
            raise DictionaryError(
                f"{where}: the word {word!r} is answered a second time; join its tags"
            )

        answers[word] = Answer(tags, counts, where)
        for symbol in (word, *tags):
            if (reason := fault(symbol)) is not None:
                raise DictionaryError(f"{where}: {symbol!r} is no word and no tag: {reason}")
    return answers


def _lines(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Words and tags of the lines that are not blank, with the numbers of the lines."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            word, tags, *_ = (*unquoted_row(line.rstrip("\r\n").split("\t")), "")
            yield number, [word.strip(), tags]


def escaped(word: str) -> str:
    r"""A word as it stands in a file of answers.

    >>> escaped("#1"), escaped("saw")
    ('\\#1', 'saw')
    """
    return ESCAPE + word if word.startswith((NOTE, ESCAPE)) else word


def with_answers(dictionary: TagDictionary, answers: Mapping[str, Answer]) -> TagDictionary:
    """The dictionary in which answered words, in other capitals, too, have their tags.

    >>> article = ("DET", "PRON")
    >>> listed = TagDictionary({"die": article, "Die": article, "war": ("AUX", "VERB")})
    >>> answered = with_answers(listed, checked_answers({"die": "DET", "war": ["VERB", "AUX"]}))
    >>> answered["Die"], answered["war"], answered.usual
    (('DET',), ('AUX', 'VERB'), {'Die': 'DET', 'die': 'DET', 'war': 'VERB'})
    """
    _check_new_tags(dictionary, answers)
    heard = {**_in_other_capitals(dictionary, answers), **answers}
    return dictionary.updated(
        {word: answer.tags for word, answer in heard.items()},
        {word: answer.counts for word, answer in heard.items() if answer.counts},
        {word: answer.tags[0] for word, answer in heard.items() if not answer.counts},
    )


def _check_new_tags(dictionary: TagDictionary, answers: Mapping[str, Answer]) -> None:
    """Raise DictionaryError where a tag that the dictionary lacks is a slip for one that it has."""
    tag_of_letters = {tag.casefold(): tag for tag in dictionary.tagset}
    new = {
        tag: word
        for word, answer in answers.items()
        for tag in answer.tags
        if tag_of_letters.get(tag.casefold()) != tag
    }

    for tag, word in new.items():
        if tag in dictionary.tagset:
            continue
        source = answers[word].source
        where = f"{source}: " if source else ""
        says = f"{where}the answer for {word!r} has {tag!r}"
        if counts_of([tag])[1]:
            raise DictionaryError(f"{says}: say of all its tags how often they are, or of none")

        meant = [tag_of_letters.get(part, "") for part in BETWEEN_TAGS.split(tag.casefold())]
        if all(meant):
            raise DictionaryError(
                f"{says}, which is no tag of the dictionary: write {' '.join(meant)!r}"
            )


def _in_other_capitals(
    dictionary: TagDictionary, answers: Mapping[str, Answer]
) -> dict[str, Answer]:
    """The answers for listed words that differ from an answered one in capitals alone."""
    variants = in_capitals(dictionary)
    heard = {}
    for word, answer in answers.items():
        for variant in variants[word.casefold()]:
            own = answer.of(dictionary[variant])
            if (
                variant not in answers
                and own.tags
                and {*dictionary[variant]} <= {*dictionary.lookup(word)}
            ):
                heard[variant] = own
    return heard


def usual_share(k: int) -> tuple[float, float]:
    """The least and the greatest share of a word's tokens that the usual one of its k tags has.

    >>> usual_share(2)
    (0.625, 0.875)
    """
    expected = sum(1 / j for j in range(1, k + 1)) / k
    return (expected + 1 / k) / 2, (expected + 1) / 2


# Of the weights of (word, tag) pairs of which something is known: the place in θ, a number of the
# word, the share that is known or NaN, whether the tag is the usual one, and which share that has
# at least and at most.
_TARGETS = np.dtype("i8, i8, f8, ?, f8, f8")
_TARGETS.names = ("place", "word", "share", "usual", "least", "most")


def _shares(targets: NDArray[Any], expected: Floats) -> Floats:
    """The shares nearest to the expected ones that are such, (pairs,)."""
    word, share, is_usual = targets["word"], targets["share"], targets["usual"]
    width = int(word.max()) + 1
    of_usual = np.where(is_usual, np.clip(expected, targets["least"], targets["most"]), 0.0)
    # s(w, t) = (1 − s(w, usual)) E(w, t) / (1 − E(w, usual)) of the others, (pairs,)
    usual = total(word, np.where(is_usual, expected, 0.0), width)[word]
    scale = (1 - total(word, of_usual, width)[word]) / np.maximum(1 - usual, TINY)
    return np.where(np.isnan(share), np.where(is_usual, of_usual, scale * expected), share)


def follow(
    terms: Iterable[Callable[[Floats], ValueAndGradient]],
    theta: Floats,
    features: TagFeatures,
    dictionary: TagDictionary,
) -> Floats:
    """θ, moved to where expected shares of words' tags are as the dictionary has them.

    ``terms``: θ → (log-likelihood in nats, expected counts) of raw sentences; observed ones are
    left out.
    """
    terms = [term for term in terms if not isinstance(term, Linear)]
    targets = _targets(features, dictionary)
    if not len(targets) or not terms:
        return theta

    theta = theta.copy()
    place = targets["place"]
    word = targets["word"]
    wanted = None
    for _ in range(ROUNDS):
        counts = np.sum([term(theta)[1][place] for term in terms], axis=0)
        of_word = total(word, counts, int(word.max()) + 1)[word]
        expected = counts / np.maximum(of_word, TINY)
        if wanted is None:
            wanted = _shares(targets, expected)

        # λ(w, t) += log s(w, t) − log E[count(w, t)] / E[count(w)], (pairs,); words without tokens
        # stay
        moved = (expected > 0) & (wanted > 0)
        step = np.zeros_like(wanted)
        step[moved] = np.log(wanted[moved]) - np.log(expected[moved])
        theta[place] += step
        if np.abs(step).max() < CLOSE:
            break
    return theta


def _targets(features: TagFeatures, dictionary: TagDictionary) -> NDArray[Any]:
    rows: list[tuple[Any, ...]] = []
    for word in (*dictionary.counts, *dictionary.usual):
        if word not in features.symbols or len(dictionary[word]) < 2:
            continue

        label = features.symbols.label(word)
        first, last = np.searchsorted(features.word, (label, label + 1)).tolist()
        shares = dict.fromkeys(dictionary[word], np.nan)
        counts = dictionary.counts.get(word, {})
        shares |= {tag: n / sum(counts.values()) for tag, n in counts.items()}

        bounds = usual_share(len(shares))
        usual = dictionary.usual.get(word)
        for place, t in enumerate(features.tag[first:last].tolist(), features.first_word + first):
            tag = features.tags[t]
            if tag in shares:
                rows.append((place, label, shares[tag], tag == usual, *bounds))
    return np.array(rows, dtype=_TARGETS)
