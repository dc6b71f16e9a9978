"""What an installed fstce does with its core dependencies alone; needs neither pytest nor the sources.

Run: python tests/smoke.py
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from patience import patience

import fstce


def neighborhoods() -> None:
    lattice = fstce.neighborhood("trans1")(["natural", "language", "is", "a", "delicate", "thing"])
    assert lattice.count() == 6
    assert lattice.to_fst().num_states() == len(lattice)


def tagger(folder: Path) -> None:
    text = fstce.corpora.sample()
    dictionary = fstce.TagDictionary.from_corpus(text)
    trained = fstce.Tagger(neighborhood="trans1", sigma2=1.0).fit(text, dictionary=dictionary)
    trained.save(folder / "tagger")
    words = ["the", "baker", "will", "light", "the", "lamp"]
    assert fstce.Tagger.load(folder / "tagger").predict([words]) == [
        ["DT", "NN", "MD", "VB", "DT", "NN"]
    ]


def parser() -> None:
    tags = [sentence.tags for sentence in fstce.corpora.sample() if len(sentence) < 8]
    trained = fstce.DependencyParser(neighborhood="delortrans1", sigma2=0.1).fit(tags)
    assert trained.predict([["DT", "NN", "VBZ"]])[0].count(0) == 1


def program(folder: Path) -> None:
    for arguments in (["--version"], ["--help"], ["quickstart"]):
        command = [sys.executable, "-I", "-m", "fstce", *arguments]
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=patience(300))


def main() -> None:
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        neighborhoods()
        tagger(Path(folder))
        parser()
        program(Path(folder))
    took = time.perf_counter() - began
    print(f"fstce {fstce.__version__} in {Path(fstce.__file__).parent}: all well in {took:.0f} s")


def test_smoke() -> None:
    """For pytest, where it is named: ``pytest tests/smoke.py``."""
    main()


if __name__ == "__main__":
    main()
