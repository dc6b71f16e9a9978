"""Options made from the parameters of classes: kind, bounds, default and help are the class's own.

A verb takes ``parameters: Annotated[Given, Parameters("fstce.tagging.tagger.Tagger")]``; what
calls it is :func:`with_options`, whose signature has an option for every parameter. The class
is loaded when the verb is made, not before. Options that several verbs share as a group are the
fields of a dataclass: the verb takes one argument of that class.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, is_dataclass
from functools import partial
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, get_args

import typer

from fstce.console.options import Quiet, neighborhoods, starting_with
from fstce.console.output import quietly
from fstce.errors import ParameterError
from fstce.kinds import imported
from fstce.parameters import tables
from fstce.parameters.rules import Rule

Given = dict[str, Any]  # parameters by name, those that are given
Reader = Callable[[str], Any]

# Further spellings of an option.
SHORT: dict[str, tuple[str, ...]] = {
    "neighborhood": ("--neighbourhood", "-n"),
    "criterion": ("-c",),
    "system": ("-s",),
    "attachment_rules": ("--rules",),
}
_TRAINING = ("start", "seed", "annealing", "tolerance", "max_iterations", "jobs")
PANELS = dict.fromkeys(_TRAINING, "Training")
WIDEST = 60  # letters of the choices that stand beside the name of an option
METAVARS = {"integer": "N", "real": "X", "sequence": "NAME,...", "mapping": "NAME=X,..."}


def _neighborhood(default: Any, text: str) -> Any:
    """The neighborhood that a text names.

    The name of the default stays one, as ``auto`` is none.
    """
    from fstce.neighborhoods.registry import neighborhood

    return default if text.strip().lower() == default else neighborhood(text)


@dataclass(frozen=True)
class Parameters:
    """Which parameters of a class are options, and what the command line says of them otherwise.

    ``cls``: the class by its dotted name: an estimator, or the plan of an experiment. ``helps``:
    help in place of the class's own. ``defaults``: values in place of the class's defaults.
    ``files``: for parameters that files hold, from a path to the value. ``only``: the parameters
    that are options, if not all. ``of_model``: whether what is not given is as the model was saved.
    ``panel``: the group of all options, in place of what their names say.
    """

    cls: str
    without: tuple[str, ...] = ()
    helps: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, Reader] = field(default_factory=dict)
    only: tuple[str, ...] = ()
    of_model: bool = False
    panel: str = ""

    def load(self) -> Any:
        """The class."""
        return imported(self.cls)

    def table(self) -> dict[str, tables.Parameter]:
        """The parameters that are options."""
        known = tables.parameters(self.load())
        return {
            name: one
            for name, one in known.items()
            if name in (self.only or known) and name not in self.without
        }

    def options(self) -> dict[str, tuple[Any, Reader]]:
        """For each parameter its option, as an annotation, and what reads its value."""
        return {name: self._option(name, parameter) for name, parameter in self.table().items()}

    def _option(self, name: str, parameter: tables.Parameter) -> tuple[Any, Reader]:
        rule = parameter.rule
        default = self.defaults.get(name, parameter.default)
        help = self.helps.get(name) or plain_text(parameter.rule.help)
        long = f"--{name.replace('_', '-')}"
        panel = self.panel
        if not panel and not self.of_model:
            panel = PANELS.get(name, "Model")
        settings: dict[str, Any] = {"show_default": False, "rich_help_panel": panel or None}
        if rule.kind == "flag":
            flags = f"{long}/--no-{long[2:]}" if default else long
            return Annotated[bool | None, typer.Option(flags, help=help, **settings)], bool

        read = self.files.get(name) or partial(value_of, rule, long)
        settings["metavar"] = "FILE" if name in self.files else _metavar(rule)
        if len(settings["metavar"]) > WIDEST:
            help = f"{help} One of {', '.join(rule.choices)}."
            settings["metavar"] = "NAME"
        if name == "neighborhood":
            read = partial(_neighborhood, default)
            settings["autocompletion"] = starting_with(
                ("auto",) * (default == "auto"), neighborhoods
            )
        elif rule.choices:
            settings["autocompletion"] = starting_with(rule.choices)

        usual = "default: the model's" if self.of_model else _shown_default(rule, default)
        option = typer.Option(long, *SHORT.get(name, ()), help=f"{help}  [{usual}]", **settings)
        return Annotated[str | None, option], read


def with_options(
    verb: Callable[..., None],
    around: Any = None,
    defaults: Mapping[str, Any] = MappingProxyType({}),
) -> Callable[..., None]:
    """The verb as typer wants it: with --quiet, and an option for each parameter of the classes it
    names.

    ``around``: a group of options that is a context, too, within which the verb runs; options that
    the verb has itself are shared. ``defaults``: values in place of the defaults of its options.
    """
    keyword = inspect.Parameter.KEYWORD_ONLY
    options_taken: dict[str, inspect.Parameter] = {}
    makers: dict[str, Callable[[Given], Any]] = {}
    arguments = [*inspect.signature(verb, eval_str=True).parameters.values()]
    if around is not None:
        arguments.append(inspect.Parameter("around", keyword, annotation=around))

    for argument in arguments:
        marks = [mark for mark in get_args(argument.annotation) if isinstance(mark, Parameters)]
        if marks:
            options = marks[0].options()
            own = [
                inspect.Parameter(n, keyword, default=None, annotation=a)
                for n, (a, _) in options.items()
            ]
            readers = {name: read for name, (_, read) in options.items()}
            makers[argument.name] = partial(_given, marks[0].defaults, readers)
        elif is_dataclass(argument.annotation):
            group: Any = argument.annotation
            own = [*inspect.signature(group, eval_str=True).parameters.values()]
            makers[argument.name] = partial(_group, group, [one.name for one in own])
        else:
            own = [argument]
            makers[argument.name] = itemgetter(argument.name)

        options_taken |= {
            one.name: one.replace(kind=keyword) for one in own if one.name not in options_taken
        }

    options_taken |= {
        name: options_taken[name].replace(default=value) for name, value in defaults.items()
    }
    options_taken["quiet"] = inspect.Parameter("quiet", keyword, default=False, annotation=Quiet)

    def run(**values: Any) -> None:
        by_name = {name: one.default for name, one in options_taken.items()} | values
        if around is not None:
            _check_output_is_no_input(by_name)

        made = {name: make(by_name) for name, make in makers.items()}
        with quietly(by_name["quiet"]), made.pop("around", nullcontext()):
            verb(**made)

    run.__doc__ = verb.__doc__
    run.__annotations__ = {name: one.annotation for name, one in options_taken.items()}
    run.__signature__ = inspect.Signature([*options_taken.values()])  # type: ignore[attr-defined]
    return run


def _check_output_is_no_input(values: Given) -> None:
    """Raise ParameterError where the file to be written is one that is read; answers are gone on
    with.
    """
    output = values.get("output")
    if output is None or not Path(output).is_file():
        return
    for name, value in values.items():
        if name in ("output", "answers") or not isinstance(value, str | os.PathLike):
            continue
        if _is_same(Path(value), output):
            raise ParameterError(
                f"--output {output}: is what is read here, and would be replaced; name another file"
            )


def _is_same(path: Path, file: Path) -> bool:
    """Whether a path, or what may be none, is that of a file."""
    with suppress(OSError, ValueError):
        return path.samefile(file)
    return False


def _given(defaults: Mapping[str, Any], readers: Mapping[str, Reader], texts: Given) -> Given:
    """The values of those parameters of a class that are given, as their options spell them."""
    parsed = {
        name: read(texts[name]) for name, read in readers.items() if texts[name] not in (None, ())
    }
    return {**defaults, **parsed}


def _group(group: Any, names: Sequence[str], values: Given) -> Any:
    return group(**{name: values[name] for name in names})


def value_of(rule: Rule, option: str, text: str) -> Any:
    """The value that a text spells, as a rule allows it."""
    for rule_tried in filter(None, (rule, rule.other)):
        try:
            value = _read(rule_tried, text.strip(), rule.optional)
        except ValueError:
            continue

        if rule.admits(value):
            return value

    less = ""
    if rule.kind == "integer" and text.strip().isdecimal() and len(text) > 9:
        less = ", below 2**31"
    allowed = rule.allowed
    if rule.kind == "sequence" and not rule.words:
        item = rule.item.allowed if rule.item else "a string"
        allowed = f"values separated by commas, each {item}"

    raise ParameterError(f"{option} {text}: {'choose' if rule.choices else 'give'} {allowed}{less}")


def plain_text(help: str) -> str:
    """A docstring's text without its markup."""
    text = re.sub(r"[;,]? ?[Ss]ee :\w+:`[^`]*`", "", help)
    text = re.sub(r":\w+:`(?:fstce\.)?([^`]*)`", r"\1", text).replace("`", "")
    return re.sub(r"\bNone\b", "none", text).strip(" .:") + "."


