"""The corpora of NLTK's data collection, found where NLTK keeps them and never downloaded."""

from __future__ import annotations

import re
from pathlib import Path

from fstce.corpora.documents import members
from fstce.errors import CorpusError, MissingToolError

NLTK_CORPORA: dict[str, tuple[str, str]] = {
    "treebank": ("penn", r"(.*/)?combined/[^/]+\.mrg"),
    "brown": ("tagged", r"(.*/)?c[a-r]\d\d"),
    "dependency_treebank": ("conllx", r".*\.dp"),
}


def find_nltk(name: str) -> tuple[Path, list[str], str]:
    """Where an NLTK corpus lies, which of its files to read, and their format.

    ``path``: the corpus's folder or zip archive. ``names``: its files, relative to the path.
    """
    path = _locate(name)
    format, pattern = NLTK_CORPORA[name]
    names = [member for member in members(path) if re.fullmatch(pattern, member)]
    if not names:
        raise CorpusError(f"{path}: none of the files of nltk:{name}; download the corpus again")
    return path, names, format


def _locate(name: str) -> Path:
    try:
        import nltk.data
    except ImportError:
        raise MissingToolError(f"nltk:{name} needs NLTK; install it with: pip install fstce[nltk]") from None
    try:
        pointer = nltk.data.find(f"corpora/{name}/")
    except (LookupError, OSError) as error:
        raise _not_found(name, str(error)) from None
    archive = getattr(pointer, "zipfile", None)
    path = archive.filename if archive is not None else getattr(pointer, "path", None)
    if path is None:
        raise _not_found(name, "")
    return Path(path)


def _not_found(name: str, reason: str) -> CorpusError:
    refused = "; NLTK refuses data that other accounts can write to" if "Refused" in reason else ""
    return CorpusError(
        f"nltk:{name}: NLTK does not find this corpus{refused}; set NLTK_DATA to the folder that holds "
        f"corpora/{name}, or fetch it with: python -m nltk.downloader {name} (nltk.download({name!r}))"
    )
