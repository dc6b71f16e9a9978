"""How trained models decide, as options of the verbs that apply and score them."""

from __future__ import annotations

from typing import Annotated

from fstce.console.parameters import Given, Parameters


def _words(path: str) -> tuple[str, ...]:
    from fstce.correction.lexicons import read_words

    return read_words(path)


TaggerDecoding = Annotated[Given, Parameters("fstce.tagging.tagger.Tagger", only=("decoder",), of_model=True)]
ParserDecoding = Annotated[
    Given, Parameters("fstce.parsing.parser.DependencyParser", only=("decoder",), of_model=True)
]
GrammarDecoding = Annotated[
    Given,
    Parameters(
        "fstce.latent.product.GrammarProduct",
        only=("objective", "combination"),
        of_model=True,
        helps={
            "objective": "What the best tree is best at.",
            "combination": "Of a product: posteriors multiplied or added, or whole trees multiplied.",
        },
    ),
]
CorrectorDecoding = Annotated[
    Given,
    Parameters(
        "fstce.correction.corrector.Corrector",
        only=("decoder", "threshold", "eagerness", "precision", "own_words", "never", "adapt", "real_words"),
        of_model=True,
        files={"own_words": _words, "never": _words},
        helps={
            "own_words": "A file with words of your own, one a line: known, never changed, and candidates.",
            "never": "A file with words that are never changed, one a line.",
            "adapt": "Whether the text tells which of its unknown words are terms, 500 lines at a time; of a "
            "pipe only where asked, which is answered line by line.",
            "real_words": "Whether known words, too, give way to other known words that were meant.",
            "decoder": "Each word's most probable correction; the best sentence with its structure; or the "
            "sentence with the greatest sum over structures.",
        },
    ),
]
