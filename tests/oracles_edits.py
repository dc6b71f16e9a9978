"""Brute-force twins of edits: words, costs and alignments, as plainly as their definitions read."""

from __future__ import annotations

import itertools
import math
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache

import pynini
from pynini import Fst

from fstce.corpora.words import is_spelt
from fstce.speller.channel import Channel
from fstce.speller.error_model import ErrorModel
from fstce.speller.features import BEGIN, END, INSIDE


def channel_cost(channel: Channel, intended: str, observed: str) -> float:
    """What it costs that one symbol is observed where another was intended; the empty string is ε."""
    if intended == observed:
        return 0.0
    swapped = len(intended) == 2 and intended == observed[::-1]
    default = channel.transposition if swapped else channel.substitution
    return channel.insertion if not intended else default if observed else channel.deletion


def edit_cost(
    observed: str, intended: str, k: int, damerau: bool, channel: Channel, accents: bool = False
) -> float:
    """The least cost of at most k edits from the intended to the observed word, infinite if none.

    ``accents``: whether a letter may lose its accent, which is no edit.
    """

    @cache
    def least(i: int, j: int, edits: int) -> float:
        """Of observed[i:] and intended[j:], with so many edits left."""
        if i == len(observed) and j == len(intended):
            return 0.0
        ways = [math.inf]
        if i < len(observed) and j < len(intended):
            stands_for = {intended[j], unicodedata.normalize("NFD", intended[j])[0]}
            if observed[i] in (stands_for if accents else intended[j]):
                ways.append(least(i + 1, j + 1, edits))
        if edits:
            if i < len(observed) and j < len(intended) and observed[i] != intended[j]:
                ways.append(
                    channel_cost(channel, intended[j], observed[i]) + least(i + 1, j + 1, edits - 1)
                )
            if i < len(observed):
                ways.append(channel_cost(channel, "", observed[i]) + least(i + 1, j, edits - 1))
            if j < len(intended):
                ways.append(channel_cost(channel, intended[j], "") + least(i, j + 1, edits - 1))
            a, b = observed[i : i + 2], intended[j : j + 2]
            if damerau and len(a) == 2 and a == b[::-1] and a != b:
                ways.append(channel_cost(channel, b, a) + least(i + 2, j + 2, edits - 1))
        return min(ways)

    return least(0, 0, k)


def edit_transducer(alphabet: Sequence[str], k: int, damerau: bool, channel: Channel) -> Fst:
    """At most k edits: what was observed on its input, what may have been intended on its output; weighted.

    A level counts the edits so far. Every symbol is copied on its level for nothing; an edit goes one level
    up at the channel's cost. With transpositions, ab becomes ba through two states that remember a: no symbol
    is edited twice (optimal string alignment, the usual reading of Damerau 1964).
    """
    machine = Fst()
    levels = [machine.add_state() for _ in range(k + 1)]
    machine.set_start(levels[0])
    for level in levels:
        machine.set_final(level)
        for a in alphabet:
            machine.add_arc(level, pynini.Arc(ord(a), ord(a), 0, level))
    for level, above in itertools.pairwise(levels):
        for observed, intended in itertools.permutations(["", *alphabet], 2):
            labels = (ord(symbol) if symbol else 0 for symbol in (observed, intended))
            machine.add_arc(
                level, pynini.Arc(*labels, channel_cost(channel, intended, observed), above)
            )
        for a in alphabet if damerau and len(alphabet) > 1 else ():
            hold, give = machine.add_state(), machine.add_state()
            machine.add_arc(level, pynini.Arc(ord(a), 0, 0, hold))
            for b in alphabet:
                if a != b:
                    machine.add_arc(
                        hold, pynini.Arc(ord(b), ord(b), channel_cost(channel, b + a, a + b), give)
                    )
            machine.add_arc(give, pynini.Arc(0, ord(a), 0, above))
    return machine.arcsort("ilabel")


