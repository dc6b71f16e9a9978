"""The page about a machine, a neighborhood or a model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fstce.errors import ParameterError
from fstce.inspection.records import MachineView, record
from fstce.parameters.overview import Overview
from fstce.storage.atomic import write_whole
from fstce.svg import escaped

if TYPE_CHECKING:
    from fstce.explanation.protocol import Adjustable

_ROOM = "fstce.inspection"
_SCRIPTS = ("sums.js", "files.js", "viewer.js", "weights.js")


@dataclass(frozen=True, eq=False)
class Inspection(metaclass=Overview):
    """A page about a machine, a neighborhood or a model.

    Attributes
    ----------
    title, summary : str
    views : tuple of MachineView
        The machines, in the order of the page.
    tagger : Adjustable, optional
        A model's weights, which a reader can change.

    Examples
    --------
    That of the method goes on with this one.

    >>> from fstce import inspect
    >>> seen = inspect("trans1")
    >>> seen.title
    'trans1: natural language is a delicate thing'
    >>> [view.title for view in seen.views][:2]
    ['sentence', 'transducer']
    """

    title: str
    summary: str
    views: tuple[MachineView, ...]
    tagger: Adjustable | None = None

    def to_html(self) -> str:
        """The page: one file that loads nothing; the same inspection gives the same text."""
        from fstce.reporting.render import asset, render_page  # loads the templates

        records = list(map(record, self.views))
        model = self.tagger and self.tagger.data
        return render_page(
            "inspector.html",
            package=_ROOM,
            style=asset("page.css") + asset("inspector.css", _ROOM),
            script="".join(asset(name, _ROOM) for name in _SCRIPTS),
            title=self.title,
            summary=self.summary,
            machines=records,
            tagger=self.tagger,
            data={"machines": [of_view["data"] for of_view in records], "model": model},
        )

    def write(self, path: Path | str) -> Path:
        """Write the page into a file, whole or not at all.

        Parameters
        ----------
        path : path
            The file.

        Returns
        -------
        Path
            Of the file.

        Raises
        ------
        ParameterError
            The file cannot be written.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     seen.write(pathlib.Path(folder) / "page.html").name
        'page.html'
        """
        return write_whole(path, self.to_html(), ParameterError)

    def _repr_html_(self) -> str:
        return f'<iframe width="100%" height="700" srcdoc="{escaped(self.to_html())}"></iframe>'
