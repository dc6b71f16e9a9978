"""`fstce corrector evaluate`."""

import json

import pytest

from fstce.console.models import load
from fstce.evaluation.correction import correction_scores

CLEAN = "the old clock stopped .\nthe old dog barked .\nthe clock is old .\n"
OBSERVED = "the old clok stopped .\nthe old dog barked .\nthe clock is odl .\n"
ROWS = [line.split() for line in CLEAN.splitlines()]


@pytest.fixture(scope="module")
def corrector(tmp_path_factory):
    from fstce import Corrector

    folder = tmp_path_factory.mktemp("corrector") / "m"
    Corrector(criterion="none").fit(ROWS * 20).save(folder)
    return folder


@pytest.fixture
def files(tmp_path):
    (tmp_path / "clean.txt").write_text(CLEAN)
    (tmp_path / "observed.txt").write_text(OBSERVED)
    return tmp_path


def test_text_that_was_observed(fstce, corrector, files):
    options = ("--observed", files / "observed.txt", "--json")
    code, out, _ = fstce("corrector", "evaluate", corrector, files / "clean.txt", *options)
    observed = [line.split() for line in OBSERVED.splitlines()]
    own = correction_scores(
        observed, ROWS, [found.words for found in load(corrector).correct(observed)]
    )
    record = json.loads(out)
    assert code == 0 and (record["sentences"], record["words"]) == (3, 15)
    assert (record["wrong before"], record["wrong after"]) == (
        own.error_rate_before,
        own.error_rate,
    )
    assert record["recall"] == 100 * own.correction.recall == 100.0


def test_a_text_without_mistakes_shows_what_is_damaged(fstce, corrector, files):
    code, out, _ = fstce("corrector", "evaluate", corrector, files / "clean.txt")
    own = correction_scores(
        ROWS, ROWS, [correction.words for correction in load(corrector).correct(ROWS)]
    )
    assert code == 0
    assert out.splitlines()[1].split()[:3] == [
        "0.00",
        f"{own.error_rate:.2f}",
        f"{own.damage_rate:.2f}",
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--observed", "sample"], "sentences, but the intended text 3"),
    ],
)
def test_what_it_refuses(fstce, corrector, files, options, message):
    clean = files / "clean.txt"
    code, out, err = fstce(
        "corrector",
        "evaluate",
        corrector,
        clean,
        *(option.format(clean=clean) for option in options),
    )
    assert (code, out) == (2, "") and message in err and err.count("\n") == 1
