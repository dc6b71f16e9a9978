"""Arguments and options that verbs share: what a shell is told to complete."""

from __future__ import annotations

import typer

from fstce.console.options import argument, helped, neighborhoods, option, starting_with


def test_a_metavar_behind_the_names_says_what_is_completed() -> None:
    made = option("--neighborhood -n NAME", "Help.")
    assert (made.default, *made.param_decls) == ("--neighborhood", "-n")  # as typer takes them
    assert made.metavar == "NAME"
    assert made.autocompletion("del1w") == ["del1word"]
    flag = option("--flag", "Help.")
    assert flag.metavar is None and flag.autocompletion is None
    assert isinstance(argument("CORPUS", "Help."), type(typer.Argument()))


def test_completion_has_its_own_names_first_and_then_those_of_others() -> None:
    complete = starting_with(("tag", "train"), lambda start: [f"{start}…"])
    assert complete("T") == ["tag", "train", "T…"]
    assert complete("x") == ["x…"] and starting_with(("tag",))("x") == []
    assert {"trans1", "half:first", "sub1band", "training-set"} <= set(neighborhoods(""))


def test_help_stays_where_docstrings_are_left_out() -> None:
    @helped("What it does.")
    def verb() -> None: ...

    assert verb.help == "What it does." and verb.__doc__ is None
