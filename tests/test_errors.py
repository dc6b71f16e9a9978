"""Errors: each is fstce's own and of the built-in kind that a caller would expect."""

from __future__ import annotations

import pickle

import pytest

from fstce import errors
from fstce.errors import FstceError, MissingToolError, optional


@pytest.mark.parametrize("name", errors.__all__)
def test_each_is_ours_and_survives_a_process(name: str) -> None:
    kind = getattr(errors, name)
    assert issubclass(kind, FstceError)
    assert name == "FstceError" or len(kind.__mro__) > len(FstceError.__mro__) + 1
    again = pickle.loads(pickle.dumps(kind("what to do")))
    assert type(again) is kind and str(again) == "what to do"


def test_callers_catch_them_by_the_built_in_kind() -> None:
    for name, kind in (("CorpusError", ValueError), ("ModelFileError", OSError)):
        with pytest.raises(kind, match="here"):
            raise getattr(errors, name)("here")


def test_what_is_not_installed_says_how_to_install_it() -> None:
    assert optional("json", "", "loads")("[1]") == [1]
    for module, name in (("fstce_without_such_a_module", ""), ("json", "no_such_name")):
        with pytest.raises(MissingToolError, match=r"^pip install it$"):
            optional(module, "pip install it", name)
