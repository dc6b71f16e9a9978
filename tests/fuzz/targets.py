"""What is fuzzed: a reader each, its seeds, and a law that what was read must keep."""

from __future__ import annotations

import gzip
import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

from tests.fuzz import models

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
SENTENCES = 200  # that are drawn of one input
TREE = "(TOP (S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .)))\n"
TAGGED = "the/DT dog/NN barks/VBZ ./.\n"
TOKENS = ["the", "dog", "barks", "."]
CONLLU = "# text = x\n" + "".join(
    f"{i}\t{word}\t_\tX\t_\t_\t{i - 1}\tdep\t_\t_\n" for i, word in enumerate(TOKENS, 1)
)
PAIRS = '{"words": ["the", "dog"], "tags": ["DT", "NN"]}\n'
STREAM = "^the/the<det>$ ^dog/dog<n><sg>$ ^barks/bark<vblex><pri>/bark<n><pl>$^./.<sent>$\n"
CG = '"<dog>"\n\t"dog" N Sg\n\t"dog" V Inf\n"<.>"\n\t"." CLB\n\n'
ATT = "0\t1\ta\tb\t0.5\n1\t2\t@_SPACE_@\t@0@\n2\t0.25\n--\n0\t0\tc\tc\n0\n"
AFF = "SET UTF-8\nPFX A Y 1\nPFX A 0 re .\nSFX B Y 2\nSFX B y ies [^aeiou]y\nSFX B 0 s [^y]\n"


@cache
def scratch() -> Path:
    """A folder for the files that are read, made when it is first asked for: of a process that fuzzes
    within that of the one which began it, and removes it.
    """
    return Path(tempfile.mkdtemp(prefix="fuzz-", dir=os.environ.get("FUZZ_SCRATCH", MEMORY)))


@dataclass(frozen=True)
class Target:
    """One reader. ``name`` ends as the file does that is read; ``seeds`` are valid inputs.

    ``rooms``: the packages whose branches guide the search.
    """

    name: str
    read: Callable[[Path], object]
    seeds: list[bytes] | Callable[[], list[bytes]]
    rooms: tuple[str, ...] = ("fstce.corpora",)

    def beginnings(self) -> list[bytes]:
        """The seeds; some are made when they are asked for."""
        return self.seeds() if callable(self.seeds) else self.seeds

    def run(self, data: bytes) -> None:
        """Read the data as a file; raises what the reader raises, AssertionError for a broken law."""
        path = scratch() / self.name
        path.write_bytes(data)
        self.read(path)


def corpus(path: Path) -> None:
    """Sentences are read; written as JSON lines they read to the same."""
    from fstce.corpora.read import iter_corpus

    for sentence in islice(iter_corpus(path), SENTENCES):
        assert sentence.words and all(sentence.words), sentence
        assert sentence.tags is None or len(sentence.tags) == len(sentence.words), sentence


def dictionary(path: Path) -> None:
    """A dictionary is read; written as a table it reads to the same."""
    from fstce import TagDictionary

    first = TagDictionary.from_file(path)
    again = scratch() / "again.tsv"
    first.to_tsv(again)
    second = TagDictionary.from_file(again)
    assert dict(first) == dict(second)


def machine(path: Path) -> None:
    """A machine is read and checked, never by a crash of OpenFst."""
    from fstce.machines.convert import read_machine

    read_machine(path)


def trees(path: Path) -> None:
    """Bracketed trees; written again they are the same."""
    from fstce.corpora import parse_tree
    from fstce.corpora.read import iter_corpus

    for sentence in islice(iter_corpus(path), SENTENCES):
        if sentence.tree is not None:
            assert parse_tree(str(sentence.tree)) == sentence.tree, sentence.tree


def words(path: Path) -> None:
    """A list of words for spellers and correctors."""
    from fstce.speller.lexicons import lexicon_file

    lexicon_file(path)


def hunspell(path: Path) -> None:
    """A hunspell dictionary beside rules; the input is the rules."""
    from fstce.corpora.hunspell import read_hunspell

    path.with_suffix(".dic").write_text("3\nlamp/AB\nfly/B\ndo/A\n", encoding="utf-8")
    read_hunspell(path.with_suffix(".dic"))


def typos(path: Path) -> None:
    """Typos, one of which no word may be empty or its own correction."""
    from fstce.speller.typos import read_typos

    assert all(observed and intended != observed for observed, intended in read_typos(path))


def answers(path: Path) -> None:
    """Answers to questions; each has a tag."""
    from fstce.tagging.answers import read_answers

    assert all(answer.tags for answer in read_answers(path).values())


def tag_map(path: Path) -> None:
    """Tags and their classes."""
    from fstce.corpora.tagset import coarse_map

    assert all(coarse_map(path).values())


def rules(path: Path) -> None:
    """Rules of attachment; their lines read to the same, but for what a hash makes a note."""
    from fstce.parsing.attachment_rules import read_rules

    first = read_rules(path)
    again = scratch() / "again.rules"
    again.write_text("".join(f"{rule.line}\n" for rule in first), encoding="utf-8")
    if not any(rule.line.startswith("#") for rule in first):
        assert read_rules(again) == first


