"""Held-out tagging on several corpora: train on raw text, tag the words that follow.

The dictionary is that of the training part, whole or its 500 commonest words; supervised rows
learn from the tags of the training part. Malagasy (Garrette & Baldridge 2013): the dictionary of
four hours of annotated types, 20,000 words of raw text, the annotated sentences as the test; it
has no supervised rows. To run: ``python -m examples.experiments.held_out_tagging DATA [CORPUS
...]``, where DATA holds ``ud/UD_French-Sequoia`` and so on, as the Universal Dependencies are
unpacked. With ``--later`` before DATA: ``auto`` against EM on those 5,000 words and on all that
follow, at most 20,000.

Page: docs/results/held_out.md.
"""

from __future__ import annotations

import itertools
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import fstce
from fstce.corpora import Sentence, read_corpus
from fstce.evaluation import accuracy_by_listing, compare_taggings, tagging_accuracy
from fstce.grammars import token_features

SPECS = {
    "WSJ": "nltk:treebank",
    "Brown": "nltk:brown",
    "French": "ud/UD_French-Sequoia/fr_sequoia-ud-train.conllu",
    "English ATIS": "ud/UD_English-Atis/en_atis-ud-train.conllu",
    "Turkish ATIS": "ud/UD_Turkish-Atis/tr_atis-ud-train.conllu",
    "Malagasy": "mlg",
}
FEATURES = ("form", "context")
UNSUPERVISED = {
    "EM": {"criterion": "em"},
    "TRANS1": {"neighborhood": "trans1"},
    "auto": {"neighborhood": "auto"},
}
SUPERVISED = {
    "HMM, supervised": {"criterion": "joint"},
    "CRF, supervised": {"criterion": "conditional", "features": FEATURES, "order": 2},
}
Parts = tuple[list[list[str]], list[Sentence] | None, list[Sentence], fstce.TagDictionary]


def parts_of(name: str, data: Path, words: int = 24_000, held_out: int = 5_000) -> Parts:
    """Raw text, the same with its tags if it has some, the text to be tagged, the dictionary."""
    if name == "Malagasy":
        return _malagasy(data / SPECS[name])
    spec = SPECS[name]
    options = {} if spec.startswith("nltk") else {"tag_column": "upos"}
    sentences = iter(read_corpus(spec if spec.startswith("nltk") else str(data / spec), **options))
    train, test = (list(_first(sentences, n)) for n in (words, held_out))
    return [list(s.words) for s in train], train, test, fstce.TagDictionary.from_corpus(train)


def _first(sentences: Iterator[Sentence], words: int) -> Iterator[Sentence]:
    count = 0
    while count < words:
        sentence = next(sentences, None)
        if sentence is None:
            return
        count += len(sentence)
        yield sentence


def _malagasy(folder: Path) -> Parts:
    listed: dict[str, set[str]] = {}
    for line in (folder / "mlg-tagdict-4hr-lc8.txt").read_text().splitlines():
        for word, _, tag in (pair.rpartition("|") for pair in line.split()):
            listed.setdefault(word, set()).add(tag)

    pairs = [
        [pair.rpartition("|")[::2] for pair in line.split()]
        for line in (folder / "mlg-sentences-4hr-lc8.txt").read_text().splitlines()
    ]
    test = [Sentence([w for w, _ in row], tags=[t for _, t in row]) for row in pairs if row]
    raw = (line.split() for line in (folder / "raw.txt").read_text().splitlines())
    sentences = (Sentence(row) for row in raw if 0 < len(row) <= 60)

    return (
        [list(s.words) for s in _first(sentences, 20_000)],
        None,
        test,
        fstce.TagDictionary(listed),
    )


def smaller(
    dictionary: fstce.TagDictionary, raw: list[list[str]], size: int = 500
) -> fstce.TagDictionary:
    """The listed words that are commonest in the raw text; other words may take any of their tags."""
    counted = Counter(itertools.chain.from_iterable(raw))
    kept = [word for word, _ in counted.most_common() if word in dictionary][:size]
    return fstce.TagDictionary({word: dictionary[word] for word in kept}, unseen="all")


