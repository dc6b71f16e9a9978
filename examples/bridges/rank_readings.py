"""A trained tagger behind an analyzer, from Python: the best reading of each token of a stream.

To try, with Debian's apertium-spa-cat and a model of ``fstce tagger train STREAM -o model``:

    apertium-destxt < text.txt | lt-proc -w spa-cat.automorf.bin | python rank_readings.py model

The command line does so by ``fstce tagger tag model``; here is where a program of yours would look
at tokens and readings in between.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from fstce import Tagger, read_corpus
from fstce.corpora.streams import StreamSentence
from fstce.tagging.readings import rewritten


def ranked(tagger: Tagger, text: Path, order: str = "best") -> Iterator[str]:
    """The sentences of a stream as text, each with its readings as the tagger ranks them."""
    for sentence in read_corpus(text):
        if isinstance(sentence, StreamSentence):
            yield from rewritten(tagger, [sentence], order, "{:.2f}".format)


if __name__ == "__main__":
    model, *_ = sys.argv[1:]
    for block in ranked(Tagger.load(model), Path("/dev/stdin")):
        sys.stdout.write(block)
