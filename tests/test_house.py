"""The house rules that machines can check: types, layers, the wheel (`make lint`), doctests, the door."""

import ast
import doctest
import importlib
import inspect
import pkgutil
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from patience import patience

import fstce

ROOT = Path(__file__).parents[1]
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def run(*command, cwd=ROOT):
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=patience(600))


def modules():
    found = [module.name for module in pkgutil.walk_packages(fstce.__path__, "fstce.")]
    for package in ("fstce.grammars", "fstce.transducers"):
        path = importlib.import_module(package).__path__
        found += [package, *(m.name for m in pkgutil.iter_modules(path, f"{package}."))]
    return sorted({name for name in found if not name.endswith("__main__")})


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(".*", "build", "*.egg-info"))
    built = run(
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--wheel-dir",
        str(folder),
        str(source),
    )
    assert built.returncode == 0, built.stderr
    (path,) = folder.glob("fstce-*.whl")
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


@pytest.mark.lint
def test_types(wheel):
    shutil.copy(ROOT / "setup.cfg", wheel)
    report = run(
        sys.executable, "-m", "mypy", "--config-file", "setup.cfg", "-p", "fstce", cwd=wheel
    )
    assert report.returncode == 0, report.stdout


@pytest.mark.lint
def test_imports_point_down_and_never_in_a_circle(wheel):
    """The layers of docs/architecture.md and no circle, as setup.cfg says; imports for types alone count."""
    program = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    report = run(
        *(sys.executable, "-c", f"import sys; sys.path.insert(0, '.'); {program}"),
        *("--config", str(ROOT / "setup.cfg"), "--no-cache"),
        cwd=wheel,
    )
    assert report.returncode == 0, report.stdout
    assert "Contracts: 2 kept, 0 broken" in report.stdout


# What opens or reads a file and is not the door: standard streams, files of our own, archives of the door's.
OWN = {
    ("fstce/cli/main.py", "_discard_output"),
    ("fstce/cli/main.py", "open_streams"),
    ("fstce/cli/neighborhood/lattice.py", "pairs"),
    ("fstce/console/output.py", "silenced"),
    ("fstce/console/places.py", "to_file"),
    ("fstce/corpora/documents.py", "_member"),  # of an archive that came through the door
    ("fstce/corpora/documents.py", "_kind_of_archive"),
    ("fstce/corpora/documents.py", "lines"),
    ("fstce/corpora/shipped.py", "_read"),
    ("fstce/correction/corrector_files.py", "read_counts"),
    ("fstce/estimation/journal.py", "_read"),
    ("fstce/latent/latent_grammar.py", "from_state"),
    ("fstce/machines/files.py", "write_far"),
    ("fstce/machines/image.py", "_image_of"),
    ("fstce/neighborhoods/check.py", "_attempt"),
    ("fstce/kinds.py", "_names_kinds"),  # of installed packages, as importlib reads it
    ("fstce/processes/memory.py", "_said_by_linux"),
    ("fstce/processes/memory.py", "limit"),
    ("fstce/processes/guarded.py", "_run"),
    ("fstce/processes/trial_log.py", "_locked"),
    ("fstce/reproduction/tagging.py", "restore"),
    ("fstce/speller/speller.py", "from_state"),
    ("fstce/wfsa/building.py", "_in_folder"),
    ("fstce/wfsa/remote.py", "begin"),
}
OPENING = {
    "fdopen",
    "fromfile",
    "genfromtxt",
    "loadtxt",
    "memmap",
    "open",
    "read_bytes",
    "read_csv",
    "read_text",
}


def opens(call):
    """Whether a call opens or reads a file; what comes with the package (`resources.files`) is no file."""
    if isinstance(call.func, ast.Name):
        return call.func.id in ("open", "FileIO")
    owner = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    name = call.func.attr if owner else ""
    return (name in OPENING and "files(" not in owner) or (name == "load" and owner == "np")


