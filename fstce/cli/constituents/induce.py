"""``fstce constituents induce``: constituents from raw text by distribution and attachment (Brooks 2006)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fstce.cli import training
from fstce.cli.constituents.report import describe, scores, show_rules, show_scores
from fstce.cli.induction_progress import iterations_shown
from fstce.cli.options import Corpus, FormatOption, Quiet
from fstce.cli.output import Interruption, count, note
from fstce.cli.reading import reading
from fstce.cli.texts import read
from fstce.errors import MachineError, ParameterError

if TYPE_CHECKING:
    from fstce.distribution.inducer import DirectedAlignment

PRESETS = ("auto", "tags", "marks", "none")


class System(str, Enum):
    """The systems of the paper."""

    da_stop = "da-stop"
    da = "da"
    da_cluster = "da-cluster"
    fwb = "fwb"


class Overlap(str, Enum):
    """The measure of two classes' overlap."""

    containment = "containment"
    jaccard = "jaccard"
    dice = "dice"


def induce(
    corpus: Corpus,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The folder for the model.")] = None,
    system: Annotated[
        System,
        typer.Option(
            "--system",
            "-s",
            help="da-stop attaches context units; da does not; da-cluster joins classes that overlap; fwb "
            "learns nothing and brackets what stands between frequent words.",
        ),
    ] = System.da_stop,
    iterations: Annotated[int, typer.Option("--iterations", min=0, help="The most classes to make.")] = 500,
    punctuation: Annotated[
        str,
        typer.Option(
            "--punctuation",
            metavar="auto|tags|marks|none|FILE",
            help="The words to leave out: by their tags, by English marks, by tags where there are some "
            "(auto), or the words of a file.",
        ),
    ] = "auto",
    context_fraction: Annotated[
        float, typer.Option("--context-fraction", help="The share of the word types that are context units.")
    ] = 0.01,
    boundaries: Annotated[
        bool, typer.Option("--boundaries/--no-boundaries", help="The ends of sentences are contexts too.")
    ] = True,
    refresh: Annotated[
        bool,
        typer.Option("--refresh/--no-refresh", help="Choose the context units anew before each iteration."),
    ] = True,
    max_length: Annotated[
        int, typer.Option("--max-length", help="The most units of an expression, 1 to 50.")
    ] = 5,
    context_expressions: Annotated[
        bool,
        typer.Option(
            "--context-expressions/--no-context-expressions", help="Expressions of context units alone count."
        ),
    ] = True,
    min_count: Annotated[int, typer.Option("--min-count", help="The fewest places of a pattern.")] = 2,
    preference_threshold: Annotated[
        float, typer.Option("--preference-threshold", help="No attachment within this sum of preferences.")
    ] = 0.0,
    smoothing: Annotated[
        float, typer.Option("--smoothing", help="Added to the numbers of starts and ends of sentences.")
    ] = 0.5,
    overlap_threshold: Annotated[
        float | None,
        typer.Option(
            "--overlap-threshold",
            help="The overlap from which classes join.",
            show_default="0.3 for da-cluster, else never",
        ),
    ] = None,
    overlap: Annotated[
        Overlap, typer.Option("--overlap", help="How overlap is measured.")
    ] = Overlap.containment,
    fold_case: Annotated[
        bool, typer.Option("--fold-case/--no-fold-case", help="Compare words in lower case.")
    ] = True,
    single_words: Annotated[
        bool, typer.Option("--single-words", help="Trees show classes of a single word.")
    ] = False,
    top: Annotated[str, typer.Option("--top", help="The label of a tree's root.")] = "TOP",
    rules: Annotated[
        Path | None, typer.Option("--rules", help="Write the rules to read, one a line, to this file.")
    ] = None,
    weighted: Annotated[
        Path | None, typer.Option("--weighted", help="Write a weighted grammar in NLTK's notation.")
    ] = None,
    chunker: Annotated[
        Path | None,
        typer.Option("--chunker", help="Write the grammar's first layer as an OpenFst transducer."),
    ] = None,
    chunker_rules: Annotated[
        int | None, typer.Option("--chunker-rules", min=1, help="Only so many patterns in the chunker.")
    ] = None,
    show: Annotated[int, typer.Option("--list", min=0, help="How many rules are printed.")] = 10,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the model in --output, to --iterations in all.")
    ] = False,
    format: FormatOption = None,
    quiet: Quiet = False,
) -> None:
    """Learn constituents from raw text; no tags, no trees.

    Each iteration makes a class of what stands between the same two frequent words. Trees
    that the corpus carries serve to print scores and for nothing else; tags only to tell
    punctuation. Parse with fstce constituents parse. The --output folder has what has been learnt every
    ten seconds or so, and at Ctrl-C; the same command with --resume goes on, and ends with
    the same grammar. One sentence is a text, of any length;
    a text of context words alone has no expression between others and yields few classes
    or none.

    \b
    Examples:
      fstce constituents induce sample --output model
      fstce constituents induce nltk:treebank --system da-stop --iterations 500 --output model
      fstce constituents induce nltk:treebank --iterations 1000 --resume --output model
      fstce constituents induce text.txt --rules rules.txt --weighted grammar.pcfg --chunker chunker.fst
    """
    from fstce.distribution.inducer import DirectedAlignment
    from fstce.distribution.inducer_files import KIND

    inducer = DirectedAlignment(
        system.value,
        iterations,
        punctuation if punctuation in PRESETS else _marks(punctuation),
        context_fraction,
        boundaries,
        refresh,
        max_length,
        context_expressions,
        min_count,
        preference_threshold,
        smoothing,
        overlap_threshold,
        overlap.value,
        fold_case,
        single_words,
        top,
    )
    inducer.options()
    _check_wishes(system, output, resume, (rules, weighted, chunker), chunker)
    if output is not None:
        training.check_output(output, KIND)
    sentences = read(corpus, format)
    began = time.perf_counter()
    inducer.begin(sentences)
    if resume and output is not None:
        inducer = _taken_up(inducer, output)
    inducer.reading_ = reading().record(sentences)
    _learn(inducer, output, quiet)
    _write(inducer, rules, weighted, chunker, chunker_rules)
    if not quiet:
        describe(inducer, sentences, time.perf_counter() - began, output)
        show_rules(inducer.grammar_, show)
        found = scores(inducer, sentences)
        if found is not None:
            print()
            show_scores(found)
            note("the trees of the corpus were used for these scores and nothing else")