def evalb(path: Path) -> None:
    """Parameters of EVALB, and trees scored by them."""
    from fstce.corpora import parse_tree
    from fstce.evaluation.evalb import EvalbParameters, evalb_scores

    trees = [parse_tree(TREE)]
    scores = evalb_scores(trees, trees, EvalbParameters.read(path))
    assert scores.total().matched == scores.total().gold


def stems(path: Path) -> None:
    """A hunspell dictionary beside rules; the input is the dictionary."""
    from fstce.corpora.hunspell import read_hunspell

    path.with_suffix(".aff").write_text(AFF, encoding="utf-8")
    read_hunspell(path)


def archive(path: Path) -> None:
    """A FAR is read and each machine in it."""
    from fstce.machines.files import read_far

    read_far(path)


def _far() -> list[bytes]:
    import fstce
    from fstce.machines.files import write_far

    path = scratch() / "seed.far"
    write_far({"a": fstce.neighborhood("trans1")(TOKENS).to_fst()}, path)
    return [path.read_bytes()]


def _images() -> list[bytes]:
    """A small machine in OpenFst's forms."""
    import fstce
    from fstce.machines.openfst import pywrapfst

    fst = fstce.neighborhood("trans1")(TOKENS).to_fst()
    return [pywrapfst.convert(fst, form).write_to_string() for form in ("vector", "const")]


def _written(suffix: str) -> list[bytes]:
    """A small machine as fstce writes it for another program, unpacked."""
    from fstce.machines.convert import read_machine, write_machine

    source = scratch() / "seed.att"
    source.write_text("0\t1\ta\tb\n1\t2\t@_SPACE_@\t@0@\n2\n0\t0\tc\tc\n")  # foma has no weights
    path = scratch() / f"seed{suffix}"
    write_machine(read_machine(source), path)
    data = path.read_bytes()
    return [gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data]


MODELS = Path(__file__).parents[2] / "build" / "fuzz-models"
_ROOM = {
    "tagger": "fstce.tagging",
    "hmm": "fstce.tagging",
    "parser": "fstce.parsing",
    "latent": "fstce.latent",
    "product": "fstce.latent",
    "constituents": "fstce.induction",
    "corrector": "fstce.correction",
    "speller": "fstce.speller",
}
TARGETS = {
    target.name: target
    for target in (
        Target("text.txt", corpus, [b"The dog barks. It sleeps.\n\nMore text here."]),
        Target("tagged.pos", corpus, [TAGGED.encode(), b"[ the/DT dog/NN ]\n=====\nbarks/VBZ\n"]),
        Target("text.conllu", corpus, [CONLLU.encode()]),
        Target("text.conllup", corpus, [b"# global.columns = ID FORM UPOS\n1\tdog\tNOUN\n"]),
        Target("vertical.vert", corpus, [b"<s>\nthe\tDT\ndog\tNN\n</s>\n"]),
        Target("table.csv", corpus, [b'word,tag\nthe,DT\n"a,b",NN\n']),
        Target("lines.jsonl", corpus, [PAIRS.encode()]),
        Target("stream.apertium", corpus, [STREAM.encode()]),
        Target("stream.cg", corpus, [CG.encode()]),
        Target("trees.mrg", trees, [TREE.encode()]),
        Target("dictionary.tsv", dictionary, [b"the\tDT\ndog\tNN VB\nrun\tVB:3 NN:1\n"]),
        Target(
            "dictionary.json", dictionary, [json.dumps([{"word": "the", "pos": "DT"}]).encode()]
        ),
        Target("unimorph.tsv", dictionary, [b"dog\tdogs\tN;PL\nrun\tran\tV;PST\n"]),
        Target("machine.att", machine, [ATT.encode()], ("fstce.machines",)),
        Target("machine.fst", machine, _images, ("fstce.machines",)),
        Target("machine.foma", machine, lambda: _written(".foma"), ("fstce.machines",)),
        Target("machine.hfst", machine, lambda: _written(".hfst"), ("fstce.machines",)),
        Target("machine.hfstol", machine, lambda: _written(".hfstol"), ("fstce.machines",)),
        Target("machines.far", archive, _far, ("fstce.machines",)),
        Target("words.txt", words, [b"dog\t12\ncat\t3\n"], ("fstce.correction", "fstce.corpora")),
        Target("rules.aff", hunspell, [AFF.encode()]),
        Target("stems.dic", stems, [b"3\nlamp/AB\nfly/B\ndo/A\n"]),
        Target("typos.tsv", typos, [b"teh\tthe\nrecieve->receive\n"], ("fstce.speller",)),
        Target("answers.tsv", answers, [b"dog\tNN VB:2\n# a note\n"], ("fstce.tagging",)),
        Target("tags.map", tag_map, [b"NN\tNOUN\nNNS\tNOUN\n"]),
        Target("attachment.rules", rules, [b"VB*\tNN*\tleft\nROOT\tVB*\n"], ("fstce.parsing",)),
        Target(
            "collins.prm",
            evalb,
            [b"DELETE_LABEL TOP\nEQ_LABEL ADVP PRT\nMAX_ERROR 10\n"],
            ("fstce.evaluation",),
        ),
        *(
            Target(
                name, read, seeds, ("fstce.storage", "fstce.estimation", _ROOM[name.split(".")[0]])
            )
            for name, read, seeds in models.inputs(MODELS, scratch)
        ),
    )
}
