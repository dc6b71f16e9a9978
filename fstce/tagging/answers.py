r"""What a speaker says of words: the tags that each may take, the usual one first, and what is made of it.

An answer stands in a line, ``word TAB tags TAB …``; what follows the tags is for people. Lines that
begin with a hash are notes; a word that begins with one, or with a backslash, has a backslash
before it. The tags of an answer are all that the word may take, among them tags, and words, that the
dictionary lacks. They hold for the word in other capitals too, as far as the dictionary lists it so
with some of the same tags alone: what is known of *die* is known of *Die*.

The order says how often the word has each of its tags (``shares_by_order``), counts say it better.
Training does not see it, for it would shift what is learnt of other words. The trained model p is
moved no further than to where the expected shares are these: to the q of least KL(q ‖ p) with
E_q[count(w, t)] = s(w, t) E_q[count(w)], which is p with other weights of these words (posterior
regularization; Ganchev et al. 2010, Eq. 4), found by iterative scaling (Darroch & Ratcliff 1972).
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fstce.corpora.dictionary import TagDictionary
from fstce.corpora.dictionary_file import counts_of, lines_of, shares_by_order, split_tags
from fstce.errors import DictionaryError
from fstce.estimation.linear import Linear
from fstce.numeric.kernels import total
from fstce.numeric.rules import shown
from fstce.numeric.types import Floats, Ints
from fstce.wfsa.features import TagFeatures

Answers = str | os.PathLike[str] | Mapping[str, str | Sequence[str] | Mapping[str, float]]
Shares = Mapping[str, Mapping[str, float]]
NOTE, ESCAPE = "#", "\\"
# Less than one token in twenty is an error of annotation as often as not (Dickinson & Meurers 2003).
NOISE = 0.05
ROUNDS, CLOSE = 20, 1e-3  # of the scaling, which is over when no log share is further away


def checked_answers(answers: Answers) -> dict[str, dict[str, float]]:
    """Of each answered word the share of each tag, from a file or a mapping of words to tags or counts."""
    if isinstance(answers, str | os.PathLike):
        return read_answers(Path(answers))
    if not isinstance(answers, Mapping):
        raise DictionaryError(f"answers={shown(answers)}: give a file, or a mapping from words to tags")
    return {
        word: dict(tags)
        if isinstance(tags, Mapping)
        else shares_by_order([tags] if isinstance(tags, str) else tags)
        for word, tags in answers.items()
    }


def read_answers(path: Path) -> dict[str, dict[str, float]]:
    """The answers in a file; raises DictionaryError, with file and line, where a line is none."""
    answers: dict[str, dict[str, float]] = {}
    for number, line in enumerate(lines_of(path), 1):
        if not line.strip() or line.startswith(NOTE):
            continue
        word, *columns = line.rstrip("\r\n").split("\t")
        word, tags = word.removeprefix(ESCAPE).strip(), split_tags(columns[0]) if columns else []
        if not word or not tags:
            raise DictionaryError(
                f"{path}:{number}: {line.strip()[:40]!r} is no answer; write word, tab, tags, the usual one "
                "first, or # before the line to leave the question"
            )
        if word in answers:
            raise DictionaryError(
                f"{path}:{number}: the word {word!r} is answered a second time; join its tags"
            )
        answers[word] = counts_of(tags) or shares_by_order(tags)
    return answers


def escaped(word: str) -> str:
    r"""A word as it stands in a file of answers.

    >>> escaped("#1"), escaped("saw")
    ('\\#1', 'saw')
    """
    return ESCAPE + word if word.startswith((NOTE, ESCAPE)) else word


def with_answers(dictionary: TagDictionary, answers: Shares) -> TagDictionary:
    """The dictionary in which the words that are answered, and these in other capitals, have their tags.

    >>> listed = TagDictionary({"die": ("DET", "PRON"), "Die": ("DET", "PRON"), "war": ("AUX", "VERB")})
    >>> found = with_answers(listed, {"die": {"DET": 1.0}, "war": shares_by_order(["VERB", "AUX"])})
    >>> found["Die"], found["war"], found.counts
    (('DET',), ('AUX', 'VERB'), {'war': {'AUX': 0.375, 'VERB': 0.625}})
    """
    heard = {**_in_other_capitals(dictionary, answers), **answers}
    ambiguous = {word: shares for word, shares in heard.items() if len(shares) > 1}
    return dictionary.updated({word: list(shares) for word, shares in heard.items()}, ambiguous)


def _in_other_capitals(dictionary: TagDictionary, answers: Shares) -> dict[str, dict[str, float]]:
    """The answers for listed words that differ from an answered one in capitals, with no tags but its own."""
    variants = in_capitals(dictionary)
    heard = {}
    for word, shares in answers.items():
        for variant in variants[word.casefold()]:
            own = {tag: shares[tag] for tag in shares if tag in dictionary[variant]}
            if variant not in answers and own and {*dictionary[variant]} <= {*dictionary.lookup(word)}:
                heard[variant] = own
    return heard


def in_capitals(words: Iterable[str]) -> defaultdict[str, list[str]]:
    """The words by what they have in common but for capitals."""
    variants = defaultdict(list)
    for word in words:
        variants[word.casefold()].append(word)
    return variants


def without_noise(dictionary: TagDictionary) -> TagDictionary:
    """The dictionary without tags of less than a twentieth of a word's tokens, where these are counted.

    >>> without_noise(TagDictionary({"the": ("DT", "NNP")}, counts={"the": {"DT": 99, "NNP": 1}}))["the"]
    ('DT',)
    """
    counts = {
        word: {tag: n for tag, n in by_tag.items() if n >= NOISE * sum(by_tag.values())}
        for word, by_tag in dictionary.counts.items()
    }
    return dictionary.updated({word: list(by_tag) for word, by_tag in counts.items()}, counts)


class _Targets(NamedTuple):
    """The weights of (word, tag) pairs whose shares are known: places in θ, numbers of words, log shares."""

    place: Ints
    word: Ints
    log_share: Floats


def follow(
    terms: Iterable[Callable[[Floats], tuple[float, Floats]]],
    theta: Floats,
    features: TagFeatures,
    counts: Shares,
) -> Floats:
    """θ moved no further than to where expected shares of words' tags are those that are known.

    ``terms``: θ → (log-likelihood in nats, expected counts) of raw sentences; observed ones are left out.
    ``counts``: how often words have each tag, or shares.
    """
    terms = [term for term in terms if not isinstance(term, Linear)]
    targets = _targets(features, counts)
    if not len(targets.place) or not terms:
        return theta
    theta = theta.copy()
    for _ in range(ROUNDS):
        expected = np.sum([term(theta)[1][targets.place] for term in terms], axis=0)
        of_word = total(targets.word, expected, int(targets.word[-1]) + 1)[targets.word]
        # λ(w, t) += log s(w, t) − log E[count(w, t)] / E[count(w)], (pairs,); words without tokens stay
        with np.errstate(divide="ignore", invalid="ignore"):
            step = np.where(expected > 0, targets.log_share - np.log(expected / of_word), 0.0)
        theta[targets.place] += step
        if np.abs(step).max() < CLOSE:
            break
    return theta


def _targets(features: TagFeatures, counts: Shares) -> _Targets:
    number = {tag: t for t, tag in enumerate(features.tags)}
    rows: list[tuple[Any, ...]] = []
    for word, by_tag in counts.items():
        if word not in features.symbols or len(by_tag) < 2:
            continue
        label = features.symbols.label(word)
        first, last = np.searchsorted(features.word, (label, label + 1)).tolist()
        whole = sum(by_tag.values())
        shares = {number[tag]: n / whole for tag, n in by_tag.items() if n > 0}
        known = [
            (place, shares[t])
            for place, t in enumerate(features.tag[first:last].tolist(), first)
            if t in shares
        ]
        rows += [(len(features.ngrams) + place, len(rows), share) for place, share in known]
    place, word_number, share = zip(*rows, strict=True) if rows else ((), (), ())
    return _Targets(np.array(place, dtype=np.int64), np.array(word_number, dtype=np.int64), np.log(share))
