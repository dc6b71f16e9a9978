"""A kind of model is a folder and a line: each is taken away in turn, and a package of others adds one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from inspect import signature
from pathlib import Path

import pytest
from patience import patience

from fstce.kinds import OWN, imported, kinds

ROOT = Path(__file__).parents[1]

# What each kind does at the least; each text ends well or fails.
SMOKE = {
    "tagging": """
text = fstce.corpora.sample()[:30]
tagger = fstce.Tagger("trans1", order=2, max_iterations=3)
tagger.fit(text, dictionary=fstce.TagDictionary.from_corpus(text)).save("tagging")
assert len(fstce.Tagger.load("tagging").predict([["the", "dog"]])[0]) == 2
""",
    "parsing": """
fstce.DependencyParser("trans1", max_iterations=3).fit([["D", "N", "V"], ["N", "V"]]).save("parsing")
assert fstce.DependencyParser.load("parsing").predict([["D", "N", "V"]])[0].count(0) == 1
""",
    "latent": """
small = {"cycles": 1, "split_iterations": 1, "merge_iterations": 1, "smooth_iterations": 1}
fstce.LatentGrammar(**small).fit(fstce.corpora.sample()[:8]).save("latent")
assert fstce.LatentGrammar.load("latent").predict([["the", "dog"]])
""",
    "induction": """
text = [line.split() for line in ("the cat saw the saw", "the saw saw the cat")]
fstce.DirectedAlignment(context_fraction=0.2).fit(text).save("induction")
assert fstce.DirectedAlignment.load("induction").predict(text)
""",
    "speller": """
fstce.Speller().fit([("teh", "the")], ["the", "ten"]).save("speller")
assert fstce.Speller.load("speller").predict(["teh"]) == [["the", "ten"]]
""",
    "correction": """
text = ["the old cat sat on the old mat .".split(), "the cat sat on a hat .".split()] * 4
fstce.Corrector(held_out=0).fit(text).save("correction")
assert fstce.Corrector.load("correction").correct([["the", "old", "cat"]])
""",
}
# What is made of others, and says so when it is asked for without them.
MADE_OF = {
    "tagging": ("correction",),
    "parsing": (),
    "latent": (),
    "induction": (),
    "speller": ("correction",),
    "correction": (),
}
GROUPS = {kind.home.split(".")[1]: group for group, kind in kinds().items()}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model of each kind."""
    folder = tmp_path_factory.mktemp("models")
    program = "\n".join(("import fstce", *SMOKE.values()))
    assert run(ROOT, folder, program).returncode == 0
    return folder


# An editable install finds what is missing elsewhere.
ALONE = (
    "import sys; sys.meta_path = [f for f in sys.meta_path if 'editable' not in repr(f).lower()]\n"
)
PROGRAM = "from fstce.__main__ import run; run()"
HELPS = """
from fstce.cli.main import main
from fstce.cli.verbs import groups
for group in groups():
    assert main([group, "--help"]) == 0, group
"""


def run(
    package: Path, folder: Path, program: str, *arguments: str
) -> subprocess.CompletedProcess[str]:
    """A program of Python with this fstce."""
    environment = {**os.environ, "PYTHONPATH": str(package), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=patience(300)
    )


@pytest.mark.parametrize("kind", OWN)
def test_a_kind_that_is_taken_away_is_missed_by_nothing_but_what_is_made_of_it(
    kind: str, models: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    for source, target in (("fstce", ""), ("grammars", "grammars"), ("transducers", "transducers")):
        shutil.copytree(ROOT / source, site / "fstce" / target, dirs_exist_ok=True)
    shutil.rmtree(site / "fstce" / kind)
    registry = site / "fstce" / "kinds.py"
    lines = registry.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if line != f'    "{kind}",\n']
    assert len(kept) == len(lines) - 1
    registry.write_text("".join(kept), encoding="utf-8")

    gone = (kind, *MADE_OF[kind])
    program = ["import fstce", f"assert fstce.__file__.startswith({str(site)!r})"]
    smoke = "\n".join((*program, *(text for name, text in SMOKE.items() if name not in gone)))
    report = run(site, tmp_path, ALONE + smoke)
    assert report.returncode == 0, report.stderr
    help = run(site, tmp_path, ALONE + PROGRAM, "--help").stdout
    assert f"\n  {GROUPS[kind]} " not in help and "\n  machine " in help
    for name in OWN:
        report = run(site, models, ALONE + PROGRAM, "info", name)
        assert report.returncode == (2 if name in gone else 0), report.stderr
        if name in gone:
            assert report.stderr.startswith("fstce: ") and report.stderr.count("\n") == 1
    for name in MADE_OF[kind]:
        report = run(site, tmp_path, ALONE + PROGRAM, GROUPS[name], "train", "sample")
        assert report.returncode == 2 and f"needs fstce.{kind}" in report.stderr

    helps = run(site, tmp_path, ALONE + HELPS)
    assert (helps.returncode, helps.stderr) == (0, ""), helps.stderr
    if kind in ("tagging", "latent"):  # papers are redrawn with them
        assert f"needsfstce.{kind}" in "".join(helps.stdout.split())


