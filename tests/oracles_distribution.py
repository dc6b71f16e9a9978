"""Brooks' induction without arrays, links or tables: lists of tokens, recounted before every iteration.

Small corpora and all kinds of options for it are here too.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import NamedTuple

from hypothesis import strategies as st

from fstce.induction.parameters import Options

START, END = "<s>", "</s>"

words = st.sampled_from("aaabbcdefgh")
texts = st.lists(st.lists(words, max_size=12), min_size=1, max_size=8).filter(any)
options = st.builds(
    Options,
    context_fraction=st.sampled_from([0.01, 0.2, 0.3, 0.5, 1.0]),
    boundaries=st.booleans(),
    refresh=st.booleans(),
    max_length=st.integers(1, 4),
    context_expressions=st.booleans(),
    min_count=st.integers(1, 2),
    attachment=st.sampled_from(["none", "directional"]),
    overlap_threshold=st.sampled_from([None, 0.2, 0.6]),
)


class Token(NamedTuple):
    """A unit by its rank and name, and the words it stands for."""

    rank: int
    name: str
    start: int
    end: int


class Slot(NamedTuple):
    """A place of a pattern in a sentence: indices of the contexts; the expression lies between."""

    left: int
    right: int


class NaiveInduction:
    """The same iterations as `fstce.induction.learner.Induction`; `sentences` are lists of tokens."""

    def __init__(self, texts, options):
        self.options = options
        counts = Counter(word for words in texts for word in words)
        ordered = sorted(counts, key=lambda word: (-counts[word], word))
        self.rank = {word: rank for rank, word in enumerate([START, END, "<unk>", *ordered])}
        self.sentences = [
            [
                Token(0, START, -1, 0),
                *(Token(self.rank[word], word, i, i + 1) for i, word in enumerate(words)),
                Token(1, END, len(words), len(words)),
            ]
            for words in texts
        ]
        self.contexts = self.most_frequent()
        self.own = {}
        self.members = {}
        self.steps = []
        self.brackets = [[] for _ in texts]

    def most_frequent(self):
        counts = Counter(
            token.name for s in self.sentences for token in s if token.name not in (START, END)
        )
        share = math.ceil(len(counts) * self.options.context_fraction - 1e-9)
        return set(sorted(counts, key=lambda name: (-counts[name], self.rank[name]))[:share])

    def kind(self, token):
        if token.name in (START, END):
            return token.name
        return "context" if token.name in self.contexts else "plain"

    def slots(self, tokens):
        """By left context unit, then by length."""
        openers = ("context", START) if self.options.boundaries else ("context",)
        closers = ("context", END) if self.options.boundaries else ("context",)
        kinds = [self.kind(token) for token in tokens]
        for left, kind in enumerate(kinds):
            for length in range(1, self.options.max_length + 1):
                right = left + length + 1
                if kind not in openers or right >= len(tokens) or kinds[right] not in closers:
                    continue
                inside = set(kinds[left + 1 : right])
                if inside == {"plain"} or (
                    inside == {"context"} and self.options.context_expressions
                ):
                    slot = Slot(left, right)
                    if not self.matches(tokens, slot):
                        yield slot

    def matches(self, tokens, slot):
        own = self.own.get((tokens[slot.left].name, tokens[slot.right].name))
        return slot.right - slot.left == 2 and tokens[slot.left + 1].name == own

    def preference(self, name):
        if name in (START, END):
            return 0.0
        begins = sum(tokens[1].name == name for tokens in self.sentences)
        ends = sum(tokens[-2].name == name for tokens in self.sentences)
        return math.log((ends + 0.5) / (begins + 0.5))

    def side(self, left, right):
        if self.options.attachment == "none":
            return 0
        total = self.preference(left) + self.preference(right)
        if total == 0:
            return 0
        side = -1 if total < 0 else 1
        return 0 if (left if side < 0 else right) in (START, END) else side

    def step(self):
        """One iteration: (left, right, class, side, probability, {expression: count}), or None."""
        if self.options.refresh and self.steps:
            self.contexts = self.most_frequent()
        counts = Counter(
            (tokens[slot.left].name, tokens[slot.right].name)
            for tokens in self.sentences
            for slot in self.slots(tokens)
        )
        if max(counts.values(), default=0) < self.options.min_count:
            return None
        left, right = min(counts, key=lambda p: (-counts[p], self.rank[p[0]], self.rank[p[1]]))
        probability = counts[left, right] / sum(counts.values())
        side = self.side(left, right)
        chosen = [self.chosen(tokens, left, right, side) for tokens in self.sentences]
        expressions = Counter(
            tuple(token.name for token in tokens[a:b])
            for tokens, spans in zip(self.sentences, chosen, strict=True)
            for a, b in spans
        )
        name = self.class_name(left, right, set(expressions))
        for number, spans in enumerate(chosen):
            self.rewrite(number, spans, name)
        self.steps.append((left, right, name, side, probability, dict(expressions)))
        return self.steps[-1]

    def chosen(self, tokens, left, right, side):
        """What is rewritten, from left to right; a left context unit must still be there."""
        spans, used = [], 0
        for slot in self.slots(tokens):
            if (tokens[slot.left].name, tokens[slot.right].name) == (
                left,
                right,
            ) and slot.left >= used:
                span = (slot.left if side < 0 else slot.left + 1, slot.right + (side > 0))
                spans.append(span)
                used = span[1]
        return spans

    def class_name(self, left, right, expressions):
        name = self.own.get((left, right)) or self.nearest(expressions)
        if name is None:
            name = f"C{len(self.members) + 1}"
            self.rank[name] = len(self.rank) + 1000
        self.own[left, right] = name
        self.members.setdefault(name, set()).update(expressions)
        return name

    def nearest(self, expressions):
        if self.options.overlap_threshold is None:
            return None
        best, name = 0.0, None
        for other, members in self.members.items():
            if self.overlap(expressions, members) > best:
                best, name = self.overlap(expressions, members), other
        return name if best >= self.options.overlap_threshold else None

    def overlap(self, a, b):
        return len(a & b) / min(len(a), len(b))

    def rewrite(self, number, spans, name):
        old, new, done = self.sentences[number], [], 0
        for a, b in spans:
            token = Token(self.rank[name], name, old[a].start, old[b - 1].end)
            new += [*old[done:a], token]
            self.brackets[number].append((token.start, token.end, name))
            done = b
        self.sentences[number] = new + old[done:]


def sorted_spans(rows):
    """Each sentence's spans as sorted (start, end, label)."""
    return [sorted((start, end, label) for label, start, end in row) for row in rows]
