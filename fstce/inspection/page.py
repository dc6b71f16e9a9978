"""An inspection as one self-contained page: its script stands in it, and nothing is loaded."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence

from markupsafe import Markup

from fstce.inspection.adjustable import Adjustable
from fstce.inspection.records import MachineView, record
from fstce.reporting.render import asset, render
from fstce.version import __version__

_ROOM = "fstce.inspection"
_SCRIPTS = ("sums.js", "files.js", "viewer.js", "steps.js", "weights.js")


def page(title: str, summary: str, views: Sequence[MachineView], tagger: Adjustable | None) -> str:
    """The page's HTML."""
    records = [record(view, alone=len(views) == 1) for view in views]
    script = "".join(asset(name, _ROOM) for name in _SCRIPTS)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    return render(
        "inspector.html",
        package=_ROOM,
        title=title,
        summary=summary,
        machines=records,
        tagger=tagger,
        data={"machines": [one["data"] for one in records], "model": tagger and tagger.data},
        policy=Markup(policy),
        style=asset("page.css") + asset("inspector.css", _ROOM),
        script=script,
        version=__version__,
    )
