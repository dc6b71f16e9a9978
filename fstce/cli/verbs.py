"""The table of verbs, each loaded when it is asked for, and help in groups of options.

Verb ``train`` of group ``tagger`` is the function ``train`` of ``fstce.tagging.verbs.train``; a verb
that stands alone, as ``info``, is that of ``fstce.cli.info``.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from fstce.console.parameters import with_options
from fstce.console.reading import VERBS, reads

WIDTH = 80
SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": WIDTH}

# A group's summary and its verbs.
GROUPS: dict[str, tuple[str, tuple[str, ...]]] = {
    "tagger": (
        "Part-of-speech taggers from raw text and a dictionary.",
        ("train", "tag", "evaluate", "suggest", "export"),
    ),
    "parser": ("Dependency parsers from sequences of tags.", ("train", "parse", "evaluate", "show")),
    "latent": ("Latent-variable grammars from a treebank.", ("train", "parse", "evaluate", "show")),
    "constituents": ("Constituents from raw text.", ("induce", "parse", "evaluate")),
    "corrector": ("Spelling and punctuation correctors.", ("train", "correct", "evaluate")),
    "neighborhood": (
        "What sentences are contrasted with.",
        ("show", "draw", "check", "new", "lattice"),
    ),
    "machine": ("Finite-state machines in any file.", ("info", "draw", "inspect", "convert")),
    "reproduce": (
        "Redraw a paper's experiments on any corpus.",
        ("tagging", "dependencies", "correction", "products", "distribution"),
    ),
}
# Where the verbs of a group stand.
HOMES = {
    "tagger": "fstce.tagging.verbs",
    "parser": "fstce.parsing.verbs",
    "latent": "fstce.latent.verbs",
    "constituents": "fstce.induction.verbs",
    "corrector": "fstce.correction.verbs",
    "neighborhood": "fstce.cli.neighborhood",
    "machine": "fstce.cli.machine",
    "reproduce": "fstce.reproduction.verbs",
}
ALONE = {
    "quickstart": "Train and look at a tagger on the sample that comes with fstce.",
    "shard": "Build the automata of a corpus once, for many trainings or many machines.",
    "info": "Say what a model, a machine or a corpus holds.",
    "explain": "Explain how a model sees a sentence in its neighbourhood.",
}
OTHER_SPELLINGS = {"neighbourhood": "neighborhood"}

# What verbs were called before 0.2.0.
FORMER: dict[str, str] = {
    "train": "fstce tagger train, or with --model latent fstce latent train",
    "tag": "fstce tagger tag",
    "export": "fstce tagger export",
    "train-parser": "fstce parser train",
    "train-grammar": "fstce latent train",
    "grammar": "fstce latent show",
    "induce": "fstce constituents induce",
    "parse": "fstce parser parse, or for phrases fstce latent parse and fstce constituents parse",
    "train-corrector": "fstce corrector train",
    "correct": "fstce corrector correct",
    "evaluate": "fstce tagger evaluate, or of parser, latent, constituents or corrector",
    "draw": "fstce neighborhood draw, or for a machine in a file fstce machine draw",
    "lattice": "fstce neighborhood lattice",
    "check": "fstce neighborhood check",
    "new-transducer": "fstce neighborhood new",
    "convert": "fstce machine convert",
    "reproduce grammar": "fstce reproduce dependencies",
}


class Verb(TyperCommand):
    """A verb whose options are listed in groups, those that all verbs have last."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options, a section a group."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            row = parameter.get_help_record(ctx)
            usual = "Arguments" if parameter.param_type_name == "argument" else "Options"
            if row is not None:
                sections.setdefault(getattr(parameter, "rich_help_panel", None) or usual, []).append(row)
        for title in sorted(sections, key=lambda title: (title == "Options") - (title == "Arguments")):
            with formatter.section(title):
                formatter.write_dl(sections[title])


class Verbs(TyperGroup):
    """Verbs by name, each made when it is asked for.

    ``known``: from a name to what makes its command.
    """

    known: Mapping[str, Callable[[], Any]] = {}

    def list_commands(self, ctx: Any) -> list[str]:
        """All names in the order of the table."""
        return list(self.known)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name, or None."""
        make = self.known.get(OTHER_SPELLINGS.get(cmd_name, cmd_name))
        return None if make is None else make()

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Without any verb the help is shown."""
        return super().parse_args(ctx, args or ([] if ctx.resilient_parsing else ["--help"]))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The verb that the arguments name; an error that names the nearest, or the new one."""
        name = args[0]
        command = self.get_command(ctx, name)
        if command is None and not ctx.resilient_parsing:
            ctx.fail(_unknown(ctx.command_path.partition(" ")[2], name, list(self.known)))
        return name, command, args[1:]


def application(version: Callable[..., None]) -> typer.Typer:
    """The program with all verbs, none of them loaded.

    ``version``: takes the options that stand before the verb.
    """

    class Program(Verbs):
        known = {
            **{name: _group(name) for name in GROUPS},
            **{name: _loader("fstce.cli", name, "") for name in ALONE},
        }

        def format_commands(self, ctx: Any, formatter: Any) -> None:
            """Write groups and verbs; nothing is loaded for it."""
            for title, rows in (
                ("Groups of verbs", [(name, summary) for name, (summary, _) in GROUPS.items()]),
                ("Verbs", list(ALONE.items())),
            ):
                with formatter.section(title):
                    formatter.write_dl(rows)

    settings: dict[str, Any] = {"rich_markup_mode": None, "context_settings": SETTINGS}
    app = typer.Typer(cls=Program, help=_HELP, pretty_exceptions_enable=False, **settings)
    app.callback()(version)
    return app


_HELP = """Contrastive estimation (Smith & Eisner 2005) on finite-state machines.

Start with fstce quickstart; fstce GROUP VERB --help shows options and
examples of a verb.
"""


def _group(name: str) -> Callable[[], Verbs]:
    """What makes the group of a name."""
    summary, verbs = GROUPS[name]

    class Group(Verbs):
        known = {verb: _loader(HOMES[name], verb, name) for verb in verbs}

    return lambda: Group(name=name, help=summary, context_settings=SETTINGS, rich_markup_mode=None)


def _loader(package: str, verb: str, group: str) -> Callable[[], Any]:
    """What loads a verb and makes its command."""

    def load() -> Any:
        app = typer.Typer(add_completion=False, rich_markup_mode=None, context_settings=SETTINGS)
        function = with_options(getattr(import_module(f"{package}.{verb}"), verb))
        policy = VERBS.get(f"{group} {verb}".strip())
        app.command(verb, cls=Verb)(reads(function, policy) if policy else function)
        return typer.main.get_command(app)

    return load


def _unknown(group: str, name: str, known: Sequence[str]) -> str:
    """What to say of a verb that there is not."""
    former = FORMER.get(f"{group} {name}".strip())
    if former is not None:
        return f"fstce {group} {name}".replace("  ", " ") + f" is now {former}"
    if group == "neighborhood":
        return f"{name!r} is none of its verbs, {', '.join(known)}; try fstce neighborhood show {name}"
    near = difflib.get_close_matches(name, known, n=1)
    return f"No such command {name!r}" + (f"; did you mean {near[0]!r}?" if near else "")