@pytest.mark.lint
def test_files_that_users_name_are_read_by_one_door():
    """Pipes without a writer, devices and endless files are met there: ``fstce.storage.atomic``."""
    places = set()
    for path in (
        path
        for room in ("fstce", "grammars", "transducers")
        for path in (ROOT / room).rglob("*.py")
    ):
        tree, name = ast.parse(path.read_text(encoding="utf-8")), path.relative_to(ROOT).as_posix()
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call) and opens(node)):
            around = [f.name for f in functions if f.lineno <= call.lineno <= (f.end_lineno or 0)]
            places.add((name, around[-1] if around else ""))
    elsewhere = {place for place in places if not place[0].startswith("fstce/storage/")}
    assert elsewhere <= OWN, "read them by fstce.storage.atomic or fstce.corpora.documents.lines_of"


OPTIONAL = {
    "distributed",
    "matplotlib",
    "nltk",
    "pandas",
    "sklearn",
    "sklearn_crfsuite",
    "spellchecker",
    "symspellpy",
}


@pytest.mark.lint
def test_imports_inside_functions_are_of_optional_packages_or_say_why_they_wait():
    """Outside the command line, whose verbs import when they run."""
    unsaid = []
    for path in (
        path
        for room in ("fstce", "grammars", "transducers")
        for path in (ROOT / room).rglob("*.py")
    ):
        if {"cli", "console", "verbs"} & set(path.relative_to(ROOT).parts):
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        for function in ast.walk(ast.parse("\n".join(lines))):
            if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Import):
                    names = {alias.name.partition(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom):
                    names = {str(node.module).partition(".")[0]}
                else:
                    continue
                if not names <= OPTIONAL and "#" not in lines[node.lineno - 1]:
                    unsaid.append(
                        f"{path.relative_to(ROOT)}:{node.lineno} {lines[node.lineno - 1].strip()}"
                    )
    assert unsaid == []


def doctests(module):
    """Its examples; those of a method that do not import its class go on with those of the class.

    Where the class has none, as the bases of estimators, they go on with those of a tagger.
    """
    tests = {test.name: test for test in doctest.DocTestFinder().find(module)}
    tagger = doctest.DocTestFinder(recurse=False).find(fstce.Tagger)[0].examples
    for name, test in tests.items():
        owner = name.rpartition(".")[0].removeprefix(f"{module.__name__}.")
        whole = any(
            re.search(rf"import .*\b{owner}\b", example.source) for example in test.examples
        )
        if test.examples and not whole and inspect.isclass(getattr(module, owner, None)):
            of_class = tests[f"{module.__name__}.{owner}"].examples
            test.examples = [*(of_class or tagger), *test.examples]
    return tests.values()


@pytest.mark.parametrize("name", modules())
def test_doctests(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    for test in doctests(importlib.import_module(name)):
        runner.run(test)
    assert runner.failures == 0


def test_every_public_method_has_docs_of_its_own_or_inherited():
    classes = {
        value
        for name in modules()
        for value in vars(importlib.import_module(name)).values()
        if inspect.isclass(value)
        and value.__module__.startswith("fstce.")
        and not value.__name__.startswith("_")
    }
    silent = [
        f"{cls.__module__}.{cls.__name__}.{name}"
        for cls in classes
        for name, value in vars(cls).items()
        if not name.startswith("_")
        and (inspect.isroutine(value) or isinstance(value, (property, classmethod)))
        if not inspect.getdoc(getattr(cls, name))
    ]
    assert sorted(silent) == []


def explained_arguments(docstring):
    """The names that the section *Parameters* of a numpydoc docstring explains."""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n-+\n|\Z)", docstring, re.S | re.M)
    for line in section[1].splitlines() if section else ():
        if line and not line.startswith(" "):
            yield from (name.strip("* `") for name in line.split(" :")[0].split(","))


def test_docstrings_explain_the_arguments_that_there_are():
    unknown = []
    for path in (
        path
        for room in ("fstce", "grammars", "transducers")
        for path in (ROOT / room).rglob("*.py")
    ):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            names = {node.arg for node in ast.walk(node.args) if isinstance(node, ast.arg)}
            for name in explained_arguments(ast.get_docstring(node) or ""):
                if name and name not in names:
                    unknown.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}: {name}")
    assert unknown == []


