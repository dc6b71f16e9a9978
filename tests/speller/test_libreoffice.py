"""LibreOffice spells with a speller that was learned here, through libvoikko."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from patience import patience

from fstce import Speller
from fstce.speller.export import write_speller

ASK = Path(__file__).with_name("ask_libreoffice.py")
SYSTEM = ("/usr/bin/python3", "-E")  # the Python for which Debian's python3-uno is
INARI_SAMI = ("smn", "FI", str(0x243B))  # language, country, and its number
TYPOS = [
    ("Siilâk", "Siilak"),
    ("Sämi", "Säämi"),
    ("Taaâ", "Taažâ"),
    ("Sáámân", "Sáámán"),
    ("Kieläkäldee", "Kielâkäldee"),
]
WORDS = [*(intended for _, intended in TYPOS), "Aanaar", "Säämist", "Taažâst", "kielâ"]


def asked(pipe: str, words: list[str]) -> dict:
    command = [*SYSTEM, str(ASK), pipe, *INARI_SAMI, *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=patience(120))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_libreoffice_suggests_the_same(tmp_path: Path) -> None:
    """In a profile of its own, with the archive where libvoikko looks."""
    if shutil.which("soffice") is None:
        pytest.skip("soffice is not installed")
    if (
        not Path(SYSTEM[0]).exists()
        or subprocess.run([*SYSTEM, "-c", "import uno"], capture_output=True).returncode
    ):
        pytest.skip("python3-uno is not installed")
    speller = Speller().fit(TYPOS, WORDS)
    (tmp_path / "3").mkdir()  # dictionaries of the third form, archives of HFST's
    write_speller(speller, tmp_path / "3" / "smn.zhfst", "smn")
    pipe = f"fstce-{os.getpid()}"
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    office = subprocess.Popen(
        ["soffice", "--headless", "--norestore", profile, f"--accept=pipe,name={pipe};urp"],
        env={**os.environ, "VOIKKO_DICTIONARY_PATH": str(tmp_path)},
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # it is a script that starts others
    )
    words = ["Kieläkäldee", "Taaâst", "Säämi", "Anaar", "kielâ"]
    try:
        said = asked(pipe, words)
        office.wait(60)
    finally:
        if office.poll() is None:
            os.killpg(office.pid, signal.SIGKILL)
    if not said["voikko"]:
        pytest.skip("libreoffice-voikko is not installed")
    assert said["checkers"] == ["voikko.SpellChecker"]
    suggested = dict(zip(words, speller.predict(words), strict=True))
    assert said["words"] == {word: None if word in WORDS else suggested[word] for word in words}
    assert said["words"]["Kieläkäldee"] == ["Kielâkäldee"]
