"""The site: `make docs`. Pages are Markdown; API and commands are made from docstrings and verbs."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from made_pages import (  # noqa: E402
    Arguments,
    api,
    commands,
    gallery_sources,
    lessons_archive,
    tests,
)
from shoot_pages import pages  # noqa: E402

from fstce.version import __version__  # noqa: E402

project = "fstce"
author = "The fstce developers"
release = __version__
copyright = "The fstce developers, Apache-2.0"
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = [
    "_build",
    "reference/generated/tests.md",
    "gallery/**/*.py",
    "gallery/**/*.ipynb",
    "course/**/*.py",
    "course/**/*.ipynb",
]
templates_path = ["_templates"]
root_doc = "index"

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
smartquotes_action = "qe"  # quotes and ellipses; two hyphens begin an option
autosummary_generate = True
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

html_theme = "pydata_sphinx_theme"
html_title = "fstce"
html_static_path = ["_static", "_build/static"]
html_css_files = ["fstce.css"]
html_theme_options = {
    "navigation_depth": 2,
    "show_toc_level": 2,
    "header_links_before_dropdown": 4,
    "footer_start": ["copyright"],
    "footer_end": [],
}
# pages at the top, lessons and the reference have nothing beside or below them
html_sidebars = {"*": [], "course/*": [], "reference/generated/*": []}
html_show_sourcelink = False
mathjax_path = "mathjax/tex-svg.js"  # formulas need no network: the site has MathJax itself

SHIPPED = HERE / "_build" / "static" / "mathjax"
SHIPPED.mkdir(parents=True, exist_ok=True)
package = importlib.util.find_spec("sphinx-mathjax-offline")
if package is not None and package.submodule_search_locations:  # of the extra fstce[docs]
    shutil.copy(
        Path(package.submodule_search_locations[0], "static", "mathjax", "tex-svg.js"), SHIPPED
    )

GENERATED = HERE / "reference" / "generated"
sphinx_gallery_conf = {
    "examples_dirs": [str(HERE / "_build" / "examples"), str(HERE / "_build" / "lessons")],
    "gallery_dirs": ["gallery", "course"],
    "within_subsection_order": "FileNameSortKey",
    "filename_pattern": "/(plot|lesson)_",  # lessons say that they wait for their answers
    "reset_argv": Arguments(),
    "run_stale_examples": True,  # what they print changes with fstce, not only with themselves
    "image_scrapers": ("svg_scraper",),
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "abort_on_example_error": True,
    "min_reported_time": 1e9,
    "write_computation_times": False,
}

shutil.rmtree(GENERATED, ignore_errors=True)
GENERATED.mkdir(parents=True)
(GENERATED / "commands.md").write_text(commands(), encoding="utf-8")
(GENERATED / "tests.md").write_text(tests(HERE.parent / "tests"), encoding="utf-8")
(GENERATED / "api.rst").write_text(api(), encoding="utf-8")
(GENERATED / "pages.md").write_text(pages(GENERATED / "pages"), encoding="utf-8")
gallery_sources(
    *(HERE.parent / "examples", HERE / "_build" / "examples", "plot_*.py"),
    header="Gallery\n=======\n\nEach example is run.\n",
)
LESSONS = HERE.parent / "examples" / "lessons"
lessons_archive(LESSONS, GENERATED / "lessons.zip")
gallery_sources(
    *(LESSONS, HERE / "_build" / "lessons", "lesson_*.py"),
    header=":orphan:\n\nLessons\n=======\n\nScripts and notebooks: see :doc:`/first_hours/course`.\n",
)


def skip_alias(
    app: object, where: str, name: str, member: object, skipped: bool, options: object
) -> bool | None:
    """Whether a member is a named tuple's field, whose docs only say that it is one."""
    is_alias = str(getattr(member, "__doc__", "")).startswith("Alias for field number")
    return True if is_alias else None


def setup(app: object) -> None:
    """Leave such fields out of the reference: the signature and the docstring name them."""
    app.connect("autodoc-skip-member", skip_alias)  # type: ignore[attr-defined]
