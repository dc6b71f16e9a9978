"""The lessons: the key is right everywhere, what is not answered is nowhere right, wrong answers are told."""

import ast
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from patience import patience

LESSONS = Path(__file__).parents[1] / "examples" / "lessons"
NAMES = sorted(path.stem for path in LESSONS.glob("lesson_*.py"))


def run(*command, cwd=None):
    return subprocess.run(
        (sys.executable, *command), capture_output=True, text=True, timeout=patience(300), cwd=cwd
    )


def test_the_key_is_right():
    report = run(str(LESSONS / "grading.py"), "--key")
    assert report.returncode == 0, report.stdout + report.stderr
    scores = re.findall(r"^(\d+) of (\d+) exercises are right$", report.stdout, re.M)
    assert len(scores) == len(NAMES) == 16
    assert all(right == total and int(total) >= 2 for right, total in scores)


@pytest.mark.parametrize("lesson", ["lesson_01", "lesson_07", "lesson_15"])
def test_a_lesson_is_a_script_that_runs_once(lesson):
    report = run(str(LESSONS / f"{lesson}.py"))
    assert report.returncode == 0, report.stderr
    assert re.search(r"^0 of \d exercises are right$", report.stdout, re.M)
    lines = [line for line in report.stdout.splitlines() if line.strip()]
    assert len(lines) == len(set(lines))


def test_no_lesson_is_right_without_answers():
    report = run(str(LESSONS / "grading.py"))
    assert report.returncode == 1, report.stderr
    assert len(re.findall(r"^0 of \d exercises are right$", report.stdout, re.M)) == 16


def test_a_wrong_answer_is_told_as_expected_and_got(tmp_path):
    """As in a notebook: the lesson's cells in another namespace, with an answer that is wrong."""
    source = (
        (LESSONS / "lesson_01.py").read_text(encoding="utf-8").replace("return ...", "return m", 1)
    )
    (tmp_path / "mine.py").write_text(source, encoding="utf-8")
    report = run(
        "-c",
        f"import sys; sys.path[:0] = [{str(LESSONS)!r}]; exec(open('mine.py').read())",
        cwd=tmp_path,
    )
    assert "states_of_one_string(2): expected 3, got 2" in report.stdout, report.stderr


def test_an_error_is_told_with_its_call(tmp_path):
    source = (
        (LESSONS / "lesson_06.py")
        .read_text(encoding="utf-8")
        .replace("return ...", "return 1 / 0", 1)
    )
    (tmp_path / "mine.py").write_text(source, encoding="utf-8")
    report = run(
        "-c",
        f"import sys; sys.path[:0] = [{str(LESSONS)!r}]; exec(open('mine.py').read())",
        cwd=tmp_path,
    )
    assert "star(0.0): expected 1.0, got ZeroDivisionError: division by zero" in report.stdout, (
        report.stderr
    )


@pytest.fixture(scope="module")
def with_grading():
    """What makes of a lesson the file that its page offers."""
    return runpy.run_path(str(LESSONS.parents[1] / "docs" / "made_pages.py"))["with_grading"]


@pytest.mark.parametrize("lesson", ["lesson_03", "lesson_11"])
def test_a_lesson_runs_where_it_is_downloaded(lesson, with_grading, tmp_path):
    """It was a lone file that imports what is not there."""
    (tmp_path / f"{lesson}.py").write_text(with_grading(LESSONS / f"{lesson}.py"))
    report = run(f"{lesson}.py", cwd=tmp_path)
    assert report.returncode == 0, report.stderr
    assert re.search(r"^0 of \d exercises are right$", report.stdout, re.M)


def test_the_lessons_of_one_process_are_graded_each_by_its_own(with_grading, tmp_path):
    """As the site runs them, the second with answers that are right."""
    code = []
    for lesson in ("lesson_01", "lesson_03"):
        text = with_grading(LESSONS / f"{lesson}.py").replace("return ...", "return 2**n", 1)
        code.append(f"exec({text!r}, {{'__name__': '__main__'}})")
    report = run("-c", "\n".join(code), cwd=tmp_path)
    assert "name 'n' is not defined" in report.stdout, report.stderr
    assert "deterministic_states: right" in report.stdout and "1 of 3 exercises" in report.stdout


@pytest.mark.parametrize("lesson", NAMES)
def test_what_grades_stands_outside_the_lesson(lesson):
    """Every function without an answer has a check of its own, and nothing of the check is in the file."""
    tree = ast.parse((LESSONS / f"{lesson}.py").read_text(encoding="utf-8"))
    asked = {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and ast.unparse(node.body[-1]) == "return ..."
    }
    checks = ast.parse((LESSONS / "checks" / f"{lesson}.py").read_text(encoding="utf-8"))
    assigned = (node for node in checks.body if isinstance(node, ast.Assign))
    table = next(node for node in assigned if ast.unparse(node.targets[0]) == "CHECKS")
    assert asked == {key.value for key in table.value.keys}
    assert not {"exercise", "CHECKS", "case"} & {
        n.id for n in ast.walk(tree) if isinstance(n, ast.Name)
    }