def _read(rule: Rule, text: str, optional: bool) -> Any:
    if optional and text.lower() == "none":
        return None
    if rule.kind == "integer":
        return int(text)
    if rule.kind == "real":
        return float(text)
    if rule.kind == "sequence":
        item = rule.item or Rule("text")
        parts = [part.strip() for part in text.split(",") if part.strip()]
        items = [] if text.lower() == "none" and not item.optional else parts
        return tuple(dict.fromkeys(_read(item, part, item.optional) for part in items))

    if rule.kind == "mapping":
        return {
            name.strip(): float(value)
            for name, _, value in (p.partition("=") for p in text.split(","))
        }

    return text.lower() if rule.kind == "choice" else text


def _metavar(rule: Rule) -> str:
    if rule.kind == "choice":
        names = [*rule.choices, *(["N"] if rule.other and rule.other.kind == "integer" else [])]
        return f"[{'|'.join(names)}]"
    if rule.kind == "sequence" and rule.item and rule.item.kind in ("integer", "real"):
        return f"{METAVARS[rule.item.kind]},..."
    return METAVARS.get(rule.kind, "NAME")


def _shown_default(rule: Rule, default: Any) -> str:
    """The default, and the bounds of a number that has two."""
    text = ",".join(map(_shown, default if isinstance(default, tuple) else (default,))) or "none"
    bounded = rule.kind in ("integer", "real") and rule.high is not None and rule.high < 2**31
    return f"default: {text}; {rule.low:g} to {rule.high:g}" if bounded else f"default: {text}"


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    return f"{value:g}" if isinstance(value, float) else str(value)
