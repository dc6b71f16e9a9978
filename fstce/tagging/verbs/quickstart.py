"""``fstce quickstart``: the bundled sample from start to end, in less than a minute."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory
from typing import Annotated

from fstce.console.models import Recording
from fstce.console.options import helped, option
from fstce.console.output import is_quiet
from fstce.corpora import Sentence, sample
from fstce.errors import ModelFileError
from fstce.machines.drawing import write_drawing
from fstce.machines.files import write_fst
from fstce.neighborhoods.registry import neighborhood
from fstce.storage.atomic import read_bytes, together, write_whole
from fstce.tagging.tagger import Tagger
from fstce.tagging.verbs.train import train
from fstce.tagging.verbs.training import TrainingText

SHOWN = 10
SENTENCE = "natural language is a delicate thing"
PICTURES = ("lattice.svg", "lattice.dot", "lattice.fst")


@helped("""Train and look at a tagger on the sample that comes with fstce.

TRANS1, trigrams, and a dictionary read off the sample. As in the paper, the tagger is
trained and scored on the same raw text; training does not see its tags.

\b
Examples:
  fstce quickstart
  fstce quickstart --output first-steps
""")
def quickstart(
    output: Annotated[
        Path, option("--output -o FOLDER", "The folder for the model and the pictures.")
    ] = Path("quickstart-output"),
) -> None:
    if output.exists() and not output.is_dir():
        raise ModelFileError(f"{output}: is a file; name a folder with --output")
    output.mkdir(parents=True, exist_ok=True)
    _write_lattice(output)
    model = output / "model"
    parameters = {"neighborhood": "trans1", "order": 3, "jobs": -1}
    train("sample", parameters, TrainingText(), saving=Recording(model))
    if not is_quiet():
        print("\nAs in the paper, trained and scored on the same raw text.")
        _show_sentences(Tagger.load(model), sample())
        pictures = ", ".join(str(output / name) for name in PICTURES)
        print(f"\nWrote {model} and, for “{SENTENCE}”, {pictures}.\nNext:")
        print(f'  echo "the old clock stopped ." | fstce tagger tag {quote(str(model))}')
        print(f"  fstce info {quote(str(model))}")
        print(f'  fstce neighborhood show del1subseq "{SENTENCE}"')


def _write_lattice(output: Path) -> None:
    """Write the pictures; raises ModelFileError where something else has their names."""
    fst = neighborhood("trans1")(SENTENCE.split()).to_fst()
    with TemporaryDirectory() as folder:
        new = [Path(folder) / name for name in PICTURES]
        *drawings, machine = new
        for path in drawings:
            write_drawing(fst, path)
        write_fst(fst, machine)
        contents = {output / path.name: read_bytes(path, ModelFileError) for path in new}

    for path, content in contents.items():
        if path.exists() and read_bytes(path, ModelFileError) != content:
            raise ModelFileError(
                f"{path}: is not what quickstart draws and would be replaced; choose another folder"
            )
    with together():
        for path, content in contents.items():
            write_whole(path, content, ModelFileError)


def _show_sentences(tagger: Tagger, sentences: Sequence[Sentence]) -> None:
    """Sentences from all over the sample, each error as word/found[gold]."""
    chosen = sentences[:: max(1, len(sentences) // SHOWN)][:SHOWN]
    print("\nSentences, errors marked word/found[gold]:")
    for sentence, predicted in zip(chosen, tagger.predict(chosen), strict=True):
        triples = zip(sentence.words, predicted, sentence.tags or (), strict=True)
        print(" ", " ".join(f"{w}/{f}" if f == g else f"{w}/{f}[{g}]" for w, f, g in triples))
