"""CoNLL-U with all that it may have: what a verb does not change comes out as it went in, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from tests.campaign.child import run
from tests.campaign.verdict import FINE, WRONG, Verdict, of

# For each verb the columns that it may change.
VERBS: dict[str, tuple[list[str], tuple[int, ...]]] = {
    "parse": (["parser", "parse", "parser", "IN"], (6, 7)),
    "proba": (["parser", "parse", "parser", "IN", "--proba"], (6, 7, 9)),
    "tag": (["tagger", "tag", "tagger", "IN", "--output-format", "conllu"], (3, 4)),
}
FIELDS = (
    "_",
    "x",
    "A=b|C=d",
    "é",
    "N=1|SpaceAfter=No",
    "a:b",
    "SpaceAfter=No|X=",
    "中",
    "1",
    "#",
    "||",
)
WORDS = ("the", "dog", "barks", ".", "don't", "中", "de", "(", "1.5", "e\u0301", "a_b")
COMMENTS = (
    "# text = a  b",
    "#",
    "# newdoc id = x",
    "# a\tb",
    "#1\t2\t3",
    "# global.columns = ID FORM",
    "# \ufeff",
)


def keys(random: Random) -> Iterator[str]:
    """Endless: which verb, seed of the file."""
    while True:
        yield f"{random.choice(list(VERBS))}:{random.getrandbits(40)}"


def judge(key: str, specimens: Path, scratch: Path) -> Verdict:
    """Write a file, run the verb, compare."""
    verb, seed = key.split(":")
    random = Random(int(seed))
    end = random.choice(("\n", "\n", "\r\n"))
    blocks = [_block(random) for _ in range(random.randrange(1, 8))]
    blocks[0] = [row for row in blocks[0] if "global.columns" not in row]  # there it is obeyed
    text = random.choice(("", "\ufeff")) + "".join(end.join((*block, "", "")) for block in blocks)
    (scratch / "mine.conllu").write_bytes(text.encode())
    arguments, free = VERBS[verb]
    filled = [
        str(scratch / "mine.conllu") if argument == "IN" else argument for argument in arguments
    ]
    ended = run(filled, folder=specimens)
    verdict = of(ended, ["mine.conllu"], (0,))
    if verdict.what != FINE:
        return verdict
    before, after = (_kept(written, free) for written in (text, ended.out.decode()))
    differing = [pair for pair in zip(before, after, strict=False) if pair[0] != pair[1]]
    if differing or len(before) != len(after):
        return Verdict(
            WRONG, f"{len(before)} lines, {len(after)} came out; {differing[:1]!r}"[:500]
        )
    return verdict


def _kept(text: str, free: Sequence[int]) -> list[object]:
    """The lines, those of words without the columns that may change."""
    kept: list[object] = []
    for line in text.split("\n"):
        row = line.split("\t")
        word = row[0].removeprefix("\ufeff").isdecimal()
        kept.append(
            [field for place, field in enumerate(row) if place not in free] if word else line
        )
    return kept


def _block(random: Random) -> list[str]:
    """Comments, words, ranges over words, empty nodes before and behind words."""
    n, last = random.randrange(1, 7), 0
    rows = random.choices(COMMENTS, k=random.choice((0, 0, 1, 3)))
    rows += [_row(random, "0.1", "_", "0:root")] if random.random() < 0.2 else []
    root = random.randrange(1, n + 1)
    for i in range(1, n + 1):
        if i > last and i < n and random.random() < 0.3:
            last = random.randrange(i + 1, n + 1)
            rows.append(
                f"{i}-{last}\t{random.choice(WORDS)}" + "\t_" * 7 + f"\t{random.choice(FIELDS)}"
            )
        head = "0" if i == root else str(root)
        enhanced = random.choice(
            ("_", f"{head}:dep", f"{head}:conj:and|{n}.1:nsubj", "0:root|1.1:x")
        )
        rows.append(_row(random, str(i), head, enhanced))
        rows += [
            _row(random, f"{i}.{k}", "_", f"{i}:dep")
            for k in range(1, random.choice((1, 1, 1, 2, 3)))
        ]
    return rows


def _row(random: Random, number: str, head: str, enhanced: str) -> str:
    tag = random.choice(("DT", "NN", "VBZ", "."))
    columns = (
        number,
        random.choice(WORDS),
        random.choice(FIELDS),
        random.choice(("NOUN", "_")),
        tag,
    )
    relation = "_" if head == "_" else random.choice(("root", "dep", "nsubj:pass"))
    return "\t".join(
        (*columns, random.choice(FIELDS), head, relation, enhanced, random.choice(FIELDS))
    )