def crfsuite(
    train: list[Sentence], test: list[Sentence], lists: Mapping[str, tuple[str, ...]] | None = None
) -> list[list[str]]:
    """python-crfsuite with the features that fstce's CRF has, variance 1, at most 100 iterations.

    `lists` are names by word, as a gazetteer has them.
    """
    import pycrfsuite

    def described(sentence: Sentence) -> list[list[str]]:
        around = ["", *sentence.words, ""]
        return [
            list(
                token_features.build(
                    token_features.in_context(*around[i : i + 3]), FEATURES, lists or {}
                )
            )
            for i in range(len(sentence))
        ]

    trainer = pycrfsuite.Trainer(verbose=False)
    trainer.set_params({"c1": 0.0, "c2": 0.5, "max_iterations": 100})
    for sentence in train:
        trainer.append(described(sentence), list(sentence.tags))

    tagger = pycrfsuite.Tagger()
    with tempfile.TemporaryDirectory() as folder:
        trainer.train(f"{folder}/model")
        tagger.open(f"{folder}/model")

    return [tagger.tag(described(sentence)) for sentence in test]


def tell(
    corpus: str, size: str, name: str, found: list[list[str]], parts: Parts, seconds: float
) -> None:
    """A row of the table."""
    *_, test, listed = parts
    words = [s.words for s in test]
    gold = [s.tags for s in test]
    groups = accuracy_by_listing(words, gold, found, listed)
    whole = tagging_accuracy(words, gold, found, listed).all
    other = groups["OOV"]
    interval = f"{other.model:.1f} [{other.low:.1f}, {other.high:.1f}]"
    share = 100 * other.n / sum(map(len, words))
    print(
        f"| {corpus} | {size} | {name} | {whole:.1f} | {interval} | {share:.1f} | {seconds:.0f} |",
        flush=True,
    )


def main(data: Path, corpora: list[str], sizes: tuple[str, ...] = ("whole", "500 words")) -> None:
    """Print the table."""
    print("| corpus | dictionary | tagger | all words | OOV words | % OOV | seconds |")
    print("|---|---|---|---|---|---|---|")

    for corpus, size in itertools.product(corpora, sizes):
        parts = parts_of(corpus, data)
        raw, tagged, test, dictionary = parts
        if size != "whole":
            dictionary = smaller(dictionary, raw)
            parts = (*parts[:3], dictionary)

        rows = [s.words for s in test]
        for name, given in UNSUPERVISED.items():
            began = time.perf_counter()
            tagger = fstce.Tagger(**given).fit(raw, dictionary=dictionary)
            seconds = time.perf_counter() - began
            tell(corpus, size, name, tagger.predict(rows), parts, seconds)

        if tagged is None or size != "whole":
            continue

        gold = [s.tags for s in tagged]
        for name, given in SUPERVISED.items():
            began = time.perf_counter()
            tagger = fstce.Tagger(**given).fit(raw, gold)
            seconds = time.perf_counter() - began
            tell(corpus, size, name, tagger.predict(rows), parts, seconds)

        began = time.perf_counter()
        found = crfsuite(tagged, test)
        tell(corpus, size, "python-crfsuite", found, parts, time.perf_counter() - began)


def later(data: Path, corpora: list[str]) -> None:
    """Print auto against EM on the 5,000 words, and on all that follow the training part."""
    print("| corpus | dictionary | words | EM | auto | difference | 95 % | p |")
    print("|---|---|---|---|---|---|---|---|")

    for corpus, size in itertools.product(corpora, ("whole", "500 words")):
        raw, _, text, dictionary = parts_of(corpus, data, held_out=20_000)
        listed = dictionary if size == "whole" else smaller(dictionary, raw)
        taggers = [
            fstce.Tagger(**UNSUPERVISED[name]).fit(raw, dictionary=listed)
            for name in ("EM", "auto")
        ]
        first = len(list(_first(iter(text), 5_000)))

        for part in (text[:first], text):
            words = [s.words for s in part]
            gold = [s.tags for s in part]
            em, auto = (tagger.predict(words) for tagger in taggers)
            rights = (
                f"{tagging_accuracy(words, gold, found, listed).all:.2f}" for found in (em, auto)
            )
            one = compare_taggings(words, gold, auto, em, listed)["all"]
            interval = f"{one.difference:+.2f} | [{one.low:+.2f}, {one.high:+.2f}] | {one.p:.2f}"
            number = f"{sum(map(len, words)):,}"
            print(
                f"| {corpus} | {size} | {number} | {' | '.join(rights)} | {interval} |", flush=True
            )


if __name__ == "__main__":
    if sys.argv[1] == "--later":
        later(Path(sys.argv[2]), sys.argv[3:])
    else:
        main(Path(sys.argv[1]), sys.argv[2:] or list(SPECS))
