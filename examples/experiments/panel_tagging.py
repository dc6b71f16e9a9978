"""Taggers with the dictionaries that people have, on any corpora: without labels, asked, and labeled.

The first 12,000 words of each treebank, UPOS; % of all words. To run:
``python -m examples.experiments.panel_tagging KIND CORPUS.conllu ...``, where KIND says what the
dictionary is:

outside    the file CORPUS.tsv beside it, made by ``fstce tagger dictionary`` of an analyzer's
           output; AUX is VERB where the dictionary has no AUX
types      the text's own tags of its 500 commonest words; types:1000 of as many
sentences  as outside, and CRF 20, 50, 100 alone
struck     of all words, without tags of less than 2 % of a word's tokens
text       of all words

trivial        of a word's tags the one that most words of the dictionary have
EM, auto       without labels, by default
20, 50         `auto`, where a speaker answers for so many words that it asks for
commonest,     fifty of the commonest words answered, or of those that it asks for the words with
ambiguous      several tags alone; these two and the next two are of outside dictionaries
CRF 50         of fifty sentences drawn at random (of 20 and 100: CRF 20, CRF 100), the dictionary
               as features (form, context), and
and auto       its product with `auto`: % of the other sentences' words

The speaker is the corpus: an answer has the tags of at least a fifth of the word's tokens, the
usual one first.

Page: docs/results/answers.md.
"""

from __future__ import annotations

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

import fstce
from fstce.corpora import Sentence, TagDictionary, first_words, read_corpus

WORDS = 12_000
TYPES = 500
SLIP = 0.02
RARE = 0.2
SENTENCES = 50
CURVE = (20, 50, 100)
ASKED = 50
Answers = dict[str, tuple[str, ...]]
Row = dict[str, float]


class Corpus:
    """A tagged text, a dictionary for it, and what a speaker who knows it answers."""

    def __init__(
        self, sentences: list[Sentence], kind: str = "text", listed: TagDictionary | None = None
    ) -> None:
        self.rows = [list(s.words) for s in sentences]
        self.gold = [list(s.tags or ()) for s in sentences]
        if listed is not None and "AUX" not in listed.tagset:
            self.gold = [["VERB" if tag == "AUX" else tag for tag in tags] for tags in self.gold]

        self.count: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for words, tags_of in zip(self.rows, self.gold, strict=True):
            for word, tag in zip(words, tags_of, strict=True):
                self.count[word][tag] += 1
        self.commonest = sorted(self.count, key=lambda word: (-self.count[word].total(), word))
        self.dictionary = self._dictionary(kind) if listed is None else listed

    def _dictionary(self, kind: str) -> TagDictionary:
        name, _, size = kind.partition(":")
        least = {"types": 0.0, "text": 0.0, "struck": SLIP}[name]
        words = self.commonest[: int(size or TYPES)] if name == "types" else self.commonest
        tagset = {tag for counts in self.count.values() for tag in counts}
        return TagDictionary(dict(self.answers(words, least)), tagset)

    def answers(self, words: Iterable[str], least: float = RARE) -> Answers:
        """The answers for these words."""
        answers: Answers = {}
        for word in words:
            counts = self.count[word]
            common = tuple(t for t, n in counts.most_common() if n >= least * counts.total())
            answers[word] = common or (counts.most_common(1)[0][0],)
        return answers

    def score(self, tags: list[list[str]], places: Iterable[int] | None = None) -> float:
        """% of all words, or of those of some sentences, that have the right tag."""
        right = list[bool]()
        for i in range(len(self.rows)) if places is None else places:
            right += [tag == gold for tag, gold in zip(tags[i], self.gold[i], strict=True)]
        return 100 * float(np.mean(right))

    def trained(self, answers: Answers | None = None, **parameters: object) -> fstce.Tagger:
        """A tagger of the raw text."""
        return fstce.Tagger(**parameters).fit(  # type: ignore[arg-type]
            self.rows, dictionary=self.dictionary, answers=answers
        )

    def answered(self, words: Iterable[str]) -> float:
        """The score of the default where these words are answered."""
        return self.score(self.trained(self.answers(words)).predict(self.rows))


