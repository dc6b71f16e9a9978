"""`fstce neighborhood check`."""

import json

import pytest

from fstce.cli.neighborhood import check as verb
from fstce.errors import FstceError


@pytest.fixture
def check(alone):
    return alone(verb.check)


def test_a_good_machine_has_a_table_and_code_0(check, tmp_path):
    (tmp_path / "t.txt").write_text("a b c\nd\n")
    result = check("trans1", "a b c d", "--text", tmp_path / "t.txt")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0 and result.stderr == "all holds\n"
    assert lines[0].split() == ["neighborhood", "trans1"]
    assert "lattice       9 states, 11 arcs, 4 strings; x is among them" in lines
    assert "neighbors     mean 2.0, most 3, in 2 sentences" in lines
    assert ["32", "93", "123", "32"] in [line.split()[:4] for line in lines]
    assert "    2  a b d c" in lines


def test_an_authors_file_that_never_ends(check, tmp_path):
    (tmp_path / "mine.py").write_text(
        '"""Mine."""\n\n\ndef build(symbols):\n    while True:\n        pass\n'
    )
    result = check(tmp_path / "mine.py", "--seconds", "0.5")
    assert result.exit_code == 2
    assert (
        result.stderr
        == f"error: transducer: did not end within 0.5 s\n{tmp_path}/mine.py: 1 error\n"
    )


def test_an_authors_exception_names_its_line(check, tmp_path):
    (tmp_path / "mine.py").write_text('"""Mine."""\n\n\ndef build(symbols):\n    return 1 / 0\n')
    result = check(tmp_path / "mine.py")
    assert result.exit_code == 2
    assert "mine.py:5" in result.stderr and "division by zero" in result.stderr


def test_json_is_the_report(check):
    result = check("del1word", "a b c", "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == 0
    assert found["holds"] and found["lattice"]["strings"] == 4 and len(found["growth"]) == 5


def test_an_unknown_name_is_an_error(check):
    with pytest.raises(FstceError, match="did you mean 'trans1'"):
        check("trans7")
