"""What all verbs of experiments do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from patience import patience

SMALL = ("landscape", "--quick", "--words", "200", "--held-out", "200", "--criteria", "em")


def test_it_ends_where_nobody_reads_and_goes_on_later(fstce: Any, tmp_path: Path) -> None:
    options = (*SMALL, "--starts", "4", "--jobs", "1", "-o", str(tmp_path / "report"))
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        (sys.executable, "-m", "fstce", "reproduce", *options),
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        timeout=patience(60),
    )
    os.close(writer)
    assert done.returncode == 130
    assert "nobody reads the output; " in done.stderr and "again to go on" in done.stderr
    log = (tmp_path / "report" / "trials.jsonl").read_bytes().splitlines()
    assert len(log) < 1 + 5 and not (tmp_path / "report" / "index.html").exists()

    code, out, err = fstce("reproduce", *options)
    assert code == 0 and "Sensitivity to the start" in out, err
    assert f"{len(log) - 1} of them found in the log" in err or len(log) == 1
