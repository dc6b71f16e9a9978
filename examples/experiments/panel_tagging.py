"""What answers of a speaker bring: taggers without labels, with answers, and supervised, on any corpora.

The first 24,000 words of each corpus, their dictionary, UPOS; % of the ambiguous words. The speaker
is the corpus: an answer has the tags of at least a fifth of a word's tokens, the usual one first.
To run: ``python -m examples.experiments.panel_tagging TASK CORPUS ...``, with a task of

answers    random, EM, TRANS1, auto, auto with the words answered that the tagger asks for, the
           usual tag of every word, the HMM and the CRF that learn from the tags themselves
shares     answers that say of how many tokens in ten each tag is, beside the usual one
rules      which words are answered: those asked for, the commonest, words at random (three draws)
counts     answers for all words: their order, their counts, and no more than tags of 5 % and above
other      the first half of the text, with the other half's tags as dictionary, and their counts
sentences  tagging sentences by hand in place of answers, and with them

± is the deviation by jackknife (Efron & Tibshirani 1993, Ch. 11): everything again without a fifth
of the sentences, five times.

Page: docs/results/answers.md.
"""

from __future__ import annotations

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import fstce
from fstce.corpora import Sentence, TagDictionary, first_words, read_corpus
from fstce.evaluation import random_accuracy, tagging_accuracy
from fstce.tagging.questions import suggest_sentences

WORDS = 24_000
RARE = 0.2
SIZES = (10, 20, 50, 100, 200)
FOLDS = 5
Answers = dict[str, tuple[str, ...]]
Row = dict[str, float]


class Corpus:
    """A tagged text, its dictionary, and what a speaker who knows it answers."""

    def __init__(self, sentences: list[Sentence]) -> None:
        self.sentences = sentences
        self.rows = [list(s.words) for s in self.sentences]
        self.gold = [s.tags or () for s in self.sentences]
        self.dictionary = TagDictionary.from_corpus(self.sentences)
        self.count: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for words, tags_of in zip(self.rows, self.gold, strict=True):
            for word, tag in zip(words, tags_of, strict=True):
                self.count[word][tag] += 1
        ambiguous = (word for word in self.dictionary if len(self.dictionary[word]) > 1)
        self.commonest = sorted(ambiguous, key=lambda word: (-self.count[word].total(), word))

    def answers(self, words: Iterable[str], least: float = RARE) -> Answers:
        """The answers for these words."""
        return {
            word: tuple(
                t
                for t, n in self.count[word].most_common()
                if n >= least * self.count[word].total()
            )
            or (self.count[word].most_common(1)[0][0],)
            for word in words
        }

    def of_ten(self, words: Iterable[str]) -> dict[str, dict[str, float]]:
        """The answers as tokens in ten of each tag that has one."""
        said = {}
        for word in words:
            tenth = self.count[word].total() / 10
            said[word] = {tag: float(round(n / tenth)) for tag, n in self.count[word].most_common()}
        return {word: {tag: n for tag, n in tags.items() if n} for word, tags in said.items()}

    def score(self, model: fstce.Tagger | fstce.TaggerProduct) -> float:
        """% of the ambiguous words that a tagger has right."""
        return tagging_accuracy(
            self.rows, self.gold, model.predict(self.rows), self.dictionary
        ).ambiguous

    def trained(
        self, answers: Mapping[str, Any] | None = None, **parameters: object
    ) -> fstce.Tagger:
        """A tagger of the raw text."""
        return fstce.Tagger(**parameters).fit(
            self.rows, dictionary=self.dictionary, answers=answers
        )  # type: ignore[arg-type]


def answers(corpus: Corpus) -> Row:
    """Without labels, with answers, with labels."""
    auto = corpus.trained()
    asked = [question.word for question in auto.questions(corpus.rows, SIZES[-1])]
    usual = [[corpus.count[word].most_common(1)[0][0] for word in row] for row in corpus.rows]
    return {
        "random": random_accuracy(corpus.rows, corpus.gold, corpus.dictionary).ambiguous,
        "EM": corpus.score(corpus.trained(criterion="em")),
        "TRANS1": corpus.score(corpus.trained(neighborhood="trans1")),
        "auto": corpus.score(auto),
        **{f"{n}": corpus.score(corpus.trained(corpus.answers(asked[:n]))) for n in SIZES},
        "usual tag": tagging_accuracy(corpus.rows, corpus.gold, usual, corpus.dictionary).ambiguous,
        "HMM": corpus.score(_supervised(corpus, criterion="joint")),
        "CRF": corpus.score(_supervised(corpus, criterion="conditional", order=2)),
    }


def _supervised(corpus: Corpus, **parameters: object) -> fstce.Tagger:
    return fstce.Tagger(**parameters).fit(corpus.rows, corpus.gold, dictionary=corpus.dictionary)  # type: ignore[arg-type]


def shares(corpus: Corpus) -> Row:
    """The gain of knowing how often each tag is."""
    asked = [question.word for question in corpus.trained().questions(corpus.rows, 50)]
    row: Row = {}
    for number in (20, 50):
        row[f"{number}"] = corpus.score(corpus.trained(corpus.answers(asked[:number])))
        row[f"{number} of ten"] = corpus.score(corpus.trained(corpus.of_ten(asked[:number])))
    return row


