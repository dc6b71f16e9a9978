"""What a corrector with a dictionary of hunspell takes, and how good it is: a row of a language.

    python -m examples.experiments.corrector_languages DATA Polish

DATA holds ``ud-panel``; dictionaries are those that the system has installed. The corrector is
trained on all but the last 300 sentences of the treebank. Training, and correcting with what was
saved, are a process each, so that each has its own peak of memory; seconds are processor time, of
the first sentence from the start of the process.

Page: docs/results/correction.md.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

from fstce import Corrector, read_corpus
from fstce.correction.mistakes.corruption import corrupted, random_edits
from fstce.evaluation.correction import correction_scores
from fstce.speller.lexicons import lexicon_file

TESTED = 300
RATE = 0.1
DICTIONARIES = Path("/usr/share/hunspell")
LANGUAGES = {
    "English": ("English-EWT.conllu", "en_US.dic"),
    "German": ("German.conllu", "de_DE.dic"),
    "Polish": ("Polish-PDB.conllu", "pl_PL.dic"),
    "Czech": ("Czech-CAC.conllu", "cs_CZ.dic"),
}
COLUMNS = (
    *(
        "language",
        "forms",
        "sentences",
        "training in seconds",
        "training in MB",
        "first sentence in seconds",
    ),
    *(
        "memory in MB",
        "another sentence in seconds",
        "sentences a second, new",
        "sentences a second, seen",
    ),
    *("before", "after", "clean"),
)


def trained(corpus: str, dictionary: str, folder: str) -> list[str]:
    """Forms, sentences, seconds and megabytes of a training."""
    rows = [list(sentence.words) for sentence in read_corpus(corpus)][:-TESTED]
    began = time.process_time()
    lexicon = lexicon_file(dictionary).counts
    Corrector(criterion="none").fit(rows, lexicon=lexicon).save(folder)
    return [
        f"{len(lexicon):,}",
        f"{len(rows):,}",
        f"{time.process_time() - began:.0f}",
        _megabytes(),
    ]


def corrected(corpus: str, folder: str) -> list[str]:
    """Seconds and memory to the first sentence and another, the pace, and the rates in percent."""
    began = time.process_time()
    rows = [list(sentence.words) for sentence in read_corpus(corpus)][-TESTED:]
    observed = [list(row.observed) for row in corrupted(rows, random_edits(), 1, RATE)]
    apart = time.process_time() - began
    corrector = Corrector.load(folder)
    corrector.predict(observed[:1])
    first = time.process_time() - apart
    memory = _megabytes()
    then = time.process_time()
    corrector.predict(observed[1:2])
    another = time.process_time() - then
    then = time.process_time()
    found = corrector.predict(observed)
    new = TESTED / (time.process_time() - then)
    then = time.process_time()
    corrector.predict(observed)
    seen = TESTED / (time.process_time() - then)
    scores = correction_scores(observed, rows, found)
    damage = correction_scores(rows, rows, corrector.predict(rows)).damage_rate
    rates = (scores.error_rate_before, scores.error_rate, damage)
    times = [f"{first:.2f}", memory, f"{another:.3f}", f"{new:.0f}", f"{seen:,.0f}"]

    return [*times, *(f"{rate:.2f}" for rate in rates)]


def _megabytes() -> str:
    """The peak of this process."""
    return f"{getrusage(RUSAGE_SELF).ru_maxrss / 1024:,.0f}"


def main(data: str, language: str) -> None:
    """Print the row of a language as a table."""
    treebank, dictionary = LANGUAGES[language]
    corpus = str(Path(data) / "ud-panel" / treebank)
    row = [language]
    with tempfile.TemporaryDirectory() as folder:
        for part in (
            ("trained", corpus, str(DICTIONARIES / dictionary), folder),
            ("corrected", corpus, folder),
        ):
            command = [sys.executable, __file__, *part]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            row += done.stdout.split("\t")
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}\n| {' | '.join(row)} |")


if __name__ == "__main__":
    parts = {"trained": trained, "corrected": corrected}
    if sys.argv[1] in parts:
        print(*parts[sys.argv[1]](*sys.argv[2:]), sep="\t", end="")  # type: ignore[operator]
    else:
        main(*sys.argv[1:])
