"""How well running text is cut into words and sentences: ours, beside other libraries.

To try: ``PYTHONPATH=tests python tests/benchmarks/tokenizers.py FILE.conllu [LANGUAGE]``

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
from typing import Any

from text_cases import Span, f1, found_by, passages

from fstce.corpora import read_corpus
from fstce.corpora.recognition import recognize
from fstce.corpora.running_text import TextReader

Spans = tuple[list[Span], list[Span]]


def main(path: str, language: str = "en") -> None:
    """Print a row for each tokenizer."""
    sentences = [sentence for sentence in read_corpus(path) if sentence.spans]
    cut = len(sentences) * 4 // 5
    cases = list(passages(sentences[cut:]))
    learnt = TextReader(recognize(sentences[:cut]), raw=True, known=_words(sentences[:cut]))
    ours: list[tuple[str, Callable[[str], Spans]]] = [
        ("fstce, learned", lambda text: found_by(learnt, text)),
        ("fstce, English", lambda text: found_by(TextReader(raw=True), text)),
    ]
    for name, tokenizer in [*ours, *others(language)]:
        started = time.perf_counter()
        found = [tokenizer(text) for text, _, _ in cases]
        seconds = time.perf_counter() - started
        words = f1((case[1] for case in cases), (case[0] for case in found))
        whole = f1((case[2] for case in cases), (case[1] for case in found))
        print(
            f"| {name} | {words:.2f} | {whole:.2f} | {sum(len(c[0]) for c in cases) / seconds / 1e3:,.0f} |"
        )


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
            return words, [(s.start_char, s.start_char + len(s.text.rstrip())) for s in document.sents]

        yield f"spaCy {spacy.__version__}, blank {language}", spacy_spans
    with contextlib.suppress(ImportError):
        import sacremoses

        moses = sacremoses.MosesTokenizer(language)
        yield (
            "sacremoses",
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

        yield "syntok", syntok_spans
    with contextlib.suppress(ImportError):
        import blingfire

        yield (
            "blingfire",
            lambda text: (
                located(text, blingfire.text_to_words(text).split(" ")),
                located(text, blingfire.text_to_sentences(text).split("\n")),
            ),
        )
    with contextlib.suppress(ImportError):
        import uniseg.sentencebreak
        import uniseg.wordbreak

        yield (
            "uniseg (UAX #29)",
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
            pieces = [utf16[2 * a : 2 * b].decode("utf-16-le") for a, b in itertools.pairwise(places)]
            return located(text, [piece.strip() for piece in pieces if piece.strip()])

        word = icu.BreakIterator.createWordInstance(icu.Locale(language))
        whole = icu.BreakIterator.createSentenceInstance(icu.Locale(language))
        yield f"PyICU {icu.ICU_VERSION}", lambda text: (breaks(word, text), breaks(whole, text))
    with contextlib.suppress(ImportError):
        import pysbd

        segmenter = pysbd.Segmenter(language=language if language in ("en", "fr") else "en", clean=False)
        yield "pysbd", lambda text: ([], located(text, [s.strip() for s in segmenter.segment(text)]))
    with contextlib.suppress(ImportError):
        from nltk.tokenize import NLTKWordTokenizer, wordpunct_tokenize

        penn = NLTKWordTokenizer()
        yield "NLTK Treebank", lambda text: (list(penn.span_tokenize(text)), [])
        yield "NLTK wordpunct", lambda text: (located(text, wordpunct_tokenize(text)), [])
    yield "white space", lambda text: ([m.span() for m in re.finditer(r"\S+", text)], [(0, len(text))])


if __name__ == "__main__":
    main(*sys.argv[1:])
