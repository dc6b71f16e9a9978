"""How well running text is cut into words and sentences: ours, beside other libraries.

To try: ``PYTHONPATH=tests python tests/benchmarks/tokenizers.py FILE.conllu``

The text is what the treebank says was written, five sentences a line; our conventions are read
off the first four fifths, everything is scored on the last. A word counts where its first and
last characters are a word's (words written as one count as one), a sentence likewise. Libraries
that are not installed are left out, and none is given a model to download.
"""

from __future__ import annotations

import contextlib
import itertools
import re
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from text_cases import Span, f1, found_by, passages

from fstce.corpora import read_corpus
from fstce.corpora.recognition import recognize
from fstce.corpora.running_text import TextReader

Spans = tuple[list[Span], list[Span]]


def main(path: str) -> None:
    """Print a row for each number of each tokenizer; the file's name begins with its language."""
    language = Path(path).name[:2]
    corpus = {"en": "English", "fr": "French", "tr": "Turkish"}.get(language, language)
    sentences = [sentence for sentence in read_corpus(path) if sentence.spans]
    cut = len(sentences) * 4 // 5
    cases = list(passages(sentences[cut:]))
    learnt = TextReader(recognize(sentences[:cut]), raw=True, known=_words(sentences[:cut]))
    ours: list[tuple[str, Callable[[str], Spans]]] = [
        ("fstce, conventions learned", lambda text: found_by(learnt, text)),
        ("fstce, English conventions", lambda text: found_by(TextReader(raw=True), text)),
    ]
    marked = any(word in ".?!" for sentence in sentences for word in sentence)
    print("| tokenizer | what | number | unit |\n|---|---|---|---|")
    for name, tokenizer in [*ours, *others(language)]:
        started = time.perf_counter()
        found = [tokenizer(text) for text, _, _ in cases]
        seconds = time.perf_counter() - started
        words = f1((case[1] for case in cases), (case[0] for case in found))
        whole = f1((case[2] for case in cases), (case[1] for case in found))
        pace = sum(len(case[0]) for case in cases) / seconds / 1e3
        if any(case[0] for case in found):
            print(f"| {name} | {corpus} words | {words:.2f} | % |")
        if marked and any(case[1] for case in found):
            print(f"| {name} | {corpus} sentences | {whole:.2f} | % |")
        print(f"| {name} | {corpus} | {pace:,.0f} | thousand characters a second |")


def _release(package: str) -> str:
    """The first two numbers of a library's version."""
    return ".".join(version(package).split(".")[:2])


def _words(sentences: list[Any]) -> set[str]:
    return {word for sentence in sentences for word in sentence.words}


def located(text: str, words: list[str], start: int = 0) -> list[Span]:
    """Where words stand that a library gives as strings; those it has changed are left out."""
    spans = []
    for word in words:
        at = text.find(word, start)
        if at >= 0:
            spans.append((at, at + len(word)))
            start = at + len(word)
    return spans


def others(language: str) -> Iterator[tuple[str, Callable[[str], Spans]]]:
    """The libraries that are installed."""
    with contextlib.suppress(ImportError):
        import spacy

        blank = spacy.blank(language)
        blank.add_pipe("sentencizer")

        def spacy_spans(text: str) -> Spans:
            document = blank(text)
            words = [(t.idx, t.idx + len(t)) for t in document if not t.is_space]
            return words, [
                (s.start_char, s.start_char + len(s.text.rstrip())) for s in document.sents
            ]

        yield f"spaCy {_release('spacy')}, blank", spacy_spans
    with contextlib.suppress(ImportError):
        import sacremoses

        moses = sacremoses.MosesTokenizer(language)
        yield (
            f"sacremoses {_release('sacremoses')}",
            lambda text: (
                located(text, moses.tokenize(text, escape=False, aggressive_dash_splits=False)),
                [],
            ),
        )
    with contextlib.suppress(ImportError):
        import syntok.segmenter
        import syntok.tokenizer

        syn = syntok.tokenizer.Tokenizer()

        def syntok_spans(text: str) -> Spans:
            parts = list(syntok.segmenter.split(syn.tokenize(text)))
            ends = [(p[0].offset, p[-1].offset + len(p[-1].value)) for p in parts]
            return [(t.offset, t.offset + len(t.value)) for p in parts for t in p], ends

        yield f"syntok {_release('syntok')}", syntok_spans
    with contextlib.suppress(ImportError):
        import blingfire

        yield (
            f"blingfire {_release('blingfire')}",
            lambda text: (
                located(text, blingfire.text_to_words(text).split(" ")),
                located(text, blingfire.text_to_sentences(text).split("\n")),
            ),
        )
    with contextlib.suppress(ImportError):
        import uniseg.sentencebreak
        import uniseg.wordbreak

        yield (
            f"uniseg {_release('uniseg')} (UAX #29)",
            lambda text: (
                located(text, [w for w in uniseg.wordbreak.words(text) if w.strip()]),
                located(text, [s.strip() for s in uniseg.sentencebreak.sentences(text)]),
            ),
        )
    with contextlib.suppress(ImportError):
        import icu

        def breaks(kind: Any, text: str) -> list[Span]:
            utf16 = text.encode("utf-16-le")
            kind.setText(text)
            places = [0, *kind]
            pieces = [
                utf16[2 * a : 2 * b].decode("utf-16-le") for a, b in itertools.pairwise(places)
            ]
            return located(text, [piece.strip() for piece in pieces if piece.strip()])

        word = icu.BreakIterator.createWordInstance(icu.Locale(language))
        whole = icu.BreakIterator.createSentenceInstance(icu.Locale(language))
        yield f"PyICU {icu.ICU_VERSION}", lambda text: (breaks(word, text), breaks(whole, text))
    with contextlib.suppress(ImportError):
        import pysbd

        segmenter = pysbd.Segmenter(
            language=language if language in ("en", "fr") else "en", clean=False
        )
        yield (
            f"pysbd {_release('pysbd')}",
            lambda text: ([], located(text, [s.strip() for s in segmenter.segment(text)])),
        )
    with contextlib.suppress(ImportError):
        from nltk.tokenize import NLTKWordTokenizer, wordpunct_tokenize

        penn = NLTKWordTokenizer()
        yield (
            f"NLTK {_release('nltk')}, Treebank",
            lambda text: (list(penn.span_tokenize(text)), []),
        )
        yield (
            f"NLTK {_release('nltk')}, wordpunct",
            lambda text: (located(text, wordpunct_tokenize(text)), []),
        )
    yield (
        "white space",
        lambda text: ([m.span() for m in re.finditer(r"\S+", text)], [(0, len(text))]),
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
