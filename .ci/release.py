"""The files of a release: wheel and sdist, built twice with equal digests, and their bill of materials.

Run: python .ci/release.py FOLDER [--repository OWNER/NAME]    (make release, into dist/)

Links of the README, which a package index shows, lead into the repository that setup.cfg names; with
--repository another one is refused. What is built depends on the files of the commit and its date alone.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from configparser import ConfigParser
from email.parser import HeaderParser
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

ROOT = Path(__file__).resolve().parents[1]
SOURCE = "SOURCE_DATE_EPOCH"


def git(*arguments: str) -> str:
    """What git says of this checkout, empty where it is none."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ""


def home() -> str:
    """The repository, as setup.cfg names it."""
    setup = ConfigParser()
    setup.read(ROOT / "setup.cfg", encoding="utf-8")
    rows = (line.partition("=") for line in setup["metadata"]["project_urls"].splitlines())
    return {name.strip(): url.strip() for name, _, url in rows}["Source"]


def absolute(readme: str, source: str, version: str) -> str:
    """The README with links into the repository at the version's tag; pictures as files, not as pages."""

    def link(match: re.Match[str]) -> str:
        picture, text, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        return f"{picture}[{text}]({source}/{'raw' if picture else 'blob'}/v{version}/{target})"

    return re.sub(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)", link, readme)


def copied(place: Path) -> None:
    """The files of the commit (outside of git all but what is hidden or made), with one mode."""
    names = git("ls-files", "-z").split("\0")[:-1]
    if names:
        for name in filter(lambda name: (ROOT / name).is_file(), names):
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, place / name)
    else:
        made = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__", "_build")
        shutil.copytree(ROOT, place, ignore=made, dirs_exist_ok=True, copy_function=shutil.copyfile)
    for path in [place, *place.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)


def normalized(sdist: Path, date: int) -> None:
    """Write an sdist again with sorted members, one date and no owner."""
    with tarfile.open(sdist) as archive:
        members = sorted(archive.getmembers(), key=lambda member: member.name)
        contents = [archive.extractfile(m).read() if m.isfile() else b"" for m in members]  # type: ignore[union-attr]
    with (
        sdist.open("wb") as file,
        gzip.GzipFile("", "wb", 9, file, date) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for member, content in zip(members, contents, strict=True):
            plain = tarfile.TarInfo(member.name)
            plain.size, plain.mtime, plain.type = len(content), date, member.type
            plain.mode = 0o755 if member.isdir() else 0o644
            archive.addfile(plain, io.BytesIO(content))


def built(tree: Path, output: Path, date: int) -> dict[str, str]:
    """Build a copy of the tree into a folder; the digest of each file by its name."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(shutil.copytree(tree, Path(folder) / "fstce"))
        source = (place / "fstce" / "version.py").read_text(encoding="utf-8")
        (version,) = re.findall(r'^__version__ = "(.+)"$', source, re.M)
        readme = place / "README.md"
        readme.write_text(
            absolute(readme.read_text(encoding="utf-8"), home(), version), encoding="utf-8"
        )
        command = [sys.executable, "-m", "build", "--outdir", str(output), str(place)]
        environment = {**os.environ, SOURCE: str(date), "PYTHONHASHSEED": "0"}
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stdout + done.stderr)
    for sdist in output.glob("*.tar.gz"):
        normalized(sdist, date)
    files = sorted(output.glob("fstce-*"))
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def materials(wheel: Path, digests: dict[str, str]) -> dict[str, object]:
    """A bill of materials in the form of CycloneDX: the package, its files, what it requires."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = HeaderParser().parsestr(archive.read(name).decode("utf-8"))
    package, version = metadata["Name"], metadata["Version"]
    reference = f"pkg:pypi/{package}@{version}"
    components = []
    for line in metadata.get_all("Requires-Dist", []):
        required, _, marker = line.partition(";")
        match = re.match(r"([\w.-]+)(?:\[.*?\])?\s*(.*)", required.strip())
        if match is not None and match[1] != package:
            extra = re.search(r'extra == "(.+?)"', marker)
            properties = [{"name": "specifier", "value": match[2].strip()}]
            properties += [{"name": "extra", "value": extra[1]}] if extra else []
            components.append(
                {
                    "type": "library",
                    "name": match[1],
                    "bom-ref": f"pkg:pypi/{match[1].lower()}{f'#{extra[1]}' if extra else ''}",
                    "purl": f"pkg:pypi/{match[1].lower()}",
                    "scope": "optional" if extra else "required",
                    "properties": properties,
                }
            )
    files = [
        {"type": "file", "name": file, "hashes": [{"alg": "SHA-256", "content": digest}]}
        for file, digest in digests.items()
    ]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, reference + ''.join(digests.values()))}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "name": package,
                "version": version,
                "bom-ref": reference,
                "purl": reference,
                "description": metadata["Summary"],
                "licenses": [{"license": {"id": metadata["License-Expression"]}}],
                "components": files,
            }
        },
        "components": components,
        "dependencies": [
            {
                "ref": reference,
                "dependsOn": [c["bom-ref"] for c in components if c["scope"] == "required"],
            }
        ],
    }


def main() -> None:
    """Build twice, compare, and write the bill of materials beside."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repository", help="OWNER/NAME of the repository that publishes")
    arguments = parser.parse_args()
    if arguments.repository and not home().endswith(f"/{arguments.repository}"):
        sys.exit(
            f"setup.cfg names {home()} as the source, and this is {arguments.repository}; correct it"
        )
    date = int(os.environ.get(SOURCE) or git("log", "-1", "--format=%ct") or 1_700_000_000)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as tree, tempfile.TemporaryDirectory() as folder:
        copied(Path(tree))
        digests = built(Path(tree), arguments.folder, date)
        again = built(Path(tree), Path(folder), date)
    if digests != again or len(digests) != 2:
        sys.exit(f"two builds differ: {digests} and {again}")
    (wheel,) = arguments.folder.glob("fstce-*.whl")
    bill = arguments.folder / f"{wheel.name.split('-py3')[0]}.cdx.json"
    bill.write_text(json.dumps(materials(wheel, digests), indent=1) + "\n", encoding="utf-8")
    for name, digest in digests.items():
        print(f"{digest}  {name}")


if __name__ == "__main__":
    main()
