"""What every kind of model owes the rest of the house."""

from __future__ import annotations

from fstce.cli.verbs import verbs_of
from fstce.kinds import Kind, imported, kinds


def assert_all_is_there(kind: Kind) -> None:
    """Each verb is a function with its own examples; each model has a class and what it names."""
    assert kinds()[kind.group] is kind
    for name, entry in verbs_of(kind).items():
        verb = imported(entry.function)
        assert verb.__name__ == name
        assert f"fstce {kind.group} {name}" in verb.help
    for name, model in kind.models.items():
        assert name == imported(model.cls).KIND
        for path in filter(None, (model.facts, model.explained)):
            assert callable(imported(path))
