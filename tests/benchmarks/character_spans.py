"""What the tokenizer costs a parser: F1 of labeled spans of characters, from gold words and from text.

To try: ``PYTHONPATH=tests python tests/benchmarks/character_spans.py [CYCLES]``

The bundled sample, a latent grammar of its first three quarters, the last quarter written as a
writer would and cut again by the conventions read off the first. Characters are counted without
blanks, brackets and quotation marks as they are written.
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Sequence

from text_cases import written

from fstce import LatentGrammar
from fstce.corpora import Sentence, TextReader, Tree, recognize, sample

_WRITTEN = {"-LRB-": "(", "-RRB-": ")", "``": '"', "''": '"'}


def spans(trees: Sequence[Tree]) -> Counter[tuple[str, int, int]]:
    """The labeled spans of trees end to end, in characters without blanks."""
    found: Counter[tuple[str, int, int]] = Counter()
    start = 0
    for tree in trees:
        ends = [start]
        for word in tree.leaves():
            ends.append(ends[-1] + len(_WRITTEN.get(word, word)))
        found.update((label, ends[a], ends[b]) for label, a, b in tree.spans())
        start = ends[-1]
    return found


def main(cycles: str = "2") -> None:
    """Print both scores."""
    sentences = sample()
    cut = len(sentences) * 3 // 4
    train, held = sentences[:cut], sentences[cut:]
    grammar = LatentGrammar(cycles=int(cycles), seed=1).fit(train)
    reader = TextReader(recognize(train), raw=True)
    cases = [(s, reader.sentences(written(s), "a:1")) for s in held]
    same = sum([w for t in found for w in t] == [*s] for s, found in cases)
    print(f"{same} of {len(held)} sentences have the gold words")
    print(f"gold words: {score(held, [[s] for s in held], grammar):.2f}")
    print(f"from text:  {score(held, [found for _, found in cases], grammar):.2f}")


def score(
    gold: Sequence[Sentence], cut: Sequence[Sequence[Sentence]], grammar: LatentGrammar
) -> float:
    """F1 in percent."""
    right: Counter[tuple[str, int, int]] = spans([s.tree for s in gold if s.tree is not None])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = spans(grammar.predict([list(s) for row in cut for s in row]))
    return 200 * (right & found).total() / (right.total() + found.total())


if __name__ == "__main__":
    main(*sys.argv[1:])
