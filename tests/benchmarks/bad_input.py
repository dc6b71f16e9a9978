"""What each verb does with each kind of bad input, as a table for the docs.

To try: ``python tests/benchmarks/bad_input.py``

Small models are trained on part of the sample; each cell is the exit code and what became of the
bad place among good ones: refused, left out, passed through, or read.
"""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from pathlib import Path

from fstce.cli.main import main
from fstce.corpora import sample

GOOD = b"the clock stopped .\n"
TAGGED = b"the/DT clock/NN stopped/VBD ./.\n"
BAD: dict[str, tuple[bytes, bytes]] = {
    "a reserved word": (b"the <s> .\n", b"the/DT <s>/NN\n"),
    "a byte that is no UTF-8": (b"na\xefve .\n", b"na\xefve/JJ ./.\n"),
    "a NUL": (b"a\0b .\n", b"a\0b/NN ./.\n"),
    "no blanks between words": ("我们昨天去了图书馆借了几本书。\n".encode(), "我们/NN\n".encode()),
    "a word without its tag": (b"", b"the/DT clock\n"),
    "nothing at all": (b"", b""),
    "blank lines": (b"\n\n", b"\n\n"),
    "100,000 combining marks": (
        b"a" + "\u0301".encode() * 100_000 + b"\n",
        b"a" + "\u0301".encode() * 100_000 + b"/NN\n",
    ),
}
VERBS = {
    "tagger tag": False,
    "parser parse": True,
    "latent parse": False,
    "induction parse": False,
    "corrector correct": False,
}


def run(*arguments: str, given: bytes = b"") -> tuple[int, str, str]:
    """Exit code, output and errors of a verb."""
    kept = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(given))
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(list(arguments))
    finally:
        sys.stdin = kept
    return code, out.getvalue(), err.getvalue()


def models(folder: Path) -> dict[str, str]:
    """A small model for each verb."""
    part = folder / "part.mrg"
    part.write_text("".join(f"{s.tree}\n" for s in sample()[:40]), encoding="utf-8")
    commands = {
        "tagger tag": ("tagger", "train", "--order", "2", "--max-iterations", "3"),
        "parser parse": ("parser", "train", "--max-iterations", "3", "--max-length", "6"),
        "latent parse": ("latent", "train", "--cycles", "0"),
        "induction parse": ("induction", "train"),
        "corrector correct": ("corrector", "train", "--max-iterations", "2"),
    }
    for name, (group, verb, *options) in commands.items():
        code, _, err = run(group, verb, str(part), "-q", "-o", str(folder / name), *options)
        if code:
            print(name, err, file=sys.stderr)
    return {name: str(folder / name) for name in commands}


def cell(verb: str, model: str, given: bytes, policy: str) -> str:
    """What became of a bad place."""
    code, out, err = run(
        *verb.split(), model, *(("--faulty", policy) if policy else ()), given=given
    )
    if code:
        return f"{code}: refused"
    for told, fate in (("left out", "left out"), ("passed through", "passed through")):
        if told in err:
            return f"0: {fate}"
    return "0: read" if out.strip() else "0: nothing"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        found = models(Path(place))
        print("| between good lines |", " | ".join(VERBS), "| `tagger tag --faulty raise` |")
        print("|---" * (len(VERBS) + 2) + "|")
        for what, (plain, tagged) in BAD.items():
            texts = {True: tagged, False: plain}
            around = {True: TAGGED, False: GOOD}
            row = []
            for verb, policy in [*((verb, "") for verb in VERBS), ("tagger tag", "raise")]:
                kind, bad = VERBS[verb], texts[VERBS[verb]]
                given = bad if what == "nothing at all" else around[kind] + bad + around[kind]
                skip = what == "a word without its tag" and not kind
                row.append("–" if skip else cell(verb, found[verb], given, policy))
            print(f"| {what} |", " | ".join(row), "|", flush=True)
