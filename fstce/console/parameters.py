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
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, is_dataclass
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from fstce.console.options import Quiet, neighborhoods, starting_with
from fstce.console.output import quietly
from fstce.console.reading import Reading
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
KEYWORD = inspect.Parameter.KEYWORD_ONLY
MODEL = "Model"  # the panel of the parameters of one
TEXT = Rule("text")
WIDEST = 60  # letters of the choices that stand beside the name of an option
METAVARS = {"integer": "N", "real": "X", "sequence": "NAME,...", "mapping": "NAME=X,..."}


def _neighborhood(default: Any, text: str) -> Any:
    """The neighborhood that a text names.

    The name of the default stays one, as ``auto`` is none.
    """
    from fstce.neighborhoods.registry import neighborhood

    if text.strip().lower() == default:
        return default
    return neighborhood(text)


@dataclass(frozen=True)
class Parameters:
    """Which parameters of a class are options, and what the command line says of them otherwise.

    ``cls``: the class by its dotted name: an estimator, or the plan of an experiment. ``helps``:
    help in place of the class's own. ``defaults``: values in place of the class's defaults.
    ``files``: for parameters that files hold, from a path to the value. ``only``: the parameters
    that are options, if not all. ``panel``: the group of the options; None where what is not given
    is as the model was saved.
    """

    cls: str
    without: tuple[str, ...] = ()
    helps: Mapping[str, str] = field(default_factory=dict)
    defaults: Given = field(default_factory=dict)
    files: Mapping[str, Reader] = field(default_factory=dict)
    only: tuple[str, ...] = ()
    panel: str | None = MODEL

    def table(self) -> dict[str, tables.Parameter]:
        """The parameters that are options."""
        known = tables.parameters(imported(self.cls))
        names = [name for name in self.only or known if name not in self.without]
        return {name: known[name] for name in names}

    def options(self) -> dict[str, tuple[Any, Reader]]:
        """For each parameter its option, as an annotation, and what reads its value."""
        return {name: self._option(name, parameter) for name, parameter in self.table().items()}

    def _option(self, name: str, parameter: tables.Parameter) -> tuple[Any, Reader]:
        rule = parameter.rule
        default = self.defaults.get(name, parameter.default)
        help = self.helps.get(name) or re.sub(r"\bNone\b", "none", rule.help.replace("`", ""))
        long = f"--{name.replace('_', '-')}"
        panel = self.panel
        if panel == MODEL and name in _TRAINING:
            panel = "Training"

        settings: dict[str, Any] = {"show_default": False, "rich_help_panel": panel}
        if rule.kind == "flag":
            flags = long
            if default:
                flags += f"/--no-{long[2:]}"
            return Annotated[bool | None, typer.Option(flags, help=help, **settings)], bool

        read: Reader = partial(value_of, rule, long)
        metavar = _metavar(rule)
        if name in self.files:
            read = self.files[name]
            metavar = "FILE"
        elif len(metavar) > WIDEST:
            help = f"{help} One of {', '.join(rule.choices)}."
            metavar = "NAME"

        if name == "neighborhood":
            read = partial(_neighborhood, default)
            auto = [default] if default == "auto" else []
            settings["autocompletion"] = starting_with(auto, neighborhoods)
        elif rule.choices:
            settings["autocompletion"] = starting_with(rule.choices)

        usual = _shown_default(rule, default)
        if panel is None:
            usual = "default: the model's"
        names = (long, *SHORT.get(name, ()))
        option = typer.Option(*names, help=f"{help}  [{usual}]", metavar=metavar, **settings)
        return Annotated[str | None, option], read


def with_options(verb: Callable[..., None], faulty: str = "") -> Callable[..., None]:
    """The verb for typer, with --quiet and an option for each parameter of the classes it names.

    ``faulty``: what a verb that reads text does about what it cannot read; such a verb has the
    options of :class:`Reading`, within which it runs. Options that it has itself are shared.
    """
    arguments = [*inspect.signature(verb, eval_str=True).parameters.values()]
    if faulty:
        arguments.append(inspect.Parameter("around", KEYWORD, annotation=Reading))

    options: dict[str, inspect.Parameter] = {}
    makers: dict[str, Callable[[Given], Any]] = {}
    for argument in arguments:
        options_taken, makers[argument.name] = _taken(argument)
        for taken in options_taken:
            options.setdefault(taken.name, taken.replace(kind=KEYWORD))

    if faulty:
        options["faulty"] = options["faulty"].replace(default=faulty)
    options["quiet"] = inspect.Parameter("quiet", KEYWORD, default=False, annotation=Quiet)

    def run(**values: Any) -> None:
        if faulty:
            _check_output_is_no_input(values)

        made = {name: make(values) for name, make in makers.items()}
        around = made.pop("around").followed() if faulty else nullcontext()
        with quietly(values["quiet"]), around:
            verb(**made)

    run.__doc__ = verb.__doc__
    run.__annotations__ = {name: option.annotation for name, option in options.items()}
    run.__signature__ = inspect.Signature([*options.values()])  # type: ignore[attr-defined]
    return run


