"""HFST's spellers in one file: a zip archive of ``index.xml``, an acceptor of words and an error model."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import escape

from fstce.errors import MachineError
from fstce.machines.atomic import replacing

ACCEPTOR, ERRORS = "acceptor.default.hfst", "errmodel.default.hfst"


def write_zhfst(path: Path | str, acceptor: bytes, errors: bytes, info: Mapping[str, str]) -> None:
    """A speller as ``hfst-ospell`` and LibreOffice's extensions take it.

    ``info``: locale, title, description, producer.
    """
    entries = "".join(f"    <{name}>{escape(value)}</{name}>\n" for name, value in info.items())
    what = f"<title>{escape(info['title'])}</title><description>{escape(info['description'])}</description>"
    index = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<hfstspeller dtdversion="1.0" hfstversion="3">\n'
        f"  <info>\n{entries}  </info>\n"
        f'  <acceptor type="general" id="{ACCEPTOR}">{what}</acceptor>\n'
        f'  <errmodel id="{ERRORS}">{what}<type type="default"/><model>{ERRORS}</model></errmodel>\n'
        "</hfstspeller>\n"
    )
    with replacing(path) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in (("index.xml", index.encode()), (ACCEPTOR, acceptor), (ERRORS, errors)):
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)


def zhfst_member(data: bytes, where: str, name: str) -> bytes:
    """The bytes of a speller's acceptor or error model, or of another of the same sort."""
    kind = name.partition(".")[0]
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [member for member in archive.namelist() if Path(member).name.startswith(kind)]
            if not members:
                raise MachineError(f"{where}: holds no {kind}; a .zhfst has index.xml and two machines")
            return archive.read(name if name in members else members[0])
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error) as error:
        raise MachineError(f"{where}: no zip archive of a speller ({error}); write it again") from None
