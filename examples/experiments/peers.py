"""What else a user would take, in one run: ``python -m examples.experiments.peers CORPUS``.

Processor time of one core, imports and training left out where it is application that counts. Every
program has the same sentences and the same words; a peer that is not installed has no row.

Data: docs/results/data/peers.tsv.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from string import ascii_lowercase
from typing import Any

import numpy as np

import fstce
from fstce.machines.openfst import pynini
from fstce.speller.export import write_speller

Row = tuple[str, str, float]  # the work, the program, words (or arcs) a second
TRAINED = 2000  # sentences
TAGGED = 1000
SLOW = 20  # sentences of what takes two milliseconds a word
ITERATIONS = 10
WORDS = 4000  # of EM without a dictionary
TYPOS = 300


def seconds(work: Callable[[], Any]) -> float:
    """The processor time of a work, of this process and of those that it waits for."""
    began = time.process_time() + sum(getrusage(RUSAGE_CHILDREN)[:2])
    work()
    return time.process_time() + sum(getrusage(RUSAGE_CHILDREN)[:2]) - began


def tagging(text: Sequence[Any]) -> Iterator[Row]:
    """Tag a text of which some words are unknown."""
    few, rest = text[:TRAINED], text[-TAGGED:]
    words = [list(sentence.words) for sentence in few]
    tags = [list(sentence.tags) for sentence in few]
    asked = [list(sentence.words) for sentence in rest]
    work = "tag a text"

    tagger = fstce.Tagger("trans1", max_iterations=5).fit(words, tags)
    tagger.dictionary_.lookup("unheard-of")  # is when tags of unknown words are learned
    tagger.predict(asked[:SLOW])  # loads what it needs
    taken = seconds(lambda: tagger.predict(asked))
    yield work, "fstce, trigrams", sum(map(len, asked)) / taken

    if find_spec("pycrfsuite"):
        import pycrfsuite

        described = [[[f"w={w}", f"s={w[-3:]}", "1"] for w in row] for row in words]
        trainer = pycrfsuite.Trainer(verbose=False, params={"max_iterations": 5})
        for row, gold in zip(described, tags, strict=True):
            trainer.append(row, gold)
        with tempfile.TemporaryDirectory() as folder:
            trainer.train(f"{folder}/crf")
            crf = pycrfsuite.Tagger()
            crf.open(f"{folder}/crf")
            rows = [[[f"w={w}", f"s={w[-3:]}", "1"] for w in row] for row in asked]
            taken = seconds(lambda: [crf.tag(row) for row in rows])
        yield work, "crfsuite, bigrams", sum(map(len, asked)) / taken

    if find_spec("nltk"):
        from nltk.tag import hmm

        pairs = [list(zip(row, gold, strict=True)) for row, gold in zip(words, tags, strict=True)]
        nltk = hmm.HiddenMarkovModelTrainer().train_supervised(pairs)
        taken = seconds(lambda: [nltk.tag(row) for row in asked[:SLOW]])
        yield work, "NLTK's HMM, bigrams", sum(map(len, asked[:SLOW])) / taken


def em(text: Sequence[Any]) -> Iterator[Row]:
    """An iteration of EM of a bigram HMM whose words may have every tag."""
    words, total = [], 0
    for sentence in text:
        words.append(list(sentence.words))
        total += len(sentence.words)
        if total > WORDS:
            break
    tagset = sorted({tag for sentence in text for tag in sentence.tags})
    listed = fstce.TagDictionary({w: tagset for row in words for w in row}, tagset)
    work = f"one iteration of EM, {len(tagset)} tags, no dictionary"

    tagger = fstce.Tagger(
        criterion="em", order=2, start="random", tolerance=0, max_iterations=ITERATIONS
    )
    objective = tagger.compile(words, dictionary=listed)
    taken = seconds(lambda: tagger.train(objective))
    yield work, "fstce", total * (ITERATIONS + 1) / taken

    if find_spec("hmmlearn"):
        from hmmlearn.hmm import CategoricalHMM

        number = {w: i for i, w in enumerate({w: None for row in words for w in row})}
        column = np.array([[number[w]] for row in words for w in row])
        model = CategoricalHMM(
            len(tagset), n_iter=ITERATIONS, tol=-np.inf, implementation="scaling"
        )
        taken = seconds(lambda: model.fit(column, [*map(len, words)]))
        yield work, "hmmlearn", total * ITERATIONS / taken


def spelling(text: Sequence[Any]) -> Iterator[Row]:
    """Suggest one word for each of some with a typo."""
    rng = random.Random(1)
    counts: dict[str, int] = {}
    for sentence in text:
        for word in sentence.words:
            if word.isalpha() and word.islower() and len(word) > 3:
                counts[word] = counts.get(word, 0) + 1
    right = rng.sample(sorted(counts), TYPOS)
    places = [rng.randrange(len(word) - 1) for word in right]
    typos = [w[:i] + w[i + 1] + w[i] + w[i + 2 :] for w, i in zip(right, places, strict=True)]
    work = f"suggest a word of {len(counts):,}"

    speller = fstce.Speller().fit(list(zip(typos, right, strict=True))[:100], sorted(counts))
    yield work, "fstce", TYPOS / seconds(lambda: speller.predict(typos))

    if shutil.which("hfst-ospell"):
        with tempfile.TemporaryDirectory() as folder:
            archive = Path(folder, "speller.zhfst")
            write_speller(speller, archive)
            command = ["hfst-ospell", "-n", "1", "-S", str(archive)]
            given = "\n".join(typos).encode()
            taken = seconds(
                lambda: subprocess.run(command, input=given, capture_output=True, check=True)
            )
        yield work, "hfst-ospell, the same speller", TYPOS / taken

    if find_spec("spellchecker"):
        from spellchecker import SpellChecker

        checker = SpellChecker(language=None)
        checker.word_frequency.load_words([w for w, n in counts.items() for _ in range(n)])
        taken = seconds(lambda: [checker.correction(word) for word in typos])
        yield work, "pyspellchecker", TYPOS / taken

    if find_spec("symspellpy"):
        from symspellpy import SymSpell, Verbosity

        symspell = SymSpell()
        for word, number in counts.items():
            symspell.create_dictionary_entry(word, number)
        taken = seconds(lambda: [symspell.lookup(word, Verbosity.TOP, 2) for word in typos])
        yield work, "symspellpy", TYPOS / taken


def machines(text: Sequence[Any]) -> Iterator[Row]:
    """Compose the automaton of all words with two edits, as whole commands; arcs of what comes out."""
    words = {word for sentence in text for word in sentence.words if re.fullmatch("[a-z]+", word)}
    letter = pynini.union(*ascii_lowercase).optimize()
    edit = pynini.union(letter.ques + pynini.cross(letter, ""), pynini.cross("", letter))
    edits = letter.star + edit.ques + letter.star + edit.ques + letter.star
    with tempfile.TemporaryDirectory() as folder:
        lexicon, edited, result = (f"{folder}/{name}.fst" for name in ("words", "edit", "result"))
        pynini.union(*words).optimize().arcsort("olabel").write(lexicon)
        edits.optimize().arcsort("ilabel").write(edited)
        fstce_program = [sys.executable, "-m", "fstce", "machine", "compose"]
        programs = {
            "fstce": [*fstce_program, lexicon, edited, "-o", result],
            "OpenFst's fstcompose": ["fstcompose", lexicon, edited, result],
        }
        for program, command in programs.items():
            if shutil.which(command[0]):
                taken = seconds(partial(subprocess.run, command, capture_output=True, check=True))
                composed = pynini.Fst.read(result)
                arcs = sum(composed.num_arcs(state) for state in composed.states())
                yield "compose words and two edits, arcs", program, arcs / taken


def main() -> None:
    """Print the table as a .tsv."""
    text = fstce.read_corpus(sys.argv[1])
    print("work, program\twords, or arcs, a second")
    for measured in (tagging, em, spelling, machines):
        for work, program, number in measured(text):
            digits = 2 - int(np.log10(number))
            print(f"{work}: {program}\t{round(number, digits):,.0f}", flush=True)


if __name__ == "__main__":
    main()
