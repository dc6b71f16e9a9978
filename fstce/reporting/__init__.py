"""Reports: tables, charts, and the self-contained page and the folder of files that hold them.

This room knows nothing of taggers and grammars. A result is a `Table` or a `Picture`; a
`Page` shows them; `write_report` writes page and files.

============  ======================================================================
``tables``    `Table` and `Divider`, as CSV, Markdown and HTML; cells as people read them
``charts``    lines of results
``figures``   `Picture`, and the only seam to matplotlib
``page``      `Page` and `write_report`, with ``render`` and ``templates/`` (HTML, looks,
              the script that sorts) and ``svg`` (pictures made safe)
``files``     writes all of them whole or not at all
============  ======================================================================
"""

from __future__ import annotations

from fstce.reporting.charts import Series, line_chart
from fstce.reporting.figures import Picture
from fstce.reporting.page import Page, write_report
from fstce.reporting.tables import Divider, Table

__all__ = ["Divider", "Page", "Picture", "Series", "Table", "line_chart", "write_report"]