@pytest.mark.lint
def test_wheel_imports_and_holds_its_data(wheel, tmp_path):
    program = (
        "import fstce, fstce.grammars, fstce.transducers.trans1, fstce.cli.main;"
        "from fstce.corpora import coarse_map, sample;"
        "print(fstce.__file__, len(sample()), len(set(coarse_map().values())))"
    )
    command = (sys.executable, "-c", f"import sys; sys.path.insert(0, {str(wheel)!r}); {program}")
    report = run(*command, cwd=tmp_path)
    assert report.returncode == 0, report.stderr
    path, sentences, classes = report.stdout.split()
    assert path.startswith(str(wheel))
    assert int(sentences) >= 300
    assert int(classes) == 17


@pytest.mark.lint
def test_every_module_is_packaged(wheel):
    packaged = {str(path.relative_to(wheel)) for path in wheel.rglob("*.py")}
    for room, place in (
        ("fstce", "fstce"),
        ("grammars", "fstce/grammars"),
        ("transducers", "fstce/transducers"),
    ):
        for path in (ROOT / room).rglob("*.py"):
            assert str(Path(place) / path.relative_to(ROOT / room)) in packaged, path


@pytest.mark.lint
def test_type_checkers_see_an_editable_install(tmp_path):
    """The links of `make quickstart` show mypy all of fstce, the mapped folders too, from any folder."""
    venv = tmp_path / "venv"
    assert run(sys.executable, "-m", "venv", "--without-pip", str(venv)).returncode == 0
    made = run("make", "--silent", f"VENV={venv}", f"{venv}/.typed")
    assert made.returncode == 0, made.stderr
    program = (
        "import fstce, fstce.grammars.dmv, fstce.transducers.trans1; "
        "fstce.Tagger(order='x'); fstce.grammars.dmv.DependencyModel(1)"
    )
    options = (
        "--python-executable",
        str(venv / "bin" / "python"),
        "--cache-dir",
        str(tmp_path / "cache"),
    )
    report = run(sys.executable, "-m", "mypy", *options, "-c", program, cwd=tmp_path)
    faults = [line for line in report.stdout.splitlines() if "error:" in line]
    assert len(faults) == 2, report.stdout
    assert 'Argument "order" to "Tagger" has incompatible type "str"' in faults[0]
    assert 'Argument 1 to "DependencyModel" has incompatible type "int"' in faults[1]


SYSTEMS = "fstce.tagging, fstce.parsing, fstce.correction, fstce.latent, fstce.induction"


@pytest.mark.parametrize(
    ("modules", "heavy"),
    [
        ("fstce, fstce.cli.main", {"numpy", "scipy", "pynini", "pywrapfst", "jinja2"}),
        # With little memory the loader of libraries tried for minutes to load scipy.special.
        (SYSTEMS, {"scipy.special", "scipy.optimize"}),
    ],
)
def test_importing_is_light(modules, heavy):
    """What takes time comes when it is first used."""
    program = (
        f"import sys, {modules}; found = {heavy} & set(sys.modules); "
        "sys.exit(f'loaded: {sorted(found)}' if found else 0)"
    )
    report = run(sys.executable, "-c", program)
    assert report.returncode == 0, report.stderr


@pytest.mark.lint
def test_smoke():
    """The suite of an installed wheel, on the sources."""
    report = run(sys.executable, "tests/smoke.py")
    assert "all well" in report.stdout, report.stderr


def test_help_names_everything_public() -> None:
    """``help(fstce)`` is a table of contents: each public name stands in it, but for the version."""
    contents = fstce.__doc__ or ""
    assert not [name for name in fstce.__all__ if name != "__version__" and name not in contents]
    assert fstce.Lattice is fstce.machines.Lattice
    assert (fstce.Sentence, fstce.read_corpus) == (
        fstce.corpora.Sentence,
        fstce.corpora.read_corpus,
    )


def test_every_module_has_its_tests_by_name() -> None:
    """As CONTRIBUTING says: tests/<room>/test_<module>.py."""
    modules = [
        path.relative_to(ROOT / "fstce") if room == "fstce" else path.relative_to(ROOT)
        for room in ("fstce", "transducers", "grammars")
        for path in (ROOT / room).rglob("*.py")
        if path.name != "__init__.py"
    ]
    tests = [ROOT / "tests" / path.with_name(f"test_{path.name}") for path in modules]
    assert not [str(path.relative_to(ROOT)) for path in tests if not path.is_file()]