def candidate_machine(
    vocabulary: Iterable[str], word: str, k: int, damerau: bool, channel: Channel
) -> Fst:
    """Candidates of one form, without limit, by composition: observed ∘ edits ∘ lexicon, over code points."""
    itself = pynini.accep(word, token_type="utf8")
    if not is_spelt(word):
        return itself
    alphabet = sorted({*word, *(letter for other in vocabulary for letter in other)})
    edits = edit_transducer(alphabet, k, damerau, channel)
    words = [
        pynini.accep(other, token_type="utf8") for other in (word, *vocabulary) if is_spelt(other)
    ]
    return pynini.compose(
        pynini.compose(itself, edits), pynini.union(*words).optimize().arcsort("ilabel")
    )


def edit_cost_by_place(observed: str, intended: str, k: int, errors: ErrorModel) -> float:
    """The same under an error model: letters by their place, edits of strings, a price of the second edit."""

    def place(start: int, end: int) -> int:
        return BEGIN if not start else END if end == len(observed) else INSIDE

    @cache
    def least(i: int, j: int, edits: int) -> float:
        if i == len(observed) and j == len(intended):
            return 0.0
        ways = [math.inf]
        if observed[i : i + 1] == intended[j : j + 1] != "":
            ways.append(least(i + 1, j + 1, edits))
        more = errors.second if edits < k else 0.0
        letters = [
            (1, 0),
            (0, 1),
            *([(1, 1)] if observed[i : i + 1] != intended[j : j + 1] else []),
        ]
        letters += (
            [(2, 2)]
            if observed[i : i + 2] == intended[j : j + 2][::-1] != observed[i : i + 2][::-1]
            else []
        )
        for a, b in letters if edits else ():
            if len(observed[i : i + a]) == a and len(intended[j : j + b]) == b:
                cost = errors.cost(observed[i : i + a], intended[j : j + b], place(i, i + a))
                ways.append(cost + more + least(i + a, j + b, edits - 1))
        for string in errors.strings:
            a, b = i + len(string.observed), j + len(string.intended)
            if string.edits <= edits and (observed[i:a], intended[j:b]) == string[:2]:
                ways.append(string.costs[place(i, a)] + more + least(a, b, edits - string.edits))
        return min(ways)

    return least(0, 0, k)


def punctuated(
    words: Sequence[str], marks: Sequence[str], k: int, channel: Channel
) -> dict[tuple[str, ...], float]:
    """All sentences within k edits of marks, each with the least cost of coming from it."""
    found = {tuple(words)}
    for _ in range(k):
        found |= {other for sentence in found for other in _one_edit(sentence, marks)}
    return {other: _mark_cost(tuple(words), other, marks, k, channel) for other in found - {()}}


def _one_edit(words: tuple[str, ...], marks: Sequence[str]) -> list[tuple[str, ...]]:
    inserted = [(*words[:i], mark, *words[i:]) for i in range(len(words) + 1) for mark in marks]
    places = [i for i, word in enumerate(words) if word in marks]
    deleted = [(*words[:i], *words[i + 1 :]) for i in places]
    replaced = [
        (*words[:i], mark, *words[i + 1 :]) for i in places for mark in marks if mark != words[i]
    ]
    return inserted + deleted + replaced


def _mark_cost(
    observed: tuple[str, ...],
    intended: tuple[str, ...],
    marks: Sequence[str],
    edits: int,
    channel: Channel,
) -> float:
    """The least cost of at most so many edits of marks; words are copied."""
    if not observed and not intended:
        return 0.0
    ways = [math.inf]
    if observed and intended and observed[0] == intended[0]:
        ways.append(_mark_cost(observed[1:], intended[1:], marks, edits, channel))
    if edits and observed and intended and len({observed[0], intended[0]} & set(marks)) == 2:
        after = _mark_cost(observed[1:], intended[1:], marks, edits - 1, channel)
        ways.append(channel_cost(channel, intended[0], observed[0]) + after)
    if edits and observed and observed[0] in marks:
        ways.append(
            channel_cost(channel, "", observed[0])
            + _mark_cost(observed[1:], intended, marks, edits - 1, channel)
        )
    if edits and intended and intended[0] in marks:
        ways.append(
            channel_cost(channel, intended[0], "")
            + _mark_cost(observed, intended[1:], marks, edits - 1, channel)
        )
    return min(ways)
