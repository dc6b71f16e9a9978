"""Arguments and options that several verbs share: one name, one help text, one check each.

Options that are parameters of a class are made from the class: see :mod:`fstce.console.parameters`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import typer

Function = TypeVar("Function", bound=Callable[..., Any])

# How a corpus is written.
Format = Literal[
    "penn", "conllu", "conllx", "tagged", "vertical", "table", "jsonl", "apertium", "cg", "plain"
]
# The column of CoNLL that holds the tags.
TagColumn = Literal["xpos", "upos"]
Complete = Callable[[str], list[str]]


# --- What the shell completes: files where nothing begins so, as typer's scripts for it have it
# -------------


def neighborhoods(incomplete: str) -> list[str]:
    """Neighborhoods that fstce ships."""
    from fstce.neighborhoods.shipped import direct_names, names, names_over_vocabulary

    return starting_with(sorted((*names(), *direct_names(), *names_over_vocabulary())))(incomplete)


def starting_with(names: Sequence[str], others: Complete = lambda incomplete: []) -> Complete:
    """A completion of these names, and of those of another completion."""

    def complete(incomplete: str) -> list[str]:
        return [
            *(name for name in names if name.startswith(incomplete.lower())),
            *others(incomplete),
        ]

    return complete


corpora: Complete = starting_with(
    ("sample", "nltk:treebank", "nltk:brown", "nltk:dependency_treebank")
)


# --- Verbs, options and arguments
# ---------------------------------------------------------------------------


def helped(text: str) -> Callable[[Function], Function]:
    """A decorator that gives a verb its help, where Python leaves docstrings out (``-OO``), too."""

    def give(verb: Function) -> Function:
        verb.help = text  # type: ignore[attr-defined]
        return verb

    return give


def option(spelling: str, help: str, panel: str | None = None, **settings: Any) -> Any:
    """An option; its metavar, in capitals behind its names, says what the shell completes."""
    names = spelling.split()
    metavar = None if names[-1].startswith("-") else names.pop()
    complete = COMPLETED.get(metavar or "")
    return typer.Option(
        *names,
        metavar=metavar,
        help=help,
        rich_help_panel=panel,
        autocompletion=complete,
        **settings,
    )


def argument(metavar: str, help: str, complete: Complete | None = None) -> Any:
    """An argument, with what the shell completes as of an option."""
    complete = complete or COMPLETED.get(metavar)
    return typer.Argument(metavar=metavar, help=help, show_default=False, autocompletion=complete)


COMPLETED: dict[str, Complete] = {
    **dict.fromkeys(("CORPUS", "PATH"), corpora),
    **dict.fromkeys(("NEIGHBORHOOD", "NAME", "MEMBER", "WHAT"), neighborhoods),
}
TEXT = "Text"  # the panel of options about what is read
# Options that many verbs have alike: described once, by ``fstce --help``.
SHARED = "Options of verbs that read or write"
CORPUS_HELP = (
    "A file, folder or zip archive; - for standard input; sample, nltk:treebank, nltk:brown, "
    "nltk:dependency_treebank."
)

# --- Arguments
# -------------------------------------------------------------------------------------------

Corpus = Annotated[str, argument("CORPUS", CORPUS_HELP)]
Text = Annotated[str, argument("INPUT", "A text; - is standard input.")]
Model = Annotated[Path, argument("MODEL", "The folder of a trained model.")]
Name = Annotated[str, argument("NEIGHBORHOOD", "A name, an expression, or a file of yours.")]
Sentence = Annotated[list[str] | None, argument("WORD...", "A sentence, quoted or not.")]
Machine = Annotated[Path, argument("FILE", "A machine; - is standard input.")]
Weighted = Annotated[
    bool, option("--weighted", "The weights of a compiled machine (.fst, .far:key) count.")
]
Transducer = Annotated[bool, option("--transducer", "That of a sentence, in place of its lattice.")]
Key = Annotated[
    str | None, option("--key KEY", "Which machine of a .far, or the number of one of several.")
]
ArcType = Annotated[
    Literal["standard", "log64"] | None,
    option("--arc-type", "By default the file's own, for text standard; log64 has 17 digits."),
]
Epsilon = Annotated[
    str | None,
    option("--epsilon TEXT", "What spells ε in text; by default <epsilon>, <eps> or @0@."),
]
TokenType = Annotated[
    Literal["byte", "utf8"] | None,
    option("--token-type", "Labels without symbols are letters, as pynini compiles strings."),
]
InputSymbols = Annotated[
    Path | None,
    option("--isymbols FILE", "Symbols of the input; for text by default the .syms next to it."),
]
OutputSymbols = Annotated[
    Path | None, option("--osymbols FILE", "Symbols of the output; by default the input's.")
]

# --- What is read
# ----------------------------------------------------------------------------------------

Words = Annotated[
    int | None,
    option("--words N", "Only the first sentences, until they hold so many words.", SHARED, min=1),
]
Coarse = Annotated[
    bool, option("--coarse", "Project the 45 Penn Treebank tags of corpora onto 17 classes.", TEXT)
]
TagMap = Annotated[
    str | None,
    option(
        "--tag-map MAP",
        "Project tags by another map than that of --coarse: upos, or a file (tag, tab, class).",
        TEXT,
    ),
]
TagColumnOption = Annotated[
    TagColumn | None,
    option(
        "--tag-column",
        "For CoNLL: the column of the tags; by default XPOS where a sentence has it, else UPOS.",
        SHARED,
    ),
]
TextOption = Annotated[
    str | None, option("--text CORPUS", f"Take every sentence of a corpus. {CORPUS_HELP}", TEXT)
]

# --- Where the automata of a large corpus lie
# -----------------------------------------------------------

LARGE = "Large corpora"
Shards = Annotated[
    Path | None,
    option(
        "--shards FOLDER",
        "Where the automata lie, for the workers of --dask to read.",
        LARGE,
    ),
]


def _checked_size(value: str | None) -> str | None:
    """The size of memory that is given; raises ParameterError for none, before anything is read."""
    from fstce.parameters.tables import check_arguments

    check_arguments(memory=value)
    return value


Memory = Annotated[
    str | None,
    option(
        "--memory SIZE",
        "Memory of the process, as 2G; automata and charts without room in it lie in mapped files.",
        SHARED,
        callback=_checked_size,
    ),
]

Dask = Annotated[
    str | None,
    option(
        "--dask ADDRESS",
        "A Dask scheduler whose workers add up, as tcp://host:8786; they all see the folder of "
        "--shards.",
        LARGE,
    ),
]

# --- What is written
# -------------------------------------------------------------------------------------

ModelOutput = Annotated[Path | None, option("--output -o FOLDER", "The folder for the model.")]
Resume = Annotated[
    bool, option("--resume", "Go on with a training to --output that was interrupted.")
]
PageOutput = Annotated[
    Path | None, option("--output -o FILE", "Also write a page, .html, that needs no network.")
]
LexiconFormat = Annotated[
    Literal["list", "counts", "unimorph", "text", "hunspell", "acceptor"] | None,
    option("--lexicon-format FORMAT", "What the lexicon is, where its file may be two things."),
]
AsJson = Annotated[bool, option("--json", "Print JSON.", SHARED)]
KBest = Annotated[
    int | None, option("--k N", "The N best, each with its log weight or score.", SHARED, min=1)
]
Jobs = Annotated[
    int, option("--jobs N", "Processes that work at a time; -1 for one a core.", SHARED)
]
Quiet = Annotated[bool, option("--quiet -q", "Print errors only.", SHARED)]
