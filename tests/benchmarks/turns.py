"""What common works cost now and at the commit that `since` names, by turns: ``make turns``.

Each measurement is a process of its own, old and new take turns, and processor time counts, so that a
busy machine does little harm. A work is slower where it took more than `LIMIT` times as long in every
round; then the exit code is 1. Both states use the libraries of the Python that runs this.
"""

from __future__ import annotations

import compileall
import io
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "turns"
PACKAGES = {"fstce": "fstce", "grammars": "fstce/grammars", "transducers": "fstce/transducers"}
ROUNDS = 3
LIMIT = 1.3

TEXT = "text = [list(sentence.words) for sentence in fstce.read_corpus('sample')]"
TAGS = "tags = [list(sentence.tags) for sentence in fstce.read_corpus('sample')]"
CORPUS = "corpus = fstce.read_corpus('sample')"
LISTED = "listed = fstce.TagDictionary.from_corpus(fstce.read_corpus('sample'))"
TAGGER = "model = fstce.Tagger('trans1', max_iterations=5).fit(text, dictionary=listed)"
SHORT = "tags = [row for row in tags if 3 <= len(row) <= 10]"
LATTICES = "lattices = [fstce.neighborhood('trans1')(words[:12]) for words in text[:200]]"
# What is got ready, and what is timed.
WORKS = {
    "read a treebank": ((), "fstce.read_corpus('sample')"),
    "dictionary of a corpus": (
        (CORPUS,),
        "[fstce.TagDictionary.from_corpus(corpus) for _ in range(20)]",
    ),
    "train a tagger": ((TEXT, LISTED), TAGGER),
    "tag a text": ((TEXT, LISTED, TAGGER), "model.predict(text)"),
    "tag one sentence": ((TEXT, LISTED, TAGGER), "[model.predict(text[:1]) for _ in range(50)]"),
    "explain a sentence": ((TEXT, LISTED, TAGGER), "fstce.explain(model, text[0])"),
    "train a parser": (
        (TAGS, SHORT),
        "fstce.DependencyParser(criterion='em', max_iterations=3).fit(tags)",
    ),
    "make lattices": ((TEXT,), LATTICES),
    "strings of lattices": ((TEXT, LATTICES), "[lattice.strings() for lattice in lattices]"),
    "score brackets": (
        ("from fstce import evaluation", "trees = [s.tree for s in fstce.read_corpus('sample')]"),
        "evaluation.evalb_scores(trees, trees).total()",
    ),
    "train a corrector": (
        (TEXT,),
        "fstce.Corrector(spell=1, criterion='contrastive').fit(text[:200])",
    ),
    "correct a text": (
        (TEXT, "model = fstce.Corrector(spell=1, criterion='none').fit(text)"),
        "model.predict([[word[1:] + word[:1] for word in words] for words in text[:20]])",
    ),
}
COMMANDS = ("--help", "neighborhood show trans1 'a b c'")
PROGRAM = """
import sys, time, warnings
sys.meta_path = [finder for finder in sys.meta_path if "editable" not in repr(finder).lower()]
warnings.simplefilter("ignore")
{code}
"""
TIMED = """
import fstce
{setup}
began = time.process_time()
{statement}
print(time.process_time() - began)
"""
STARTED = """
import contextlib, io, shlex
from fstce.cli.main import main
with contextlib.redirect_stdout(io.StringIO()):
    assert main(shlex.split({command!r})) == 0
print(time.process_time())
"""


def laid_out(commit: str | None) -> Path:
    """A folder with the package as a wheel has it, of a commit or of the work tree."""
    place = BUILD / (commit or "now")
    if commit is not None and place.exists():
        return place

    shutil.rmtree(place, ignore_errors=True)
    source = ROOT
    if commit is not None:
        source = BUILD / f"{commit}-source"
        archive = subprocess.run(
            ["git", "archive", commit, *PACKAGES], cwd=ROOT, capture_output=True, check=True
        )
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tar:
            tar.extractall(source, filter="data")

    for name, target in PACKAGES.items():
        shutil.copytree(source / name, place / target, dirs_exist_ok=True)
    compileall.compile_dir(place, quiet=1)  # an installed package is not compiled at each start
    return place


def seconds(place: Path, code: str) -> float:
    """The processor time that a program in a process of its own says it took."""
    environment = {**os.environ, "PYTHONPATH": str(place), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", PROGRAM.format(code=code)]
    done = subprocess.run(
        command, cwd=BUILD, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{place.name}: {done.stderr.strip()}")
    return float(done.stdout.split()[-1])


def codes() -> dict[str, str]:
    """The program of each work by its name."""
    works = {
        name: TIMED.format(setup="\n".join(setup), statement=statement)
        for name, (setup, statement) in WORKS.items()
    }
    commands = {f"fstce {command}": STARTED.format(command=command) for command in COMMANDS}
    return {**works, **commands}


def main() -> int:
    """Print a row for each work; 1 where one has become slower."""
    commit = Path(__file__).with_name("since").read_text(encoding="utf-8").split()[0]
    before, now = laid_out(commit), laid_out(None)
    slower = []
    print(f"{'work':36}{commit[:7]:>9}{'now':>9}{'ratio':>7}")
    for name, code in codes().items():
        rounds = [(seconds(before, code), seconds(now, code)) for _ in range(ROUNDS)]
        old, new = (min(times) for times in zip(*rounds, strict=True))
        print(f"{name:36}{old:8.3f}s{new:8.3f}s{new / old:7.2f}", flush=True)
        if all(time > LIMIT * earlier for earlier, time in rounds):
            slower.append(name)

    if slower:
        print(f"slower than {LIMIT} times in each of {ROUNDS} rounds: {', '.join(slower)}")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
