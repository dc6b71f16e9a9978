"""The options that several verbs share, each with one name, one help text and one check."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from fstce.errors import ParameterError

Value = TypeVar("Value")


class Format(str, Enum):
    """How a corpus is written."""

    penn = "penn"
    conllu = "conllu"
    conllx = "conllx"
    tagged = "tagged"
    plain = "plain"


class Start(str, Enum):
    """Where training starts."""

    uniform = "uniform"
    random = "random"


class Unseen(str, Enum):
    """The tags of a word that the dictionary does not list."""

    open = "open"
    all = "all"


class Criterion(str, Enum):
    """What training maximizes."""

    contrastive = "contrastive"
    em = "em"
    joint = "joint"
    conditional = "conditional"
    correction = "correction"


class Listing(str, Enum):
    """How tables are written."""

    table = "table"
    tsv = "tsv"


class TagColumn(str, Enum):
    """The column of CoNLL that holds the tags."""

    xpos = "xpos"
    upos = "upos"


class DecoderName(str, Enum):
    """How tags are chosen."""

    viterbi = "viterbi"
    posterior = "posterior"


CORPUS_HELP = (
    "A file, folder or zip archive; - for standard input; sample, nltk:treebank, nltk:brown, "
    "nltk:dependency_treebank."
)

Corpus = Annotated[str, typer.Argument(help=CORPUS_HELP, show_default=False)]
Model = Annotated[Path, typer.Argument(help="The folder of a trained model.", show_default=False)]
Name = Annotated[
    str,
    typer.Argument(
        metavar="NEIGHBORHOOD", help="A name, an expression, or a file of yours.", show_default=False
    ),
]
Sentence = Annotated[
    list[str] | None,
    typer.Argument(metavar="[WORD]...", help="A sentence, quoted or not.", show_default=False),
]
Machine = Annotated[
    Path, typer.Argument(metavar="FILE", help="A machine; - is standard input.", show_default=False)
]
Weighted = Annotated[
    bool, typer.Option("--weighted", help="The weights of a compiled machine (.fst, .far:key) count.")
]
Exponent = Annotated[
    float | None, typer.Option("--exponent", help="By which weights are multiplied; needs weights.")
]
Text = Annotated[str, typer.Argument(metavar="[INPUT]", help="A text; - is standard input.")]
FormatOption = Annotated[
    Format | None,
    typer.Option("--input-format", help="How the input is written; by default as its suffix says."),
]
Words = Annotated[
    int | None,
    typer.Option("--words", min=1, help="Only the first sentences, until they hold so many words."),
]
Coarse = Annotated[
    bool, typer.Option("--coarse", help="Project the 45 Penn Treebank tags of corpora onto 17 classes.")
]
TagColumnOption = Annotated[
    TagColumn | None,
    typer.Option(
        "--tag-column",
        help="For CoNLL: the column of the tags; by default XPOS where a sentence has it, else UPOS.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
ListingFormat = Annotated[
    Listing, typer.Option("--output-format", help="Tables, or tables with tabs and all digits.")
]
KBest = Annotated[
    int | None, typer.Option("--k", min=1, help="The k best, each with its log weight or score.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")]
Jobs = Annotated[
    int,
    typer.Option("--jobs", help="Processes that build automata; -1 for one a core."),
]
ModelOutput = Annotated[Path | None, typer.Option("--output", "-o", help="The folder for the model.")]
NeighborhoodName = Annotated[
    str,
    typer.Option("--neighborhood", "--neighbourhood", "-n", help="What sentences are contrasted with."),
]
Order = Annotated[int, typer.Option("--order", min=1, max=3, help="The length of a tag n-gram.")]
Variance = Annotated[
    str, typer.Option("--sigma2", help="The variance of the Gaussian prior on the weights, or none.")
]
Annealing = Annotated[
    str | None, typer.Option("--annealing", help="Inverse temperatures that rise to 1, as 0.1,0.3,1.")
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seeds the random start.")]
Tolerance = Annotated[
    float, typer.Option("--tolerance", help="The relative change of the objective at which to stop.")
]
MaxIterations = Annotated[
    int, typer.Option("--max-iterations", min=1, help="The greatest number of iterations.")
]
Decoding = Annotated[
    DecoderName,
    typer.Option("--decoder", help="The best tag sequence, or each word's most probable tag."),
]


def variance(text: str) -> float | None:
    """σ² as the command line spells it: a positive number, or ``none``.

    Raises
    ------
    ParameterError
        It is neither.

    Examples
    --------
    >>> variance("0.5"), variance("none")
    (0.5, None)
    """
    if text.strip().lower() == "none":
        return None
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not value > 0:
        raise ParameterError(f"--sigma2 {text}: the prior's variance is above 0, or none for no prior")
    return value


def schedule(text: str | None) -> tuple[float, ...] | None:
    """Inverse temperatures as the command line spells them, separated by commas; None for none.

    Raises
    ------
    ParameterError
        They are no numbers that rise to 1.

    Examples
    --------
    >>> schedule("0.1,0.3,1")
    (0.1, 0.3, 1.0)
    """
    from fstce.estimation.annealing import checked_schedule

    if text is None:
        return None
    try:
        betas = [float(beta) for beta in text.split(",")]
    except ValueError:
        raise ParameterError(f"--annealing {text}: give numbers separated by commas, as 0.1,0.3,1") from None
    return checked_schedule(betas)


def relative_change(value: float) -> float:
    """The tolerance, if it is one; raises ParameterError if it is negative or not a number."""
    if not value >= 0:
        raise ParameterError(f"--tolerance {value}: the relative change at which to stop is at least 0")
    return value


def row(option: str, text: str | None, read: Callable[[str], Value]) -> tuple[Value, ...] | None:
    """An option's values, separated by commas, each once; None where the option is not given.

    Raises
    ------
    ParameterError
        A value cannot be read.

    Examples
    --------
    >>> row("--smoothing", "0, 0.1,0", float)
    (0.0, 0.1)
    """
    if text is None:
        return None
    try:
        return tuple(dict.fromkeys(read(part.strip()) for part in text.split(",") if part.strip()))
    except ParameterError:
        raise
    except ValueError:
        raise ParameterError(f"{option} {text}: give numbers separated by commas") from None


def names(option: str, text: str | None) -> tuple[str, ...] | None:
    """An option's names; empty for ``none``.

    >>> names("--criteria", "em,TRANS1"), names("--criteria", "none")
    (('em', 'trans1'), ())
    """
    found = row(option, text, str.lower)
    return () if found == ("none",) else found