def _marks(path: str) -> tuple[str, ...]:
    """The words of a file."""
    try:
        return tuple(sorted(set(Path(path).read_text(encoding="utf-8").split())))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise ParameterError(
            f"--punctuation {path}: {reason}; use {', '.join(PRESETS)}, or name a file of marks"
        ) from None


def _check_wishes(
    system: System, output: Path | None, resume: bool, files: Sequence[Path | None], chunker: Path | None
) -> None:
    """Raise ParameterError before time is spent on what could then not be written."""
    if resume and output is None:
        raise ParameterError("--resume goes on with the model in --output: name its folder")
    if system is System.fwb and chunker is not None:
        raise ParameterError(
            "--chunker writes the patterns learnt, and fwb learns none; use another --system"
        )
    for path in files:
        if path is not None and (path.is_dir() or not path.parent.is_dir()):
            raise ParameterError(f"{path}: cannot be written; name a file in a folder that exists")


def _taken_up(inducer: DirectedAlignment, output: Path) -> DirectedAlignment:
    """The saved model, if it was begun with the same parameters and text as one that has just read it.

    Raises
    ------
    ParameterError
        It was not; says what differs. Or it has more iterations than are wished for.
    ModelFileError
        There is no such model.
    """
    from fstce.distribution.inducer import DirectedAlignment

    saved, own = DirectedAlignment.load(output), ("iterations", "single_words", "top")
    saved.set_params(**{name: getattr(inducer, name) for name in own})
    now, then = inducer.get_params(), saved.get_params()
    changed = next((name for name in now if now[name] != then[name]), None)
    if changed is not None:
        raise ParameterError(
            f"--resume: the model in {output} was begun with {changed}={then[changed]!r}, not "
            f"{now[changed]!r}; give the options that it was begun with"
        )
    same_words = saved.grammar_.units.words == inducer.grammar_.units.words
    if not (same_words and saved.text_.tobytes() == inducer.text_.tobytes()):
        raise ParameterError(
            f"--resume: the model in {output} was begun with another text; give that one, or another --output"
        )
    saved.check_resumable()
    return saved


def _learn(inducer: DirectedAlignment, output: Path | None, quiet: bool) -> None:
    try:
        with iterations_shown(inducer.grammar_, inducer.iterations, quiet) as monitor:
            inducer.resume(monitor=monitor, checkpoint=output)
    except KeyboardInterrupt:
        raise Interruption(_rescue(inducer, output)) from None


def _rescue(inducer: DirectedAlignment, output: Path | None) -> str:
    """Save what there is; what to tell."""
    done = count(len(inducer.grammar_.steps), "iteration")
    if output is None:
        return f"interrupted after {done}; nothing is saved, as no --output was given"
    inducer.save(output)
    return f"interrupted after {done}, saved in {output}; the same command with --resume goes on"


def _write(
    inducer: DirectedAlignment,
    rules: Path | None,
    weighted: Path | None,
    chunker: Path | None,
    chunker_rules: int | None,
) -> None:
    """What there is to write beside the model, which is there whatever goes wrong with the others."""
    from fstce.distribution import to_pcfg
    from fstce.distribution.inducer_files import rules_text
    from fstce.machines.atomic import write_text
    from fstce.machines.files import write_fst

    try:
        if rules is not None:
            write_text(rules_text(inducer.grammar_), rules)
        if weighted is not None:
            write_text(to_pcfg(inducer.grammar_), weighted)
        if chunker is not None:
            write_fst(inducer.chunker(chunker_rules).fst, chunker)
    except MachineError as error:
        hint = "; try fewer --chunker-rules" if "arcs" in str(error) else ""
        raise MachineError(f"{error}{hint}") from None
