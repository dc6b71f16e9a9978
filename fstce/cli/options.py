"""Arguments and options that several verbs share: one name, one help text, one check for each.

Options that are parameters of a class are made from the class: see :mod:`fstce.cli.parameters`.
"""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from fstce.cli.completion import corpora, files, neighborhoods


class Format(str, Enum):
    """How a corpus is written."""

    penn = "penn"
    conllu = "conllu"
    conllx = "conllx"
    tagged = "tagged"
    plain = "plain"


class Listing(str, Enum):
    """How tables are written."""

    table = "table"
    tsv = "tsv"


class TagColumn(str, Enum):
    """The column of CoNLL that holds the tags."""

    xpos = "xpos"
    upos = "upos"


TEXT = "Text"  # the panel of options about what is read
CORPUS_HELP = (
    "A file, folder or zip archive; - for standard input; sample, nltk:treebank, nltk:brown, "
    "nltk:dependency_treebank."
)

# --- Arguments -------------------------------------------------------------------------------------------

Corpus = Annotated[
    str,
    typer.Argument(metavar="CORPUS", help=CORPUS_HELP, show_default=False, autocompletion=corpora),
]
Text = Annotated[
    str,
    typer.Argument(
        metavar="INPUT", help="A text; - is standard input.", show_default=False, autocompletion=files
    ),
]
Model = Annotated[
    Path,
    typer.Argument(
        metavar="MODEL", help="The folder of a trained model.", show_default=False, autocompletion=files
    ),
]
Name = Annotated[
    str,
    typer.Argument(
        metavar="NEIGHBORHOOD",
        help="A name, an expression, or a file of yours.",
        show_default=False,
        autocompletion=neighborhoods,
    ),
]
Sentence = Annotated[
    list[str] | None,
    typer.Argument(metavar="WORD...", help="A sentence, quoted or not.", show_default=False),
]
Machine = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="A machine; - is standard input.", show_default=False, autocompletion=files
    ),
]
Weighted = Annotated[
    bool, typer.Option("--weighted", help="The weights of a compiled machine (.fst, .far:key) count.")
]
Exponent = Annotated[
    float | None,
    typer.Option("--exponent", metavar="X", help="By which weights are multiplied; needs weights."),
]

# --- What is read ----------------------------------------------------------------------------------------

FormatOption = Annotated[
    Format | None,
    typer.Option(
        "--input-format",
        help="How the input is written; by default as its suffix says.",
        rich_help_panel=TEXT,
    ),
]
Words = Annotated[
    int | None,
    typer.Option(
        "--words",
        metavar="N",
        min=1,
        help="Only the first sentences, until they hold so many words.",
        rich_help_panel=TEXT,
    ),
]
Coarse = Annotated[
    bool,
    typer.Option(
        "--coarse",
        help="Project the 45 Penn Treebank tags of corpora onto 17 classes.",
        rich_help_panel=TEXT,
    ),
]
TagColumnOption = Annotated[
    TagColumn | None,
    typer.Option(
        "--tag-column",
        help="For CoNLL: the column of the tags; by default XPOS where a sentence has it, else UPOS.",
        rich_help_panel=TEXT,
    ),
]
TextOption = Annotated[
    str | None,
    typer.Option(
        "--text",
        metavar="CORPUS",
        help=f"Take every sentence of a corpus. {CORPUS_HELP}",
        rich_help_panel=TEXT,
        autocompletion=corpora,
    ),
]

# --- What is written -------------------------------------------------------------------------------------

ModelOutput = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FOLDER", help="The folder for the model.", autocompletion=files),
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the model in --output.")]
ListingFormat = Annotated[
    Listing, typer.Option("--output-format", help="Tables, or tables with tabs and all digits.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
KBest = Annotated[
    int | None,
    typer.Option("--k", metavar="N", min=1, help="The N best, each with its log weight or score."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")]
