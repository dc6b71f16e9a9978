"""Ranges, names and presets."""

from dataclasses import asdict

import pytest

from fstce.errors import ParameterError
from fstce.induction.parameters import SYSTEMS, Options


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"context_fraction": 0}, "context_fraction=0: give a number above 0 to 1"),
        ({"max_length": 0}, "max_length=0: give a whole number from 1 to 50"),
        ({"max_length": 2.5}, "max_length=2.5"),
        ({"min_count": 0}, "min_count=0: give a whole number from 1"),
        ({"attachment": "left"}, "attachment='left': choose one of none, directional"),
        ({"overlap_threshold": 1.5}, "overlap_threshold=1.5: give a number above 0 to 1, or None"),
    ],
)
def test_values_out_of_range(changes, message):
    with pytest.raises(ParameterError, match=message.replace("(", r"\(")):
        Options(**changes)


def test_unknown_names():
    with pytest.raises(
        ParameterError, match="system='dad': choose one of da-stop, da, da-cluster, fwb"
    ):
        Options.of_system("dad")
    with pytest.raises(TypeError, match="unexpected keyword argument 'depth'"):
        Options.of_system("da", depth=3)


def test_the_systems_differ_in_one_option_each():
    plain = asdict(Options())
    changed = {
        name: set(asdict(Options.of_system(name)).items() - plain.items()) for name in SYSTEMS
    }
    assert changed == {
        "fwb": {("alignment", False)},
        "da": set(),
        "da-cluster": {("overlap_threshold", 0.3)},
        "da-stop": {("attachment", "directional")},
    }


def test_changes_come_over_the_preset():
    assert Options.of_system("da-cluster", overlap_threshold=0.9).overlap_threshold == 0.9
