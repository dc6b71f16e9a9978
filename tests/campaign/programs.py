"""Programs that live as long as the command and answer it, well or badly: nothing hangs, no line is lost."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

from fstce.processes import line_program
from tests.campaign.child import run
from tests.campaign.verdict import FINE, LOST, WRONG, Verdict, of

_HEAD = """import os, sys, time
def put(answer): os.write(1, answer)
for number, line in enumerate(iter(sys.stdin.buffer.readline, b"")):
"""
# What a program does with a line, from the third on; before, and where it is honest, it gives it back.
ANSWERS = {
    "honest": "put(line)",
    "blanks": "put(b'  '.join(line.rstrip(b'\\n').split()) + b' \\n')",
    "characters": "put(' '.join(line.decode().rstrip('\\n')).encode() + b'\\n')",
    "bytes": "[put(line[i:i + 1]) for i in range(len(line))]",
    "banner": "put(b'Version 1.0\\n' + line)",
    "extra": "put(line + b'done\\n')",
    "extra blank": "put(line + b'\\n')",
    "two": "put(line.replace(b' ', b'\\n', 1) if b' ' in line else b'a\\n' + line)",
    "half": "put(line[:len(line) // 2]); time.sleep(1000)",
    "no end": "put(line.rstrip(b'\\n')); time.sleep(1000)",
    "nothing": "pass",
    "blank": "put(b'\\n')",
    "other": "put(line.upper().replace(b'E', b'3'))",
    "no text": "put(b'\\xff\\xfe' + line)",
    "endless line": "[put(b'a' * 4096) for _ in iter(int, 1)]",
    "endless lines": "[put(b'a\\n') for _ in iter(int, 1)]",
    "ends": "sys.exit(0)",
    "fails": "sys.exit(3)",
    "killed": "os.kill(os.getpid(), 9)",
    "deaf": "os.close(0); time.sleep(1000)",
    "mute": "os.close(1); time.sleep(1000)",
    "leaves a child": "put(line); os.fork() or time.sleep(1000)",
}
HONEST = ("honest", "blanks", "characters", "bytes")
VERBS = (
    ["tagger", "tag", "tagger", "IN"],
    ["latent", "parse", "latent", "IN"],
    ["corrector", "correct", "corrector", "IN"],
    ["info", "IN"],
    ["neighborhood", "lattice", "trans1", "--text", "IN", "-o", "OUT.far"],
)
WORDS = (
    "the",
    "dog",
    "barks",
    ".",
    "Don't",
    "犬",
    "naïve",
    "a\rb",
    "x\u2028y",
    "x\x85y",
    "e\u0301",
    "a\x0bb",
    "1.5",
)


def keys(random: Random) -> Iterator[str]:
    """Endless: what the program does, which verb, seed of the text."""
    while True:
        yield f"{random.choice(list(ANSWERS))}:{random.randrange(len(VERBS))}:{random.getrandbits(30)}"


def _hurried() -> None:
    line_program.SILENCE = line_program.FIRST = 2.0


def judge(key: str, specimens: Path, scratch: Path) -> Verdict:
    """Write program and text, run, judge."""
    what, verb, seed = key.split(":")
    random = Random(int(seed))
    lines = [
        " ".join(random.choices(WORDS, k=random.randrange(1, 8)))
        for _ in range(random.randrange(3, 9))
    ]
    if random.random() < 0.3:
        lines.insert(random.randrange(len(lines)), "dog " * random.choice((3_000, 60_000)))
    if random.random() < 0.3:
        lines.insert(random.randrange(len(lines)), "")
    (scratch / "mine.txt").write_bytes("".join(f"{line}\n" for line in lines).encode())
    (scratch / "program.py").write_text(
        f"{_HEAD}    if number < 2: put(line); continue\n    {ANSWERS[what]}\n"
    )
    arguments = [argument.replace("OUT", str(scratch / "out")) for argument in VERBS[int(verb)]]
    arguments = [
        str(scratch / "mine.txt") if argument == "IN" else argument for argument in arguments
    ]
    command = f"{sys.executable} {scratch / 'program.py'}"
    options = (
        ["--tokenizer", command, "--input-format", "plain"] if "IN" in VERBS[int(verb)] else []
    )
    options = options if arguments[1] not in ("correct", "lattice") else ["--tokenizer", command]
    # 60,000 words in one line are parsed, in sentences
    patience = 240 if arguments[1] == "parse" else 40
    ended = run([*arguments, *options], folder=specimens, prepare=_hurried, seconds=patience)
    verdict = of(ended, ["tokenizer", "mine.txt", "program.py"])
    if verdict.what != FINE:
        return verdict
    if ended.code == 0 and what not in (*HONEST, "leaves a child", "extra", "extra blank"):
        return Verdict(WRONG, f"all is well, with a program that {what}")
    if ended.code != 0 and what in HONEST and b"tokenizer" in ended.err:
        return Verdict(WRONG, f"an honest program is refused: {ended.err[-300:]!r}")
    n_answers = ended.out.count(b"\n")
    if ended.code == 0 and arguments[1] in ("tag", "parse") and n_answers < len(lines) - 1:
        return Verdict(LOST, f"{len(lines)} lines, {n_answers} answers")
    return verdict
