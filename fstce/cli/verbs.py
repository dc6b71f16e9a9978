"""The table of verbs, each loaded when it is asked for, and help in groups of options.

Verb ``train`` of group ``tagger`` is the function ``train`` of ``fstce.tagging.verbs.train``, as
``fstce.tagging.kind`` says; ``info``, which is in no group, is that of ``fstce.cli.info``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from fstce.console.options import SHARED
from fstce.console.parameters import with_options
from fstce.errors import MissingToolError
from fstce.kinds import Entry, Kind, imported, kinds
from fstce.parameters.rules import did_you_mean
from fstce.version import __version__

WIDTH = 80
OPERATE = "operate"
SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": WIDTH}

# The groups of no kind of model, in the same form.
_GROUPS = (
    Kind(
        group="neighborhood",
        summary="What sentences are contrasted with.",
        home="fstce.cli.neighborhood",
        verbs={
            "show": "",
            "show.draw": "",
            "check": "raise",
            "new": "",
            "lattice": "raise",
            "lattice.pairs": "raise",
        },
    ),
    Kind(
        group="machine",
        summary="Finite-state machines in any file.",
        home="fstce.cli.machine",
        verbs=dict.fromkeys(
            ("info", "draw", "inspect", "convert", "operate", "ask.apply", "ask.equivalent"), ""
        ),
    ),
    Kind(
        group="reproduce",
        summary="Redraw a paper's experiments on any corpus.",
        home="fstce.reproduction.verbs",
        verbs=dict.fromkeys(
            (
                "papers.tagging",
                "papers.landscape",
                "papers.dependencies",
                "papers.products",
                "papers.distribution",
            ),
            "",
        ),
    ),
)
_SINGLE = {
    "info": Entry("fstce.cli.info.info", "raise", "Say what a model, a machine or a corpus holds."),
    "explain": Entry(
        "fstce.cli.explain.explain",
        "",
        "Explain how a model sees a sentence in its neighborhood.",
    ),
}


def groups() -> dict[str, Kind]:
    """The groups by name: those of the kinds first."""
    return {group.group: group for group in (*kinds().values(), *_GROUPS)}


def verbs_of(group: Kind) -> dict[str, Entry]:
    """The verbs of a group by name."""
    entries = {}
    for path, faulty in group.verbs.items():
        module, _, name = path.rpartition(".")
        entries[name] = Entry(f"{group.home}.{module or name}.{name}", faulty)
    return entries


def single() -> dict[str, Entry]:
    """The verbs of no group by name."""
    entries: dict[str, Entry] = {}
    for kind in kinds().values():
        entries |= kind.single
    return entries | _SINGLE


class Verb(TyperCommand):
    """A verb whose options are listed in groups, those that all verbs have last."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options, a section a group."""
        sections: dict[str, list[tuple[str, str]]] = {}
        shared: list[str] = []

        for parameter in self.get_params(ctx):
            row = parameter.get_help_record(ctx)
            panel = getattr(parameter, "rich_help_panel", None)
            usual = "Arguments" if parameter.param_type_name == "argument" else "Options"
            if panel == SHARED:
                shared.append(parameter.opts[0])
            elif row is not None:
                sections.setdefault(panel or usual, []).append(row)

        # Arguments first, what is of no panel last.
        place = {"Arguments": -1, "Options": 1}
        for title in sorted(sections, key=lambda title: place.get(title, 0)):
            with formatter.section(title):
                formatter.write_dl(sections[title])

        if shared:
            formatter.write_paragraph()
            formatter.write_text(f"Also {', '.join(shared)}: see fstce --help.")


class Verbs(TyperGroup):
    """Verbs by name, each made when it is asked for.

    ``known``: what there is by name. ``spellings``: from other names to these; an operation on
    machines is one of the verb that does it, which may be left out.
    """

    known: Mapping[str, Kind | Entry] = {}
    spellings: Mapping[str, str] = {}

    def list_commands(self, ctx: Any) -> list[str]:
        """All names in the order of the table; the shell completes other spellings, too."""
        return [*self.known, *(self.spellings if ctx.resilient_parsing else ())]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name, or None."""
        name = self.spellings.get(cmd_name, cmd_name)
        entry = self.known.get(name)
        if isinstance(entry, Kind):
            return _group(entry)
        if entry is None:
            return None
        return _command(name, entry)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the verbs; of one that needs a kind of model that is not here, what it needs."""
        rows = []
        for name in self.list_commands(ctx):
            try:
                rows.append((name, self.get_command(ctx, name).get_short_help_str(WIDTH)))
            except MissingToolError as error:
                rows.append((name, str(error)))

        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Without any verb the help is shown."""
        return super().parse_args(ctx, args or ([] if ctx.resilient_parsing else ["--help"]))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The verb that the arguments name; an error that names the nearest."""
        name = self.spellings.get(args[0], args[0])
        command = self.get_command(ctx, name)
        if command is None and not ctx.resilient_parsing:
            names = [*self.known, *self.spellings]
            ctx.fail(_unknown(ctx.command_path.partition(" ")[2], name, names))
        if name == OPERATE != args[0]:
            return name, command, args
        return name, command, args[1:]


