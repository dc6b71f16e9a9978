"""What an example draws into SVG files, shown in the gallery."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from sphinx_gallery.scrapers import figure_rst


def svg_scraper(
    block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any], **_: Any
) -> str:
    """Take the SVG files that an example has written next to itself since the last block."""
    folder = Path(block_vars["src_file"]).parent
    shown = []
    for drawn, target in zip(
        sorted(folder.rglob("*.svg")), block_vars["image_path_iterator"], strict=False
    ):
        place = Path(target).with_suffix(".svg")
        shutil.move(drawn, place)
        shown.append(str(place))
    return figure_rst(shown, gallery_conf["src_dir"]) if shown else ""


def _get_sg_image_scraper() -> Any:
    """What sphinx-gallery asks a module for that it is given by name."""
    return svg_scraper
