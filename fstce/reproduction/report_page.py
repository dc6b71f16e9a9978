"""What the pages of all experiments have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from fstce.errors import MissingToolError
from fstce.reporting import Page, Picture
from fstce.reporting.cells import Cell


class ReportPage(Page):
    """The page of an experiment, which begins with what was run, on what, and which trials failed."""

    def __init__(
        self, title: str, summary: str, command: str, facts: Mapping[str, Cell], failed: Iterable[str] = ()
    ) -> None:
        super().__init__(title, summary, sortable=True)
        self.section("What was run")
        self.code(command)
        self.facts(facts)
        reported = list(dict.fromkeys(failed))
        if reported:
            number = "1 trial" if len(reported) == 1 else f"{len(reported)} trials"
            self.text(f"{number} failed, and what they would say is missing below; the next run tries again:")
            self.items(reported)

    def chart(
        self, caption: str, draw: Callable[..., Picture], *data: Any, section: str = "", **options: Any
    ) -> None:
        """Draw a picture and add it, under a section of its own; nothing where matplotlib is missing."""
        with suppress(MissingToolError):
            picture = draw(*data, **options)
            if section and section not in self._sections.values():
                self.section(section)
            self.picture(picture, caption)
