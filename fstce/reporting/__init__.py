"""Reports: tables, charts, and the self-contained page and the folder of files that hold them.

This room knows nothing of taggers and grammars. A result is a `Table` or a `Picture`; a
`Page` shows them; `write_report` writes page and files.

============  ======================================================================
``tables``    `Table` and `Divider`, as CSV and HTML; cells as people read them
``charts``    lines of results as a `Picture`, and the only seam to matplotlib
``page``      `Page` and `write_report`, with ``render`` and ``templates/`` (HTML, looks,
              the script that sorts)
============  ======================================================================
"""
