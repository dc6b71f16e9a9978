"""Damaged files of every format that is read: each is refused by name, or read as OpenFst reads it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.campaign.child import Ended, run
from tests.campaign.mutators import HARMLESS, MUTATORS
from tests.campaign.verdict import FINE, WRONG, Verdict, of

# What reads each specimen: IN is the damaged file, OUT a place to write to.
READERS: dict[str, list[list[str]]] = {
    "text.txt": [
        ["tagger", "tag", "tagger", "IN"],
        ["corrector", "correct", "corrector", "IN"],
        ["latent", "parse", "latent", "IN"],
        ["induction", "train", "IN", "--iterations", "2", "-o", "OUT"],
        ["tagger", "train", "IN", "-d", "words.tsv", "--max-iterations", "2", "-q", "-o", "OUT"],
        ["info", "IN", "-d", "words.tsv"],
        ["neighborhood", "lattice", "trans1", "--text", "IN", "-o", "OUT.far"],
    ],
    "tagged.pos": [
        ["info", "IN"],
        ["tagger", "evaluate", "tagger", "IN"],
        ["tagger", "train", "IN", "--max-iterations", "2", "-q", "-o", "OUT"],
    ],
    "trees.mrg": [
        ["info", "IN"],
        ["latent", "evaluate", "latent", "IN"],
        ["latent", "train", "IN", "--cycles", "0", "-q", "-o", "OUT"],
        ["induction", "evaluate", "constituents", "IN"],
    ],
    "text.conllu": [
        ["info", "IN"],
        ["parser", "parse", "parser", "IN"],
        ["parser", "evaluate", "parser", "IN"],
        ["parser", "train", "IN", "--max-iterations", "2", "-q", "-o", "OUT"],
        ["tagger", "tag", "tagger", "IN", "--output-format", "conllu"],
    ],
    "text.conllx": [["info", "IN"], ["parser", "parse", "parser", "IN"]],
    "words.tsv": [["info", "text.txt", "-d", "IN"]],
    "words.csv": [["info", "text.txt", "-d", "IN"]],
    "words.json": [["info", "text.txt", "-d", "IN"]],
    "uni.tsv": [["info", "text.txt", "-d", "IN"]],
    "edges.txt": [["machine", "convert", "IN", "OUT.fst"], ["machine", "info", "IN"]],
    "edges.syms": [["machine", "convert", "edges.txt", "OUT.fst", "--isymbols", "IN", "--osymbols", "IN"]],
    "neighbors.att": [["neighborhood", "show", "IN", "the dog barks"], ["neighborhood", "check", "IN"]],
    "counts.tsv": [["corrector", "train", "text.txt", "--lexicon", "IN", "-c", "none", "-q", "-o", "OUT"]],
    "lattice.fst": [["machine", "convert", "IN", "OUT.txt"], ["machine", "info", "IN"], ["neighborhood", "show", "IN", "the dog barks"]],
    "weighted.fst": [["machine", "convert", "IN", "OUT.txt", "--numbers"], ["machine", "info", "IN"]],
    "const.fst": [["machine", "convert", "IN", "OUT.txt", "--numbers"], ["machine", "info", "IN"]],
    "transducer.fst": [["neighborhood", "show", "IN", "the dog barks"], ["machine", "draw", "IN", "-o", "OUT.dot"]],
    "lattices.far": [["machine", "info", "IN"], ["machine", "convert", "IN", "OUT.txt", "--key", "trans1"]],
    "stream.txt": [["tagger", "tag", "tagger", "IN"], ["info", "IN"], ["tagger", "train", "IN", "--max-iterations", "2", "-q", "-o", "OUT"]],
    "cg.txt": [["tagger", "tag", "tagger", "IN"], ["tagger", "train", "IN", "--max-iterations", "2", "-q", "-o", "OUT"]],
    "table.csv": [["info", "IN"], ["tagger", "evaluate", "tagger", "IN"]],
    "lines.jsonl": [["info", "IN"], ["tagger", "tag", "tagger", "IN"]],
    "vertical.vert": [["info", "IN"]],
    "lookup.tsv": [["info", "text.txt", "-d", "IN"]],
    "answers.tsv": [["tagger", "train", "text.txt", "-d", "words.tsv", "--answers", "IN", "--max-iterations", "2", "-q", "-o", "OUT"]],
    "typos.tsv": [["speller", "learn", "IN", "--lexicon", "counts.tsv", "-q", "-o", "OUT"], ["speller", "evaluate", "speller", "IN"]],
    "rules.aff": [["speller", "learn", "typos.tsv", "--lexicon", "IN.dic", "-q", "-o", "OUT"]],
    "rules.dic": [["speller", "learn", "typos.tsv", "--lexicon", "IN", "-q", "-o", "OUT"]],
    "machine.hfst": [["machine", "info", "IN"], ["machine", "convert", "IN", "OUT.fst"], ["machine", "optimize", "IN", "-o", "OUT.hfst"]],
    "machine.hfstol": [["machine", "info", "IN"], ["machine", "convert", "IN", "OUT.fst"]],
    "machine.foma": [["machine", "info", "IN"], ["machine", "convert", "IN", "OUT.fst"]],
    "machine.att": [["machine", "info", "IN"], ["machine", "compose", "IN", "machine.att", "-o", "OUT.fst"], ["machine", "shortest", "IN", "-o", "OUT.fst"]],
    "words.zhfst": [["machine", "info", "IN"], ["speller", "learn", "typos.tsv", "--lexicon", "IN", "-q", "-o", "OUT"]],
    "lattice.att.txt": [["machine", "convert", "IN", "OUT.fst"], ["machine", "info", "IN"]],
}  # fmt: skip

BINARY = (".fst", ".far", ".syms", ".hfst", ".hfstol", ".foma", ".zhfst")


def keys(random: Random) -> Iterator[str]:
    """Endless: which specimen, reader, and seed of the damage."""
    names = list(READERS)
    while True:
        name = random.choice(names)
        yield f"{name}:{random.randrange(len(READERS[name]))}:{random.getrandbits(40)}"


def judge(key: str, specimens: Path, scratch: Path) -> Verdict:
    """Damage the specimen, run the reader, judge."""
    name, reader, seed = key.split(":")
    random = Random(int(seed))
    healthy = (specimens / name).read_bytes()
    harmless = None
    if random.random() < 0.05 and not name.endswith(BINARY):
        packable = name.startswith(("text", "tagged", "trees", "words"))
        harmless = random.choice(
            list(HARMLESS) if packable else ["BOM", "CRLF", "no last line end"]
        )
        data = HARMLESS[harmless](healthy)
    else:
        data = random.choice(MUTATORS)(random, healthy)
    damaged = scratch / name
    damaged.write_bytes(data)
    for suffix in (".syms", ".dic", ".aff"):
        beside = (specimens / name).with_suffix(suffix)
        if beside.exists() and beside.name != name:
            shutil.copy(beside, scratch)
    arguments = READERS[name][int(reader)]
    ended = _run(arguments, str(damaged), specimens, scratch / "out")
    verdict = of(
        ended,
        [name, "lattice.att", "rules.dic", "--dictionary", "lexicon"],
        (0, 2) if "check" not in arguments else (0, 1, 2),
    )
    if verdict.what != FINE:
        return verdict
    if harmless:
        before = _run(arguments, str(specimens / name), specimens, scratch / "out")
        same = before.code == ended.code and _told(before, name) == _told(ended, name)
        return (
            Verdict(FINE)
            if same
            else Verdict(WRONG, f"{harmless} changes the result: {ended.err[-200:]!r}")
        )
    if ended.code == 0 and name.endswith(".fst") and arguments[1] == "convert":
        return _as_openfst(damaged, scratch / "out.txt", "--numbers" in arguments)
    return Verdict(FINE)


def _run(arguments: list[str], damaged: str, specimens: Path, out: Path) -> Ended:
    places = {"IN": damaged, "IN.dic": str(Path(damaged).with_suffix(".dic"))}
    filled = []
    for argument in arguments:
        is_output = argument.startswith("OUT")
        filled.append(
            argument.replace("OUT", str(out)) if is_output else places.get(argument, argument)
        )
    return run(filled, folder=specimens)


def _told(ended: Ended, name: str) -> list[bytes]:
    """The lines printed, without empty ones, those that name the file, times, and the mark that is kept."""
    out = ended.out.removeprefix(b"\xef\xbb\xbf")
    lines = [line for line in out.splitlines() if name.encode() not in line and b" s" not in line]
    lines = [line for line in lines if line]
    return [re.sub(rb" \d+\.\d{3}$", b"", line) for line in lines]


def _as_openfst(damaged: Path, text: Path, numbers: bool) -> Verdict:
    """Whether our text has the arcs that fstprint prints; where that refuses the file nothing is told."""
    printed = subprocess.run(["fstprint", damaged], capture_output=True, timeout=60)
    if printed.returncode:
        return Verdict(FINE)
    theirs, ours = (
        Counter(map(_arc, content.split(b"\n"))) for content in (printed.stdout, text.read_bytes())
    )
    if numbers and theirs != ours and b"<" not in printed.stdout:
        return Verdict(WRONG, f"fstprint has {theirs - ours}, fstce {ours - theirs}"[:400])
    if sum(theirs.values()) != sum(ours.values()):
        return Verdict(
            WRONG, f"fstprint prints {sum(theirs.values())} lines, fstce {sum(ours.values())}"
        )
    return Verdict(FINE)


def _arc(line: bytes) -> tuple[bytes | float, ...]:
    """Labels and weight of a line of AT&T text; acceptors have one label, ours may have two."""
    fields = line.split()
    if len(fields) < 3:
        return (len(fields), round(float(fields[1]), 4)) if len(fields) == 2 else (len(fields),)
    acceptor = len(fields) == 3 or (len(fields) == 4 and b"." in fields[3])
    labels = (fields[2], fields[2]) if acceptor else tuple(fields[2:4])
    weight = fields[3 if acceptor else 4 :]
    return (*labels, round(float(weight[0]), 4) if weight else 0.0)