_CORE = ("pynini", "numpy", "scipy", "regex", "jinja2", "typer", "rich")


def _show_versions(wanted: bool) -> None:
    """Print the versions of fstce and of what it stands on, each in a line."""
    if not wanted:
        return

    import platform
    from importlib.metadata import PackageNotFoundError, version

    versions = [f"Python {platform.python_version()}"]

    for name in _CORE:
        try:
            versions.append(f"{name} {version(name)}")
        except PackageNotFoundError:  # as pynini, without which models are applied
            versions.append(f"no {name}")

    typer.echo(f"fstce {__version__}\n{', '.join(versions)}")
    raise typer.Exit()


def _before_the_verb(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_show_versions,
            is_eager=True,
            help="Print the versions, fstce's first.",
        ),
    ] = False,
) -> None:
    """Take the options that stand before the verb."""


def application() -> typer.Typer:
    """The program with all verbs, none of them loaded."""

    class Program(Verbs):
        known = {**groups(), **single()}
        spellings = {"neighbourhood": "neighborhood"}

        def format_commands(self, ctx: Any, formatter: Any) -> None:
            """Write groups and verbs; nothing is loaded for it."""
            for title, kind in (("Groups of verbs", Kind), ("Verbs", Entry)):
                rows = [
                    (name, entry.summary)
                    for name, entry in self.known.items()
                    if isinstance(entry, kind)
                ]
                with formatter.section(title):
                    formatter.write_dl(rows)

        def format_epilog(self, ctx: Any, formatter: Any) -> None:
            """Write the options that many verbs have alike."""
            command = _command("", Entry("fstce.console.reading.shared_options", ""))
            rows = [
                p.get_help_record(ctx)
                for p in command.params
                if getattr(p, "rich_help_panel", "") == SHARED
            ]
            with formatter.section(SHARED):
                formatter.write_dl(rows)

    settings: dict[str, Any] = {"rich_markup_mode": None, "context_settings": SETTINGS}
    app = typer.Typer(cls=Program, help=_HELP, pretty_exceptions_enable=False, **settings)
    app.callback()(_before_the_verb)

    return app


_HELP = """Contrastive estimation (Smith & Eisner 2005) on finite-state machines.

Start with fstce quickstart; fstce GROUP VERB --help shows options and
examples of a verb.
"""


def _group(group: Kind) -> Verbs:
    """The command of a group."""

    class Named(Verbs):
        known = verbs_of(group)
        if OPERATE in known:
            operations = imported("fstce.cli.machine.operate.OPERATIONS")
            spellings = dict.fromkeys(operations, OPERATE)

    return Named(
        name=group.group, help=group.summary, context_settings=SETTINGS, rich_markup_mode=None
    )


def _command(name: str, entry: Entry) -> Any:
    """The command of a verb, which is loaded."""
    function = imported(entry.function)
    run = with_options(function, entry.faulty)
    help = getattr(function, "help", None)
    app = typer.Typer(add_completion=False, rich_markup_mode=None, context_settings=SETTINGS)
    app.command(name, cls=Verb, help=help)(run)
    return typer.main.get_command(app)


# What other programs call a verb of ours: the first that a group has.
MEANT = {
    "predict": "tag parse correct",
    "fit": "train learn",
    "score": "evaluate",
    "export": "lattice",
    "shortestpath": "shortest",
    "lookup": "apply",
    "generate": "apply",
    "print": "convert",
    "disjunct": "union",
    "subtract": "difference",
}


def _unknown(group: str, name: str, verbs: Sequence[str]) -> str:
    """The message for a verb that there is not."""
    for verb in MEANT.get(name, "").split():
        if verb in verbs:
            return f"No such command {name!r}; did you mean {verb!r}?"
    homes = [home for home, kind in groups().items() if not group and name in verbs_of(kind)]
    if not group and name in imported("fstce.cli.machine.operate.OPERATIONS"):
        homes.append("machine")
    if homes:
        commands = " or ".join(f"'{home} {name}'" for home in homes)
        return f"No such command {name!r}; did you mean {commands}?"
    if group == "neighborhood":
        return (
            f"{name!r} is none of its verbs, {', '.join(verbs)}; try fstce neighborhood show {name}"
        )
    return f"No such command {name!r}{did_you_mean(name, verbs)}"
