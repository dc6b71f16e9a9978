"""Models in folders: what Ctrl-C saves of one, what is listed of its weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from fstce.console.models import Saving, heaviest
from fstce.console.output import Interruption


class Model:
    """A model that is saved as a file."""

    def save(self, folder: Path) -> None:
        folder.write_text("saved")


@pytest.mark.parametrize(
    ("named", "done", "said"),
    [
        (True, "2 cycles", "interrupted after 2 cycles, saved in {}; go on"),
        (
            False,
            "2 cycles",
            "interrupted after 2 cycles; nothing is saved, as no --output was given",
        ),
        (True, "", "interrupted before the first cycle; nothing is saved"),
    ],
)
def test_ctrl_c_saves_what_there_is(tmp_path: Path, named: bool, done: str, said: str) -> None:
    place = tmp_path / "model"
    saving = Saving(place if named else None)
    rescuing = saving.rescuing(Model, lambda: done, before="the first cycle", hint="; go on")
    with pytest.raises(Interruption) as told, rescuing:
        raise KeyboardInterrupt
    assert str(told.value) == said.format(place)
    assert place.exists() is (named and bool(done))


def test_nothing_is_saved_where_nobody_interrupts(tmp_path: Path) -> None:
    with Saving(tmp_path / "model").rescuing(Model, lambda: "all"):
        pass
    assert not (tmp_path / "model").exists()


def test_the_heaviest_weights_of_either_sign_or_the_likeliest() -> None:
    weights = [(("word", "N", "dog"), -2.0), (("tag", "N"), 1.0), (("tag", "V"), -0.5)]
    assert heaviest(weights)[1] == [
        ("word", "N dog", "-2.000"),
        ("tag", "N", "+1.000"),
        ("tag", "V", "-0.500"),
    ]
    assert [row[2] for row in heaviest(weights, likely=True)[1]] == ["+1.000", "-0.500", "-2.000"]
