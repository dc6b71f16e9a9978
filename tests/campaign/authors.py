"""Neighborhoods of authors who made a mistake or mean no good: found out in time, and told as what it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from fstce.neighborhoods.base import Neighborhood
from tests.campaign.child import run
from tests.campaign.verdict import FINE, UNCLEAR, WRONG, Verdict, of

_HEAD = "import os, sys, time\nimport pynini\nimport pywrapfst\n\n"
# Bodies of build(symbols); what stands before a line of dashes is of the module.
BODIES: dict[str, str] = {
    "endless loop": "    while True: pass",
    "sleeps": "    time.sleep(1000)",
    "exit": "    exit()",
    "sys.exit 0": "    sys.exit(0)",
    "os._exit 0": "    os._exit(0)",
    "abort": "    os.abort()",
    "signal": "    os.kill(os.getpid(), 11)",
    "returns none": "    return None",
    "returns text": "    return 'trans1'",
    "raises": "    raise ValueError('a plain error \\x1b[31m with colors')",
    "recursion": "    return build(symbols)",
    "memory": "    return [bytearray(10**8) for _ in range(1000)] and None",
    "empty": "    return pynini.Fst()",
    "infinite": "    return pynini.closure(pynini.cross('', symbols.any())) + pynini.closure(symbols.any())",
    "deletes all": "    return pynini.closure(pynini.cross(symbols.any(), ''))",
    "drops the sentence": "    a = symbols.any()\n    return pynini.closure(a) + pynini.cross(a, '')",
    "bytes": "    return pynini.closure(pynini.union('a', 'b'))",
    "weights": "    return pynini.closure(symbols.any() + pynini.accep('', weight=1.0))",
    "negative cycle": "    f = pynini.closure(symbols.any())\n    f.add_arc(f.start(), pynini.Arc(0, 0, -1.0, f.start()))\n    return f",
    "bad target": "    f = pynini.Fst()\n    s = f.add_state()\n    f.set_start(s)\n    f.set_final(s)\n    f.add_arc(s, pynini.Arc(5, 5, 0, 99))\n    return f",
    "bad label": "    return pynini.closure(symbols.any() | symbols.union([10**6]))",
    "prints": "    print('noise from the author')\n    sys.stderr.write('noise\\n')\n    return pynini.closure(symbols.any() | pynini.cross(symbols.any(), ''))",
    "no build": "x = 1\n---",
    "syntax": "def (\n---",
    "import error": "import nothing_of_that_name\n---\n    return pynini.closure(symbols.any())",
    "introduces text": "INTRODUCES = 'not'\n---\n    return pynini.closure(symbols.any())",
    "introduces number": "INTRODUCES = 7\n---\n    return pynini.closure(symbols.any())",
    "false claim": "EQUIVARIANT = True\n---\n    a = symbols.any()\n    cat = symbols.union(['dog']) if 'dog' in symbols else a\n    return pynini.closure(a) + pynini.closure(pynini.cross(cat, ''), 0, 1) + pynini.closure(a)",
    "blows up": "    a = symbols.any()\n    return (pynini.closure(a) + pynini.closure(pynini.cross(a, '') | pynini.cross('', a) | a, 0, {n}) + pynini.closure(a))",
    "two steps that grow": "    a = symbols.any()\n    return pynini.closure(a | pynini.cross(a, a + a + a)).optimize()",
    "honest": "    return pynini.closure(symbols.any() | pynini.cross(symbols.any(), ''))",
    "at import": "sys.exit(3)\n---\n    return pynini.closure(symbols.any())",
    "forks": "    os.fork()\n    return pynini.closure(symbols.any() | pynini.cross(symbols.any(), ''))",
    "changes folder": "    os.chdir('/')\n    return pynini.closure(symbols.any() | pynini.cross(symbols.any(), ''))",
    "closes output": "    os.close(1)\n    os.close(2)\n    return pynini.closure(symbols.any() | pynini.cross(symbols.any(), ''))",
}  # fmt: skip
VERBS = {
    "check": ["neighborhood", "check", "./author.py", "the dog barks", "--seconds", "2", "--megabytes", "700"],
    "show": ["neighborhood", "show", "./author.py", "the dog barks"],
    "lattice": ["neighborhood", "lattice", "./author.py", "--text", "text.txt", "-o", "OUT.far"],
    "train": ["tagger", "train", "text.txt", "-d", "words.tsv", "--max-iterations", "2", "-q", "-n", "./author.py", "-o", "OUT"],
}  # fmt: skip
HONEST = (
    "honest",
    "prints",
    "changes folder",
    "forks",
    "closes output",
    "two steps that grow",
    "deletes all",
)
# Seconds for a sentence, in a child and again, instead of the half minute that users have
PATIENCE = 2.0
SECONDS = 120.0


def keys(random: Random) -> Iterator[str]:
    """Endless: whose file, which verb, how large."""
    while True:
        yield f"{random.choice(list(BODIES))}:{random.choice(list(VERBS))}:{random.randrange(1, 60)}"


def _hurried() -> None:
    Neighborhood.patience = PATIENCE


def judge(key: str, specimens: Path, scratch: Path) -> Verdict:
    """Write the file, run the verb; what is dishonest never ends well, and is never told as another fault."""
    name, verb, size = key.split(":")
    module, _, body = BODIES[name].rpartition("---")
    code = (
        _HEAD
        + module.replace("---", "")
        + "\n\ndef build(symbols):\n"
        + body.replace("{n}", size)
        + "\n"
    )
    (scratch / "author.py").write_text(
        _HEAD + BODIES[name].replace("---", "") if body == "" else code
    )
    (scratch / "words.tsv").symlink_to(specimens / "words.tsv")
    (scratch / "text.txt").write_text("the dog barks .\n")
    arguments = [argument.replace("OUT", str(scratch / "out")) for argument in VERBS[verb]]
    ended = run(arguments, folder=scratch, prepare=_hurried, seconds=SECONDS, megabytes=None)
    # A check is about the file that it was asked about, and need not name it again; who forks has two
    # processes that write one output, of which the second may name that.
    names = ["author", *(["out"] if name == "forks" else [])]
    verdict = of(ended, [], (0, 1, 2)) if verb == "check" else of(ended, names)
    if verdict.what != FINE:
        return verdict
    # One sentence of these words does not tell a claim false, nor does a verb that shares no lattices.
    if ended.code == 0 and name not in (*HONEST, "false claim", "blows up"):
        return Verdict(WRONG, f"all is well, says {verb}: {ended.out[-200:]!r}")
    if verb == "train" and ended.code == 0 and not (scratch / "out" / "model.json").exists():
        return Verdict(WRONG, "training reports success and there is no model")
    if b"noise" in ended.out:
        return Verdict(UNCLEAR, "an author's print stands among the data")
    return verdict
