"""Pages that are made from the code: the API, the commands, the gallery's sources, what the suite holds."""

from __future__ import annotations

import ast
import base64
import contextlib
import importlib
import inspect
import io
import re
import shutil
import zipfile
from pathlib import Path
from typing import Any

from fstce.cli.main import main
from fstce.cli.verbs import groups, single, verbs_of

ROOMS = {
    "fstce": "What people import",
    "fstce.corpora": "Corpora",
    "fstce.neighborhoods": "Neighborhoods",
    "fstce.machines": "Machines",
    "fstce.chart": "Charts",
    "fstce.evaluation": "Evaluation",
    "fstce.errors": "Errors",
}

# Some examples are run with where to write, the others as they are; tests/test_examples.py does the
# same.
ARGUMENTS = {
    "plot_01_neighborhoods": ["figures"],
    "plot_02_which_neighborhood": ["bars.svg"],
    "plot_06_from_file_to_tagger": ["own"],
}


class Arguments:
    """The arguments of each example, for sphinx-gallery, which keeps settings by their ``repr``."""

    def __repr__(self) -> str:
        return "Arguments()"

    def __call__(self, gallery_conf: dict[str, Any], script_vars: dict[str, Any]) -> list[str]:
        return ARGUMENTS.get(Path(script_vars["src_file"]).stem, [])


def api() -> str:
    """The public names of the rooms that people import from, each with a page of its own."""
    parts = ["API\n===\n"]
    seen: set[object] = set()

    for room, title in ROOMS.items():
        module = importlib.import_module(room)
        names = [
            name for name in sorted(module.__all__) if _is_documented(getattr(module, name), seen)
        ]
        parts.append(
            f"{title}\n{'-' * len(title)}\n\n.. currentmodule:: {room}\n\n.. autosummary::"
        )
        parts.append("   :toctree: api\n")
        parts += [f"   {name}" for name in names]
        parts.append("")

    return "\n".join(parts)


def _is_documented(thing: object, seen: set[object]) -> bool:
    """Whether it is a class or function that no room before has shown."""
    if not (inspect.isclass(thing) or inspect.isfunction(thing)) or thing in seen:
        return False
    seen.add(thing)
    return True


def commands() -> str:
    """Each verb's help, as the program itself prints it."""
    parts = ["# Commands\n", f"```text\n{_help()}```\n"]
    for name, group in groups().items():
        parts.append(f"## fstce {name}\n\n{group.summary}\n")
        parts += [
            f"### fstce {name} {verb}\n\n```text\n{_help(name, verb)}```\n"
            for verb in verbs_of(group)
        ]
    parts.append("## Verbs that stand alone\n")
    parts += [f"### fstce {verb}\n\n```text\n{_help(verb)}```\n" for verb in single()]
    return "\n".join(parts)


def _help(*verb: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        main([*verb, "--help"])
    return out.getvalue()


def tests(folder: Path) -> str:
    """How many test functions and modules each room has, counted in their sources."""
    rows = ["| room | modules | tests | of them by hypothesis |", "|---|---|---|---|"]
    for room in sorted(path for path in folder.iterdir() if path.is_dir()):
        sources = [path.read_text(encoding="utf-8") for path in sorted(room.rglob("test_*.py"))]
        functions = [function for source in sources for function in _tests(source)]
        drawn = sum(any("given" in ast.unparse(d) for d in f.decorator_list) for f in functions)
        if functions:
            rows.append(f"| `tests/{room.name}/` | {len(sources)} | {len(functions)} | {drawn} |")
    return "\n".join(rows) + "\n"


def _tests(source: str) -> list[ast.FunctionDef]:
    nodes = ast.walk(ast.parse(source))
    return [
        node
        for node in nodes
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]


def lessons_archive(lessons: Path, target: Path) -> None:
    """The lessons with what grades them, without the instructor's answers, as one archive."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(lessons.rglob("*.py")):
            if path.parent.name != "key":
                archive.write(path, Path("lessons") / path.relative_to(lessons))


IMPORT = "from grading import grade\n\n"
WITHIN = """# %%
# What grades a lesson comes with it, so that the file runs where it is.
import base64
import sys
import tempfile
from pathlib import Path

packed = "{packed}"
archive = Path(tempfile.mkdtemp(), "grading.zip")
archive.write_bytes(base64.b85decode(packed))
sys.path.insert(0, str(archive))
for module in ("grading", "checks", "{lesson}"):
    sys.modules.pop(module, None)
from grading import grade

"""


def with_grading(path: Path) -> str:
    """The text of a lesson with what grades it within; of another example its text."""
    text = path.read_text(encoding="utf-8")
    if IMPORT not in text:
        return text

    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("grading.py", "checks/__init__.py", f"checks/{path.name}"):
            archive.writestr(
                zipfile.ZipInfo(name), (path.parent / name).read_bytes(), zipfile.ZIP_DEFLATED
            )
    packed = base64.b85encode(content.getvalue()).decode()

    lines, grading = text.replace(IMPORT, "").rsplit("# %%\n", 1)
    return lines + WITHIN.format(packed=packed, lesson=path.stem) + grading


def gallery_sources(source: Path, target: Path, pattern: str, header: str) -> None:
    """Copy examples or lessons to where they may write files, their first lines as the gallery's
    titles.
    """
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    (target / "GALLERY_HEADER.rst").write_text(header, encoding="utf-8")
    for path in sorted(source.glob(pattern)):
        text = with_grading(path)
        title, _, rest = text.removeprefix('"""').partition("\n")
        title = title.rstrip('."')
        rest = re.sub(r"\nRun: .*", "", rest, count=1)
        made = f'"""\n{title}\n{"=" * len(title)}\n{rest}'
        (target / path.name).write_text(made, encoding="utf-8")
