"""Where what Linux alone has is missing (`other_desk`), and nothing is forked: the same answers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import patience

import fstce

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
from fstce.processes.memory import memory, own_memory
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
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=patience(300)
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the program above ran through."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "program.py").write_text(PROGRAM)
    done = there(sys.executable, "program.py", ".", folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


@pytest.fixture(scope="module")
def models(folder: Path) -> Path:
    """Beside the tagger a parser and a corrector, trained here."""
    text = fstce.corpora.sample()[:60]
    fstce.DependencyParser(max_iterations=2).fit([sentence.tags for sentence in text]).save(
        folder / "parser"
    )
    fstce.Corrector(criterion="none").fit(text).save(folder / "corrector")
    return folder


JOBS_USED = """
import sys
from fstce.cli.main import main
from fstce.processes import workers
begun = []
pool = workers.starting
workers.starting = lambda: (begun.append(1), pool())[1]
if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.exit(code or (0 if begun else 5))
"""


@pytest.mark.parametrize(
    "verb", ["tagger tag model", "parser parse parser", "corrector correct corrector"]
)
def test_several_processes_apply_a_model_as_one_does(models: Path, verb: str) -> None:
    """And there are several: what the verb does can be sent."""
    line = (
        "the/DT baker/NN will/MD sing/VB ./.\n"
        if "parser" in verb
        else "the baker will light the lamp .\n"
    )
    (models / "text").write_text(line * 500)
    (models / "jobs.py").write_text(JOBS_USED)
    command = (*verb.split(), "text", "-q", "--tokenized", "--jobs")
    one = there(sys.executable, "-m", "fstce", *command, "1", folder=models)
    two = there(sys.executable, "jobs.py", *command, "2", folder=models)
    assert (one.returncode, one.stderr) == (0, "")
    assert (two.returncode, two.stdout, two.stderr) == (0, one.stdout, "")
    assert one.stdout.count("\n") >= 500