def trivial(corpus: Corpus) -> list[list[str]]:
    """Tags by the dictionary alone: of a word's the one that most listed words have."""
    listed = corpus.dictionary
    common = Counter(tag for word in listed for tag in listed[word])
    usual = {word: max(listed.lookup(word), key=lambda tag: common[tag]) for word in corpus.count}
    return [[usual[word] for word in row] for row in corpus.rows]


def without_labels(corpus: Corpus) -> Row:
    """Rows of taggers that see no tag."""
    return {
        "trivial": corpus.score(trivial(corpus)),
        "EM": corpus.score(corpus.trained(criterion="em").predict(corpus.rows)),
        "auto": corpus.score(corpus.trained().predict(corpus.rows)),
    }


def with_labels(corpus: Corpus) -> Row:
    """Rows of answers and of tagged sentences."""
    auto = corpus.trained()
    asked = [question.word for question in auto.questions(corpus.rows, len(corpus.count))]
    several = [word for word in asked if len(corpus.dictionary.get(word, ())) > 1]
    spelt = [word for word in corpus.commonest if any(map(str.isalpha, word))]
    row = {
        "20": corpus.answered(asked[:20]),
        "50": corpus.answered(asked[:ASKED]),
        "commonest": corpus.answered(spelt[:ASKED]),
        "ambiguous": corpus.answered(several[:ASKED]),
    }

    crf, rest = of_sentences(corpus, SENTENCES)
    row["CRF 50"] = corpus.score(crf.predict(corpus.rows), rest)
    product = fstce.TaggerProduct([crf, auto])
    row["and auto"] = corpus.score(product.predict(corpus.rows), rest)
    return row


def of_sentences(corpus: Corpus, number: int) -> tuple[fstce.Tagger, list[int]]:
    """A CRF of so many sentences, the dictionary as features, and the places of the others."""
    chosen = set(random.Random(0).sample(range(len(corpus.rows)), number))
    rest = [i for i in range(len(corpus.rows)) if i not in chosen]
    crf = fstce.Tagger(
        criterion="conditional",
        order=2,
        features=("form", "context"),
        gazetteer=corpus.dictionary,
    )
    return crf.fit([corpus.rows[i] for i in chosen], [corpus.gold[i] for i in chosen]), rest


def by_sentences(corpus: Corpus) -> Row:
    """Rows of tagged sentences, few and more."""
    row = {}
    for number in CURVE:
        crf, rest = of_sentences(corpus, number)
        row[f"CRF {number}"] = corpus.score(crf.predict(corpus.rows), rest)
    return row


def read(spec: str, words: int = WORDS) -> list[Sentence]:
    """The first sentences of a corpus."""
    tags: dict[str, Any] = {"tag_column": "upos"} if spec.endswith(".conllu") else {}
    return first_words(read_corpus(spec, **tags), words)


def measured(kind: str, spec: str) -> Row:
    """The row of a corpus."""
    if kind not in ("outside", "sentences"):
        return without_labels(Corpus(read(spec), kind))
    sentences = read(spec)
    listed = TagDictionary.from_file(Path(spec).with_suffix(".tsv"))
    corpus = Corpus(sentences, kind, listed.for_text(sentences))
    if kind == "sentences":
        return by_sentences(corpus)
    return {**without_labels(corpus), **with_labels(corpus)}


def main(kind: str, specs: list[str]) -> None:
    """Print the table of a kind: a row for each corpus, and the mean."""
    rows = list[Row]()
    for spec in specs:
        rows.append(measured(kind, spec))
        if len(rows) == 1:
            print(f"| corpus | {' | '.join(rows[0])} |\n|---|{'---|' * len(rows[0])}")
        print(_row(Path(spec).stem, rows[-1]), flush=True)

    print(_row("**mean**", {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}))


def _row(name: str, values: Row) -> str:
    return f"| {name} | {' | '.join(f'{value:.1f}' for value in values.values())} |"


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
