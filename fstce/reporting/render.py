"""Pages and tables as HTML: the templates in ``templates/``, where every value is escaped."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from fstce.svg import clean, escaped
from fstce.version import __version__

_ROOM = "fstce.reporting"


def escaped_lines(text: str) -> str:
    """`escaped`, with line breaks kept."""
    return re.sub(r"\r\n|\r|\n", "<br>", escaped(text))


def render(template: str, *, package: str = _ROOM, **values: Any) -> str:
    """The HTML of a template of a room, without control characters, which no browser shows."""
    return clean(_environment(package).get_template(template).render(values))


def render_page(
    template: str, *, style: str, script: str = "", package: str = _ROOM, **values: Any
) -> str:
    """A page that loads nothing and runs no script but this one.

    Its policy says so to the browser.
    """
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    allowed = f"; script-src 'sha256-{digest}'" if script else ""
    policy = Markup(f"default-src 'none'; style-src 'unsafe-inline'{allowed}")
    extra = {"policy": policy, "style": style, "script": script, "version": __version__}
    return render(template, package=package, **extra, **values)


@cache
def asset(name: str, package: str = _ROOM) -> str:
    """A style sheet or a script of a room, which stands inside the page itself."""
    return files(package).joinpath("templates", name).read_text(encoding="utf-8")


@cache
def _environment(package: str) -> Environment:
    environment = Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["lines"] = lambda text: Markup(escaped_lines(str(text)))
    return environment
