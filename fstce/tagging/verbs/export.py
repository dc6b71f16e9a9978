"""``fstce tagger export``: as OpenFst machines, or as weights of an analyser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fstce.console.models import features, heaviest, load
from fstce.console.options import Model, TextOption, argument, helped, option
from fstce.console.output import Sheet, count, is_quiet, note, remark
from fstce.console.places import check_file
from fstce.console.texts import read
from fstce.corpora.tagset import coarse_map
from fstce.errors import ParameterError
from fstce.machines.convert import read_machine, write_machine
from fstce.numeric.types import Rows
from fstce.storage.folder import MANIFEST
from fstce.tagging.analyser_weights import TagCosts, WeightedAnalyser, tag_of_readings
from fstce.tagging.export import export as write
from fstce.tagging.product import TaggerProduct, the_one
from fstce.tagging.tagger import Tagger
from fstce.tagging.verbs.tag import Scaling

ANALYSERS = (".hfst", ".hfstol", ".fst", ".att")


@helped("""Write a tagger as OpenFst machines, or its weights into an analyser.

README.txt in the folder shows how fstcompose and fstshortestpath tag the sentences
without fstce. With --analyser each reading gets the weight -log P(tag | word), by what
the tagger expects in the text; without --text in each word of its dictionary alone. Of a
tagger of whole readings the tag is all of a reading. HFST looks words up in what comes out,
lt-comp compiles its .att for lt-proc -W.

\b
Examples:
  fstce tagger export model machines
  fstce tagger export model machines --text sentences.txt
  fstce tagger export model --analyser in.hfst --text my.txt -o out.hfst
  lt-print --hfst spa.automorf.bin > spa.att
  fstce tagger export m --analyser spa.att --text my.stream -o weighted.att
""")
def export(
    model: Model,
    scaling: Scaling,
    folder: Annotated[Path | None, argument("[FOLDER]", "The folder for the machines.")] = None,
    text: TextOption = None,
    analyser: Annotated[
        str | None,
        option(
            "--analyser FILE",
            "An analyser without weights, of HFST, foma or lt-print (.hfst .hfstol .fst .att "
            ".foma).",
        ),
    ] = None,
    tag_map: Annotated[
        str | None,
        option(
            "--tag-map FILE",
            "Tags of the analyser's symbols, or of several in a row: symbol, tab, tag.",
        ),
    ] = None,
    output: Annotated[Path | None, option("--output -o FILE", "The analyser with weights.")] = None,
) -> None:
    if (folder is None) == (analyser is None) or (analyser is None) != (output is None):
        raise ParameterError("name a folder for the machines, or --analyser FILE and --output FILE")
    if folder is not None and (folder / MANIFEST).exists():
        raise ParameterError(f"{folder}: holds a model; name another folder for the machines")
    check_file(output, *ANALYSERS)

    tagger = load(model, "tagger")
    sentences: Rows = read(text) if text else []
    if analyser is not None and output is not None:
        rule = tag_of_readings(tagger.tags_, coarse_map(tag_map) if tag_map else {})
        rows = sentences or [[word] for word in tagger.dictionary_]
        costs = TagCosts.of_text(
            tagger, rows, scale=scaling.weight_scale, digits=scaling.weight_digits
        )
        weighted = WeightedAnalyser(read_machine(analyser), costs, rule, analyser)
        spelling = "hfst" if output.suffix == ".att" else "openfst"
        write_machine(weighted.machine, output, spelling=spelling)

        remark(
            f"weighted by word: {weighted.words:,}; the readings of other words cost what their "
            "tags do"
        )
        if weighted.without_tag:
            untagged = " ".join(weighted.without_tag[:9])
            remark(f"no tag of the tagger's: {untagged}; --tag-map FILE names theirs")
        remark(f"written: {output}")
    elif folder is not None:
        write(the_one(tagger, "machines").weighted_, folder, sentences)
        if not is_quiet():
            for path in sorted(folder.iterdir()):
                print(path)
            note(f"{folder / 'README.txt'} shows how to tag with them")


def reported(model: Tagger | TaggerProduct) -> list[Sheet]:
    """For ``fstce info``: tags, dictionary, the heaviest features."""
    tags = model.tags_
    rows = [
        ("tags", f"{len(tags)}: {' '.join(tags)}"),
        ("dictionary", count(len(model.dictionary_), "word")),
    ]
    if isinstance(model, TaggerProduct):
        return [((), rows)]
    names = model.features_.names
    rows.append(features(names))
    return [((), rows), heaviest(zip(names, model.theta_.tolist(), strict=True))]
