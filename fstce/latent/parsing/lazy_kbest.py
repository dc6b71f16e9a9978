"""The k best derivations of one node, by the lazy algorithm of Huang & Chiang (2005, Algorithm 3).

A derivation is an edge and the rank of the derivation that each of its children takes. The
best of a node is known from a search; the next best is the best among the edges not used
yet and the successors of those used, (i + 1, j) and (i, j + 1). A child's next derivation
is asked for only when a successor needs it. Requests wait on a stack of our own, so that a
long sentence does not exhaust Python's.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from fstce.numeric.types import Floats, Ints

Key = tuple[int, int, int, int, int]


class Incoming(NamedTuple):
    """The edges of a node, best first; −1 stands for no child.

    ``score`` is that of the best derivation that begins with the edge, ``weight`` the edge's own.
    """

    score: Floats
    weight: Floats
    edge: Ints
    left: Ints
    right: Ints

    @classmethod
    def sorted(cls, score: Floats, weight: Floats, edge: Ints, left: Ints, right: Ints) -> Incoming:
        """The edges of a node in any order, without those that lead nowhere."""
        order = np.argsort(-score, kind="stable")
        order = order[np.isfinite(score[order])]
        return cls(score[order], weight[order], edge[order], left[order], right[order])


class RankedEdge(NamedTuple):
    """A derivation of a node: its score, and its edge with the children's nodes and ranks."""

    score: float
    edge: int
    left: int
    right: int
    i: int
    j: int
    weight: float

    def children(self) -> list[tuple[int, int]]:
        """Each child's node and rank."""
        both = ((self.left, self.i), (self.right, self.j))
        return [(child, rank) for child, rank in both if child >= 0]


class _Queue:
    """What is known of a node: its derivations found so far, and where the next may come from."""

    __slots__ = ("expanded", "found", "fresh", "heap", "incoming", "seen")

    def __init__(self, incoming: Incoming) -> None:
        self.incoming = incoming
        self.found: list[RankedEdge] = []
        self.heap: list[tuple[float, Key, RankedEdge]] = []
        self.seen: set[Key] = set()
        self.fresh = 0
        self.expanded = 0

    def push(self, choice: RankedEdge) -> None:
        """A successor, once."""
        key = choice[1:6]
        if key not in self.seen:
            self.seen.add(key)
            heapq.heappush(self.heap, (-choice.score, key, choice))

    def pop(self) -> bool:
        """Move the best of what is left to the derivations found; whether there was one."""
        incoming, at = self.incoming, self.fresh
        if at < len(incoming.score) and (not self.heap or incoming.score[at] >= -self.heap[0][0]):
            columns = (incoming.edge, incoming.left, incoming.right)
            edge, left, right = (int(column[at]) for column in columns)
            choice = RankedEdge(
                float(incoming.score[at]), edge, left, right, 0, 0, float(incoming.weight[at])
            )
            self.fresh += 1
        elif self.heap:
            choice = heapq.heappop(self.heap)[-1]
        else:
            return False
        self.found.append(choice)
        return True


class LazyKBest:
    """Derivations of the nodes of one acyclic graph, best first, found when asked for.

    ``incoming``: node → its edges; called once a node.
    """

    def __init__(self, incoming: Callable[[int], Incoming]) -> None:
        self._incoming = incoming
        self._queues: dict[int, _Queue] = {}

    def score(self, node: int, rank: int) -> float | None:
        """The score of a node's derivation of this rank, from 0; None if it has fewer."""
        choice = self._choice(node, rank)
        return None if choice is None else choice.score

    def derivation(self, node: int, rank: int) -> tuple[int, ...]:
        """The edges of a derivation that there is, parents first, left before right."""
        edges: list[int] = []
        stack = [(node, rank)]
        while stack:
            choice = self._choice(*stack.pop())
            if choice is not None:
                edges.append(choice.edge)
                stack.extend(reversed(choice.children()))
        return tuple(edges)

    def _choice(self, node: int, rank: int) -> RankedEdge | None:
        requests = [(node, rank)]
        while requests:
            at, wanted = requests[-1]
            queue = self._queue(at)
            if len(queue.found) > wanted:
                requests.pop()
            elif needed := self._expand(queue):
                requests.extend(needed)
            elif not queue.pop():
                requests.pop()
        found = self._queue(node).found
        return found[rank] if rank < len(found) else None

    def _queue(self, node: int) -> _Queue:
        if node not in self._queues:
            self._queues[node] = _Queue(self._incoming(node))
        return self._queues[node]

    def _expand(self, queue: _Queue) -> list[tuple[int, int]]:
        """Queue the successors of the last derivation found, or say what they wait for."""
        if queue.expanded == len(queue.found):
            return []
        last = queue.found[-1]
        successors = [last._replace(i=last.i + 1)] if last.left >= 0 else []
        successors += [last._replace(j=last.j + 1)] if last.right >= 0 else []
        waiting = {child for choice in successors for child in choice.children() if not self._known(*child)}
        if waiting:
            return sorted(waiting)
        for choice in successors:
            if all(rank < len(self._queue(child).found) for child, rank in choice.children()):
                queue.push(choice._replace(score=self._total(choice)))
        queue.expanded = len(queue.found)
        return []

    def _known(self, node: int, rank: int) -> bool:
        """Whether a derivation is found, or known not to be."""
        queue = self._queue(node)
        used_up = queue.fresh == len(queue.incoming.score) and not queue.heap
        return len(queue.found) > rank or (used_up and queue.expanded == len(queue.found))

    def _total(self, choice: RankedEdge) -> float:
        return choice.weight + sum(self._queue(child).found[rank].score for child, rank in choice.children())