def rules(corpus: Corpus) -> Row:
    """The words that are asked for, by rule and number."""
    asked = [question.word for question in corpus.trained().questions(corpus.rows, SIZES[-2])]
    orders = {
        "asked": [asked],
        "commonest": [corpus.commonest],
        "random": list(_shuffled(corpus.commonest)),
    }
    return {
        f"{name} {n}": float(
            np.mean([corpus.score(corpus.trained(corpus.answers(words[:n]))) for words in order])
        )
        for n in SIZES[:-1]
        for name, order in orders.items()
    }


def _shuffled(words: list[str]) -> Iterator[list[str]]:
    for seed in range(3):
        yield random.Random(seed).sample(words, len(words))


def counts(corpus: Corpus) -> Row:
    """The gain of a dictionary that knows more than tags."""
    counted = TagDictionary.from_corpus(corpus.sentences, counts=True)
    common = {w: list(corpus.answers([w], least=0.05)[w]) for w in corpus.dictionary}
    without = TagDictionary(common, counted.tagset, counted.open_class)
    return {
        "auto": corpus.score(corpus.trained()),
        "tags from 5 %": corpus.score(fstce.Tagger().fit(corpus.rows, dictionary=without)),
        "order": corpus.score(corpus.trained(corpus.answers(corpus.commonest, least=0.05))),
        "counts": corpus.score(fstce.Tagger().fit(corpus.rows, dictionary=counted)),
    }


def other(corpus: Corpus) -> Row:
    """A tagged text as the dictionary of another one: % of the words that it has with several tags."""
    half = len(corpus.rows) // 2
    rows = corpus.rows[:half]
    gold = corpus.gold[:half]
    tagged = corpus.sentences[half:]
    plain = TagDictionary.from_corpus(tagged)
    row: Row = {}

    for name, listed in (
        ("tags", plain),
        ("counts", TagDictionary.from_corpus(tagged, counts=True)),
    ):
        right = fstce.Tagger().fit(rows, dictionary=listed).predict(rows)
        row[name], row[f"{name}, all words"] = tagging_accuracy(rows, gold, right, plain)[:2]

    return row


def sentences(corpus: Corpus) -> Row:
    """Tagged sentences and answers, by themselves and together."""
    auto = corpus.trained()
    heard = corpus.answers(question.word for question in auto.questions(corpus.rows))
    order = [one.sentence for one in suggest_sentences(auto, corpus.rows, len(corpus.rows))]
    row = {"auto": corpus.score(auto), "20 answers": corpus.score(corpus.trained(heard))}

    for n in (5, 20, 100):
        labelled = [corpus.rows[i] for i in order[:n]], [corpus.gold[i] for i in order[:n]]
        for name, said in ((f"{n} sentences", None), (f"{n} and answers", heard)):
            tagger = fstce.Tagger().fit(
                corpus.rows, dictionary=corpus.dictionary, labelled=labelled, answers=said
            )
            row[name] = corpus.score(tagger)

    crf = fstce.Tagger(criterion="conditional", order=2, features=("form", "context"))
    crf.fit(*labelled, dictionary=corpus.dictionary)
    row["CRF of 100"] = corpus.score(crf)
    row["CRF × 20 answers"] = corpus.score(fstce.TaggerProduct([corpus.trained(heard), crf]))

    return row


TASKS: dict[str, Callable[[Corpus], Row]] = {
    "answers": answers,
    "shares": shares,
    "rules": rules,
    "counts": counts,
    "other": other,
    "sentences": sentences,
}


def read(spec: str) -> list[Sentence]:
    """The first sentences of a corpus."""
    tags: dict[str, Any] = {"tag_column": "upos"} if spec.endswith(".conllu") else {}
    return first_words(read_corpus(spec, **tags), WORDS)


def folds(sentences: list[Sentence]) -> Iterator[list[Sentence]]:
    """The sentences without a fifth of them, every fifth."""
    for fold in range(FOLDS):
        yield [sentence for i, sentence in enumerate(sentences) if i % FOLDS != fold]


def deviations(rows: list[Row]) -> Row:
    """By jackknife, of rows that were measured without a fold each: √((k − 1)/k Σ (row − mean)²)."""
    return {
        name: float(np.std([row[name] for row in rows])) * (len(rows) - 1) ** 0.5
        for name in rows[0]
    }


def main(task: str, specs: list[str]) -> None:
    """Print the table of a task: a row for each corpus, and the mean."""
    rows = list[Row]()
    errors = list[Row]()

    for spec in specs:
        sentences = read(spec)
        rows.append(TASKS[task](Corpus(sentences)))
        errors.append(deviations([TASKS[task](Corpus(part)) for part in folds(sentences)]))
        if len(rows) == 1:
            print(f"| corpus | {' | '.join(rows[0])} |\n|---|{'---|' * len(rows[0])}")

        print(_row(Path(spec).stem, rows[-1], errors[-1]), flush=True)

    mean = {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}
    error = {
        name: float(np.sum([row[name] ** 2 for row in errors])) ** 0.5 / len(rows)
        for name in rows[0]
    }
    print(_row("**mean**", mean, error))


def _row(name: str, values: Row, errors: Row) -> str:
    cells = (f"{value:.1f} ± {errors[column]:.1f}" for column, value in values.items())
    return f"| {name} | {' | '.join(cells)} |"


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