def _taken(argument: inspect.Parameter) -> tuple[list[inspect.Parameter], Callable[[Given], Any]]:
    """The options that an argument of a verb takes, and what makes its value of theirs."""
    group: Any = argument.annotation
    for mark in get_args(group):
        if isinstance(mark, Parameters):
            options = mark.options()
            rows = [
                inspect.Parameter(name, KEYWORD, default=None, annotation=annotation)
                for name, (annotation, _) in options.items()
            ]
            return rows, partial(_given, mark.defaults, options)

    if not is_dataclass(argument.annotation):
        return [argument], itemgetter(argument.name)

    fields = inspect.signature(group, eval_str=True).parameters
    return [*fields.values()], lambda values: group(**{name: values[name] for name in fields})


def _check_output_is_no_input(values: Given) -> None:
    """Raise ParameterError where the file to be written is read; answers are gone on with."""
    output = values.get("output")
    if output is None or not Path(output).is_file():
        return
    for name, value in values.items():
        if name in ("output", "answers") or not isinstance(value, str | os.PathLike):
            continue
        try:
            is_same = Path(value).samefile(output)
        except (OSError, ValueError):  # of what is no path
            continue

        if is_same:
            raise ParameterError(
                f"--output {output}: is what is read here, and would be replaced; name another file"
            )


def _given(
    defaults: Given, options: Mapping[str, tuple[Any, Reader]], texts: Mapping[str, Any]
) -> Given:
    """The values of those parameters of a class that are given, as their options spell them."""
    values = dict(defaults)
    for name, (_, read) in options.items():
        if texts[name] not in (None, ()):
            values[name] = read(texts[name])
    return values


def value_of(rule: Rule, option: str, text: str) -> Any:
    """The value that a text spells, as a rule allows it."""
    value: Any = text
    for rule_tried in filter(None, (rule, rule.other)):
        with suppress(ValueError):
            value = _read(rule_tried, text.strip(), rule.optional)
            if rule.admits(value):
                return value

    advice = rule.advice(value)
    if rule.kind == "sequence" and not rule.words:
        advice = f"give values separated by commas, each {(rule.item or TEXT).allowed}"
    raise ParameterError(f"{option} {text}: {advice}")


def _read(rule: Rule, text: str, optional: bool) -> Any:
    if optional and text.lower() == "none":
        return None
    if rule.kind == "integer":
        return int(text)
    if rule.kind == "real":
        return float(text)
    if rule.kind == "choice":
        return text.lower()
    if rule.kind == "mapping":
        pairs = [part.partition("=") for part in text.split(",")]
        return {name.strip(): float(value) for name, _, value in pairs}
    if rule.kind != "sequence":
        return text

    item = rule.item or TEXT
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if text.lower() == "none" and not item.optional:
        parts = []
    values = [_read(item, part, item.optional) for part in parts]
    # Numbers whose places mean something have a rule over all of them, and may repeat.
    return tuple(values if rule.holds is not None else dict.fromkeys(values))


def _metavar(rule: Rule) -> str:
    if rule.kind == "choice":
        names = list(rule.choices)
        if rule.other and rule.other.kind == "integer":
            names.append("N")
        return f"[{'|'.join(names)}]"
    if rule.kind == "sequence" and rule.item and rule.item.kind in ("integer", "real"):
        return f"{METAVARS[rule.item.kind]},..."
    return METAVARS.get(rule.kind, "NAME")


def _shown_default(rule: Rule, default: Any) -> str:
    """The default, and the bounds of a number that has two."""
    values = default if isinstance(default, tuple) else (default,)
    text = ",".join(map(_shown, values)) or "none"
    if rule.kind in ("integer", "real") and rule.high is not None and rule.high < 2**31:
        text += f"; {rule.low:g} to {rule.high:g}"
    return f"default: {text}"


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, float):
        return f"{value:g}"
    return str(value)
