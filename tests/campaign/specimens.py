"""A healthy file of each format and a model of each kind, made once, small."""

from __future__ import annotations

from pathlib import Path

import pynini
import pywrapfst

from fstce import neighborhood
from fstce.machines import write_machine, write_symbols
from fstce.machines.files import write_far, write_fst
from fstce.machines.symbols import Symbols
from tests.campaign.child import run

TEXT = (
    "the dog barks .\na cat sees the dog .\nthe cat sleeps .\nDogs don't bark , they “ sing ” .\n"
)
TAGGED = "the/DT dog/NN barks/VBZ ./.\na/DT cat/NN sees/VBZ the/DT dog/NN ./.\nthe/DT cat/NN sleeps/VBZ ./.\n"
WORDS = "the\tDT\na\tDT\ndog\tNN\ncat\tNN\nbarks\tVBZ NNS\nsees\tVBZ\nsleeps\tVBZ NNS\n.\t.\n"
TREES = "".join(
    f"(ROOT (S (NP (DT {one}) (NN {two})) (VP (VBZ {three})) (. .)))\n"
    for one, two, three in (
        ("the", "dog", "barks"),
        ("a", "cat", "sleeps"),
        ("the", "cat", "barks"),
    )
)
_ROW = "{}\t{}\t{}\t{}\t{}\t_\t{}\t{}\t_\t_\n"
CONLLU = "".join(
    f"# sent_id = s{number}\n# text = {one} {two} {three}.\n"
    + _ROW.format(1, one, one, "DET", "DT", 2, "det")
    + _ROW.format(2, two, two, "NOUN", "NN", 3, "nsubj")
    + _ROW.format(3, three, three, "VERB", "VBZ", 0, "root")
    + _ROW.format(4, ".", ".", "PUNCT", ".", 3, "punct")
    + "\n"
    for number, (one, two, three) in enumerate(
        (("the", "dog", "barks"), ("a", "cat", "sleeps"), ("the", "cat", "barks"))
    )
)
CONLLX = "".join(line + "\n" for line in CONLLU.splitlines() if not line.startswith("#")) + "\n"
EDGES = "0 1 the the\n1 2 dog dog\n1 2 cat cat\n2 3 barks barks\n3\n"
NEIGHBORS = "0 0 ? ?\n0 1 ? <eps>\n1 1 ? ?\n0\n1\n"
COUNTS = "the\t30\ndog\t4\ncat\t5\nbarks\t2\nbark\t2\nsleeps\t1\n"
FILES = {
    "text.txt": TEXT,
    "tagged.pos": TAGGED,
    "trees.mrg": TREES,
    "text.conllu": CONLLU,
    "text.conllx": CONLLX,
    "words.tsv": WORDS,
    "words.csv": "word,tag\nthe,DT\ndog,NN\ncat,NN\nbarks,VBZ\nsleeps,VBZ\n",
    "words.json": '[{"word": "the", "pos": "DT"}, {"word": "dog", "pos": "NN"}, '
    '{"word": "cat", "pos": "NN"}, {"word": "barks", "pos": "VBZ"}]\n',
    "uni.tsv": "dog\tdogs\tN;PL\ndog\tdog\tN;SG\nbark\tbarks\tV;PRS;3;SG\n",
    "edges.txt": EDGES,
    "edges.syms": "<epsilon>\t0\nthe\t1\ndog\t2\ncat\t3\nbarks\t4\n",
    "neighbors.att": NEIGHBORS,
    "counts.tsv": COUNTS,
    "misspelt.txt": "the dgo barks .\nteh cat sleeps .\n",
    "stream.txt": "^the/the<det>$ ^dog/dog<n><sg>/dog<vblex><inf>$\n[<b>]^barks/bark<vblex><pri>"
    "/bark<n><pl>$[</b>]^./.<sent>$\n",
    "cg.txt": '"<the>"\n\t"the" Det\n"<dog>"\n\t"dog" N Sg\n\t"dog" V Inf\n: \n"<.>"\n\t"." CLB\n',
    "table.csv": "sentence,word,tag\n1,the,DT\n1,dog,NN\n2,cats,NNS\n",
    "lines.jsonl": '{"words": ["the", "dog"], "tags": ["DT", "NN"]}\n',
    "vertical.vert": "<s>\nthe\tDT\ndog\tNN\n</s>\n<s>\nthe\tDT\ncat\tNN\n</s>\n",
    "lookup.tsv": "the\tthe+DT\t0.0\ndog\tdog+NN\t1.5\ncat\tcat+NN\t0.0\n",
    "answers.tsv": "dog\tNN\ncat\tNN\n",
    "typos.tsv": "dgo\tdog\nteh\tthe\nbraks\tbarks\nslepes\tsleeps\n",
    "rules.aff": "SET UTF-8\nTRY dogcat\nSFX A Y 1\nSFX A 0 s [^s]\nPFX B Y 1\nPFX B 0 un .\n",
    "rules.dic": "3\ndog/A\nbark/AB\nthe\n",
    "mine.py": "import pynini\n\ndef build(symbols):\n    return pynini.closure(symbols.any()).optimize()\n",
}  # fmt: skip
TRAINING = {
    "tagger": ["tagger", "train", "text.txt", "-d", "words.tsv", "--max-iterations", "3"],
    "hmm": ["tagger", "train", "text.txt", "-d", "words.tsv", "-c", "em", "--max-iterations", "3"],
    "parser": ["parser", "train", "text.conllu", "--max-iterations", "3"],
    "latent": ["latent", "train", "trees.mrg", "--cycles", "1", "--split-iterations", "2"],
    "product": [
        "latent",
        "train",
        "trees.mrg",
        "--cycles",
        "1",
        "--split-iterations",
        "2",
        "--grammars",
        "2",
    ],
    "constituents": ["induction", "train", "text.conllu", "--iterations", "5"],
    "corrector": ["corrector", "train", "text.txt", "--criterion", "em"],
    "speller": ["speller", "learn", "typos.tsv", "--lexicon", "counts.tsv"],
}
# The same kind with other contents, which a save replaces.
OTHERWISE = {
    "tagger": ["--max-iterations", "1"],
    "hmm": ["--max-iterations", "1"],
    "parser": ["--max-iterations", "1"],
    "latent": ["--cycles", "0"],
    "product": ["--cycles", "0"],
    "constituents": ["--iterations", "1"],
    "corrector": ["--words", "10"],
    "speller": ["--candidates", "2"],
}
APPLYING = {
    "tagger": ["tagger", "tag", "MODEL", "text.txt"],
    "hmm": ["tagger", "tag", "MODEL", "text.txt", "--proba"],
    "parser": ["parser", "parse", "MODEL", "text.conllu"],
    "latent": ["latent", "parse", "MODEL", "text.txt"],
    "product": ["latent", "parse", "MODEL", "text.txt"],
    "constituents": ["induction", "parse", "MODEL", "text.conllu"],
    "corrector": ["corrector", "correct", "MODEL", "misspelt.txt"],
    "speller": ["speller", "evaluate", "MODEL", "typos.tsv"],
}
# What fstce itself writes for other programs.
EXPORTED = {
    "machine.hfst": ["machine", "convert", "lattice.fst"],
    "machine.hfstol": ["machine", "convert", "lattice.fst"],
    "machine.foma": ["machine", "convert", "transducer.fst"],
    "machine.att": ["machine", "convert", "transducer.fst"],
    "words.zhfst": ["speller", "export", "speller", "--zhfst"],
}


