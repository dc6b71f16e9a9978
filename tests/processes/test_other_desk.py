"""Where what Linux alone has is missing (`other_desk`), and nothing is forked: the same answers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
PROGRAM = """
import sys
from functools import partial
from pathlib import Path
import numpy as np
import fstce
from fstce.neighborhoods.check import check
from fstce.processes.guarded import guarded
from fstce.processes.workers import map_items
from fstce.processes.workers import FORKS, can_be_sent, cores
from fstce.storage.arrays import memory, own_memory
from fstce.storage.scratch import mapped

def tell_twice(word, tell):
    tell({"word": word})
    tell({"word": word})

def own_pid(item):
    import os
    return os.getpid()

def main(folder):
    import os
    assert not FORKS and cores() >= 1 and memory() > 0 and own_memory() == 0
    assert os.getpid() not in map_items(own_pid, range(4), 2)
    assert set(map_items(lambda item: os.getpid(), range(4), 2)) == {os.getpid()}
    assert list(guarded(partial(tell_twice, "a"), 60, 512)) == [{"word": "a"}] * 2
    assert list(guarded(lambda tell: tell({"word": "b"}), 60, 512)) == [{"word": "b"}]
    assert mapped(folder, 3_000_000, np.float64).sum() == 0
    assert check("trans1").holds
    (folder / "mine.py").write_text("def build(symbols): return symbols.any().closure()")
    assert fstce.neighborhood(str(folder / "mine.py"))(["a", "b"]).count() == 1
    text = fstce.corpora.sample()[:60]
    dictionary = fstce.TagDictionary.from_corpus(text)
    one, two = (fstce.Tagger(max_iterations=3, jobs=jobs).fit(text, dictionary=dictionary) for jobs in (1, 2))
    assert can_be_sent(one) and np.array_equal(one.theta_, two.theta_)
    one.save(folder / "model")

if __name__ == "__main__":
    main(Path(sys.argv[1]))
"""


def there(*command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(TESTS / "other_desk")}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the program above ran through."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "program.py").write_text(PROGRAM)
    done = there(sys.executable, "program.py", ".", folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def test_several_processes_tag_as_one_does(folder: Path) -> None:
    (folder / "text").write_text("the baker will light the lamp .\n" * 500)
    command = (sys.executable, "-m", "fstce", "tagger", "tag", "model", "text", "-q", "--jobs")
    one, two = (there(*command, jobs, folder=folder) for jobs in "12")
    assert (two.returncode, two.stdout, two.stderr) == (0, one.stdout, "")
    assert one.stdout.count("\n") == 500