def test_a_clone_without_install_says_how_it_is_installed(tmp_path: Path) -> None:
    """It said that this fstce is without transducers, which stand in a folder of their own."""
    for source in ("fstce", "grammars", "transducers"):
        shutil.copytree(ROOT / source, tmp_path / source)
    done = run(tmp_path, tmp_path, ALONE + "import fstce; fstce.Tagger")
    assert done.returncode == 1 and "install it: pip install -e ." in done.stderr


COUNTER = '''
"""A kind of model that another package adds: it counts words."""

from __future__ import annotations

from fstce.estimation.estimator import Estimator
from fstce.kinds import Kind, Model
from fstce.storage.state import State


class Counter(Estimator):
    KIND = "word counter"

    def fit(self, sentences):
        self.n_ = sum(map(len, sentences))
        return self

    def to_state(self):
        return State(self.KIND, {"parameters": {}, "words": self.n_})

    @classmethod
    def from_state(cls, state):
        return cls().fit([range(state.entry("words", int))])

    def facts(self):
        return {"words": str(self.n_)}


COUNTING = Kind(
    group="counter",
    summary="Counts words.",
    home="wordcounter.verbs",
    verbs={"train": "raise"},
    models={Counter.KIND: Model("wordcounter.Counter")},
)
'''
TRAIN = '''
from fstce.console.options import Corpus, ModelOutput
from fstce.console.texts import read


def train(corpus: Corpus, output: ModelOutput = None) -> None:
    """Count the words of a corpus."""
    from wordcounter import Counter

    Counter().fit(read(corpus)).save(output)
'''


def test_another_package_adds_a_kind_by_an_entry_point(tmp_path: Path) -> None:
    (tmp_path / "wordcounter" / "verbs").mkdir(parents=True)
    (tmp_path / "wordcounter" / "__init__.py").write_text(COUNTER)
    (tmp_path / "wordcounter" / "verbs" / "train.py").write_text(TRAIN)
    about = tmp_path / "wordcounter-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: wordcounter\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[fstce.kinds]\ncounter = wordcounter:COUNTING\n")
    (tmp_path / "text.txt").write_text("it rains\nit snows again\n")

    def fstce(*arguments: str) -> subprocess.CompletedProcess[str]:
        return run(tmp_path, tmp_path, PROGRAM, *arguments)

    assert "\n  counter       Counts words.\n" in fstce("--help").stdout
    report = fstce("counter", "train", "text.txt", "--output", "model", "--tokenized", "--quiet")
    assert (report.returncode, report.stderr) == (0, "")
    assert fstce("info", "model").stdout.split() == ["words", "5"]
    assert (
        "is a word counter: use the verbs of fstce counter"
        in fstce("tagger", "tag", "model").stderr
    )


def test_a_kind_of_others_that_does_not_load_is_a_warning(tmp_path: Path) -> None:
    about = tmp_path / "broken-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[fstce.kinds]\nbroken = no_such_module:KIND\n")
    report = run(tmp_path, tmp_path, PROGRAM, "--help")
    assert report.returncode == 0 and "\n  tagger " in report.stdout
    assert (
        "warning: the kind of model broken (no_such_module:KIND): No module named" in report.stderr
    )


def test_all_estimators_together_have_no_more_parameters_than_a_user_can_know() -> None:
    models = [model for kind in kinds().values() for model in kind.models.values()]
    sizes = {model.name: len(signature(imported(model.cls)).parameters) for model in models}
    assert sum(sizes.values()) <= 100, sizes
