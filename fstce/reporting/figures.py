"""Pictures: drawn by matplotlib, the same bytes for the same numbers, for files and for pages.

Matplotlib (the extra ``plot``) is imported where a chart is drawn. Its settings, the
user's own included, are put aside while a chart is drawn and restored afterwards.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

from fstce.errors import MissingToolError
from fstce.reporting.files import check_name, slug
from fstce.reporting.svg import embedded_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe & Ito's colors, which the color-blind tell apart, without their yellow, which paper swallows;
# then five more, for pages with many systems.
PALETTE = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"),
    *("#882255", "#7A7A00", "#332288", "#8C564B", "#44AA99"),
)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
INK, GREY = "#222222", "#777777"
_DOTS_PER_INCH = 200
_LOOK: dict[str, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": "#999999",
    "axes.formatter.limits": (-5, 7),
    "axes.formatter.useoffset": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlepad": 12,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    # Verdana and DejaVu Sans have letters of one width, so labels fit where the page's reader lacks one.
    "font.family": ["sans-serif"],
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Helvetica", "Arial"],
    "font.size": 9,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.8,
    "legend.frameon": False,
    "lines.linewidth": 1.7,
    "lines.markersize": 5.5,
    "savefig.facecolor": "white",
    "svg.fonttype": "none",
    "svg.hashsalt": "fstce",
    "text.color": INK,
    # Tags such as PRP$ are no formulas.
    "text.parse_math": False,
    "xtick.color": "#999999",
    "xtick.labelcolor": INK,
    "ytick.color": "#999999",
    "ytick.labelcolor": INK,
}


@dataclass(frozen=True)
class Picture:
    """A picture as files and for a page.

    ``name``: the name of its files, without suffix. ``png``: the same as PNG; empty where there is none.
    """

    name: str
    title: str
    svg: str
    png: bytes = b""

    def __post_init__(self) -> None:
        check_name(self.name, "picture")

    def _repr_svg_(self) -> str:
        return self.svg


def matplotlib() -> ModuleType:
    """The package matplotlib."""
    try:
        import matplotlib
        import matplotlib.figure
    except ImportError:
        raise MissingToolError(
            "charts are drawn by matplotlib, which is not installed: pip install 'fstce[plot]'"
        ) from None
    return matplotlib


def draw(
    title: str,
    name: str | None,
    size: tuple[float, float],
    paint: Callable[[Figure, Axes], None],
) -> Picture:
    """A picture of one set of axes.

    ``name``: the name of the picture's files; otherwise made from the title. ``paint``: draws into the figure
    and its axes.
    """
    library = matplotlib()
    name = slug(title) if name is None else name
    check_name(name, "picture")
    with library.rc_context(), warnings.catch_warnings():
        # A letter that DejaVu Sans lacks is a box in the PNG, and right in the SVG.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        library.rcdefaults()
        library.rcParams.update(_LOOK)
        figure = library.figure.Figure(figsize=size, layout="constrained")
        figure.get_layout_engine().set(w_pad=0.1, h_pad=0.1)
        axes = figure.add_subplot()
        axes.set_title(title, wrap=True)
        paint(figure, axes)
        # Matplotlib would write its version and the hour.
        silent = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        svg = embedded_svg(_saved(figure, format="svg", metadata=silent).decode(), name, title) + "\n"
        png = _saved(figure, format="png", dpi=_DOTS_PER_INCH, metadata={"Software": None})
        return Picture(name, title, svg, png)


def short_number(value: float, _position: object = None) -> str:
    """A tick's number without needless digits.

    >>> [short_number(x) for x in (0.1, 1.0, 24000.0, -0.5)]
    ['0.1', '1', '24,000', '−0.5']
    """
    return f"{value:,.6g}".replace("-", "−")


def _saved(figure: Figure, **options: Any) -> bytes:
    out = io.BytesIO()
    figure.savefig(out, **options)
    return out.getvalue()