def make(folder: Path) -> None:
    """Write all of them into a folder, unless they are there.

    Raises
    ------
    RuntimeError
        A model could not be trained: there is nothing to damage then.
    """
    done = folder / "made"
    if done.exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in FILES.items():
        (folder / name).write_text(content, encoding="utf-8")
    _machines(folder)
    for kind, arguments in TRAINING.items():
        ended = run([*arguments, "-q", "-o", kind], folder=folder, seconds=300, megabytes=None)
        if ended.code:
            raise RuntimeError(f"{' '.join(arguments)}: {ended.err.decode(errors='replace')}")
    (folder / "before").mkdir()
    for kind, option in OTHERWISE.items():
        run(
            [*TRAINING[kind], *option, "-q", "-o", f"before/{kind}"],
            folder=folder,
            seconds=300,
            megabytes=None,
        )
    for name, arguments in EXPORTED.items():
        ended = run([*arguments, name], folder=folder, seconds=300, megabytes=None)
        if ended.code:
            raise RuntimeError(f"{name}: {ended.err.decode(errors='replace')}")
    done.touch()


def applied(kind: str, model: str) -> list[str]:
    """The arguments that apply a model."""
    return [model if argument == "MODEL" else argument for argument in APPLYING[kind]]


def _machines(folder: Path) -> None:
    words = ["the", "dog", "barks", "loudly"]
    lattices = {name: neighborhood(name)(words) for name in ("trans1", "del1word")}
    symbols = Symbols(words)
    fsts = {name: lattice.to_fst() for name, lattice in lattices.items()}
    write_fst(fsts["trans1"], folder / "lattice.fst")
    write_far(dict(sorted(fsts.items())), folder / "lattices.far")
    write_machine(fsts["del1word"], folder / "lattice.att.txt")
    write_symbols(symbols.table, folder / "lattice.syms")
    write_fst(neighborhood("del1word").transducer(words), folder / "transducer.fst")
    weighted = pynini.union(
        pynini.accep("ab", weight=1.5), pynini.accep("b", weight=0.25)
    ).optimize()
    weighted.write(str(folder / "weighted.fst"))
    pywrapfst.convert(weighted, "const").write(str(folder / "const.fst"))
