"""Brute-force twins of edits: words, costs and alignments, as plainly as their definitions read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

from fstce.correction.mistakes.channel import Channel


def edit_cost(typed: str, meant: str, k: int, damerau: bool, channel: Channel) -> float:
    """The least cost of at most k edits that lead from what was meant to what was typed, infinite if none."""

    @cache
    def least(i: int, j: int, edits: int) -> float:
        """Of typed[i:] and meant[j:], with so many edits left."""
        if i == len(typed) and j == len(meant):
            return 0.0
        ways = [math.inf]
        if i < len(typed) and j < len(meant) and typed[i] == meant[j]:
            ways.append(least(i + 1, j + 1, edits))
        if edits:
            if i < len(typed) and j < len(meant) and typed[i] != meant[j]:
                ways.append(channel.cost(meant[j], typed[i]) + least(i + 1, j + 1, edits - 1))
            if i < len(typed):
                ways.append(channel.cost("", typed[i]) + least(i + 1, j, edits - 1))
            if j < len(meant):
                ways.append(channel.cost(meant[j], "") + least(i, j + 1, edits - 1))
            a, b = typed[i : i + 2], meant[j : j + 2]
            if damerau and len(a) == 2 and a == b[::-1] and a != b:
                ways.append(channel.cost(b, a) + least(i + 2, j + 2, edits - 1))
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
    replaced = [(*words[:i], mark, *words[i + 1 :]) for i in places for mark in marks if mark != words[i]]
    return inserted + deleted + replaced


def _mark_cost(
    typed: tuple[str, ...], meant: tuple[str, ...], marks: Sequence[str], edits: int, channel: Channel
) -> float:
    """The least cost of at most so many edits of marks; words are copied."""
    if not typed and not meant:
        return 0.0
    ways = [math.inf]
    if typed and meant and typed[0] == meant[0]:
        ways.append(_mark_cost(typed[1:], meant[1:], marks, edits, channel))
    if edits and typed and meant and typed[0] != meant[0] and {typed[0], meant[0]} <= set(marks):
        after = _mark_cost(typed[1:], meant[1:], marks, edits - 1, channel)
        ways.append(channel.cost(meant[0], typed[0]) + after)
    if edits and typed and typed[0] in marks:
        ways.append(channel.cost("", typed[0]) + _mark_cost(typed[1:], meant, marks, edits - 1, channel))
    if edits and meant and meant[0] in marks:
        ways.append(channel.cost(meant[0], "") + _mark_cost(typed, meant[1:], marks, edits - 1, channel))
    return min(ways)
