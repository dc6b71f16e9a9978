"""``fstce tagger export``: a tagger as OpenFst machines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fstce.console.models import load
from fstce.console.options import FormatOption, Model, Quiet, TextOption, argument, helped
from fstce.console.output import note
from fstce.console.texts import read
from fstce.errors import ParameterError


@helped("""Write a tagger as OpenFst machines, with the commands that tag with them.

README.txt in the folder shows how fstcompose and fstshortestpath tag the sentences
without fstce.

\b
Examples:
  fstce tagger export model machines
  fstce tagger export model machines --text sentences.txt
""")
def export(
    model: Model,
    folder: Annotated[Path, argument("FOLDER", "The folder for the machines.")],
    text: TextOption = None,
    format: FormatOption = None,
    quiet: Quiet = False,
) -> None:
    from fstce.storage.manifest import MANIFEST
    from fstce.tagging.export import export as write

    if (folder / MANIFEST).exists():
        raise ParameterError(f"{folder}: holds a model; name another folder for the machines")
    tagger = load(model, "tagger")
    sentences = [list(sentence) for sentence in read(text, format)] if text else []
    write(tagger.weighted_, folder, sentences)
    if not quiet:
        for path in sorted(folder.iterdir()):
            print(path)
        note(f"{folder / 'README.txt'} shows how to tag with them")
