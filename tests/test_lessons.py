"""The lessons: the key is right everywhere, and what is not answered is nowhere right."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

LESSONS = Path(__file__).parents[1] / "examples" / "lessons"


def run(*command):
    return subprocess.run((sys.executable, *command), capture_output=True, text=True, timeout=300)


def test_the_key_is_right():
    report = run(str(LESSONS / "grading.py"), "--key")
    assert report.returncode == 0, report.stdout + report.stderr
    scores = re.findall(r"^(\d+) of (\d+) exercises are right$", report.stdout, re.M)
    assert len(scores) == 10 and all(right == total and int(total) >= 2 for right, total in scores)


@pytest.mark.parametrize("lesson", ["lesson_01", "lesson_05", "lesson_10"])
def test_without_answers_nothing_is_right(lesson):
    report = run(str(LESSONS / f"{lesson}.py"))
    assert report.returncode == 0, report.stderr
    assert re.search(r"^0 of \d exercises are right$", report.stdout, re.M)


def test_no_lesson_is_right_without_answers():
    report = run(str(LESSONS / "grading.py"))
    assert report.returncode == 1, report.stderr
    assert len(re.findall(r"^0 of \d exercises are right$", report.stdout, re.M)) == 10
