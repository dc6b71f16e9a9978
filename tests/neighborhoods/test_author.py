"""Neighborhoods from an author's file or package: what works, and what each mistake is told as."""

from __future__ import annotations

import os
import pickle
import sys
from pathlib import Path

import pytest

from fstce import Tagger, neighborhood
from fstce.corpora import TagDictionary, sample
from fstce.errors import FstceError, NeighborhoodError
from fstce.machines import Symbols
from fstce.neighborhoods.author import module_of

DEL1WORD = '''"""DEL1WORD again."""

import pynini

EQUIVARIANT = True


def build(symbols):
    copy = pynini.closure(symbols.any())
    return copy + pynini.closure(pynini.cross(symbols.any(), ""), 0, 1) + copy
'''
SENTENCE = ["a", "delicate", "thing"]


def strings(name: str | Path) -> set[tuple[str, ...]]:
    return set(neighborhood(str(name))(SENTENCE).strings())


def test_a_python_file_is_a_neighbourhood(here: Path) -> None:
    (here / "mine.py").write_text(DEL1WORD)
    expected = strings("del1word")
    for name in ("./mine.py", "mine.py", here / "mine.py", " ./mine.py "):
        assert strings(name) == expected
    assert neighborhood("./mine.py").equivariant
    assert neighborhood("./mine.py").name == "./mine.py"


def test_without_a_word_of_it_a_file_is_not_equivariant(here: Path) -> None:
    (here / "mine.py").write_text(DEL1WORD.replace("EQUIVARIANT = True\n", ""))
    assert not neighborhood("./mine.py").equivariant
    assert strings("./mine.py") == strings("del1word")


def test_a_file_in_a_folder_with_spaces(here: Path) -> None:
    (here / "my machines | old").mkdir()
    (here / "my machines | old" / "mine.py").write_text(DEL1WORD)
    path = "my machines | old/mine.py"
    assert strings(path) == strings("del1word")
    assert strings(f"'{path}' - del1word") == {tuple(SENTENCE)}
    assert (neighborhood(path) | neighborhood("trans1")).name == f"'{path}' | trans1"


def test_a_changed_file_is_read_again(here: Path) -> None:
    path = here / "mine.py"
    path.write_text(DEL1WORD)
    assert neighborhood("mine.py") is neighborhood("mine.py")
    before = strings("mine.py")
    path.write_text(DEL1WORD.replace("0, 1)", "0, 2)"))
    os.utime(path, ns=(0, 0))
    assert strings("mine.py") > before


def test_loading_leaves_nothing_behind(here: Path) -> None:
    (here / "mine.py").write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass Setting:\n    most: int = 1\n" + DEL1WORD.partition("\n\n")[2]
    )
    modules, path = set(sys.modules), list(sys.path)
    assert strings("mine.py") == strings("del1word")
    assert {
        name for name in set(sys.modules) - modules if "author" in name or "mine" in name
    } == set()
    assert sys.path == path
    assert [file.name for file in here.iterdir()] == ["mine.py"]


def test_a_file_may_introduce_words(here: Path) -> None:
    (here / "mine.py").write_text(
        "import pynini\nINTRODUCES = ['the']\n"
        "def build(symbols):\n"
        "    copy = pynini.closure(symbols.any())\n"
        "    the = symbols.ids(['the']).tolist() if 'the' in symbols else []\n"
        "    return pynini.closure(pynini.cross('', symbols.union(the)), 0, 1) + copy\n"
    )
    assert strings("mine.py") == {tuple(SENTENCE), ("the", *SENTENCE)}
    (lattice,) = neighborhood("mine.py").expand([SENTENCE], Symbols(SENTENCE))
    assert lattice.strings() == [tuple(SENTENCE)]


def test_a_neighbourhood_from_a_file_pickles(here: Path) -> None:
    (here / "mine.py").write_text(DEL1WORD)
    for name in ("mine.py", "mine.py | trans1", "restrict(mine.py, numbers)"):
        kind = neighborhood(name)
        copy = pickle.loads(pickle.dumps(kind))
        assert (copy.name, copy.limit) == (kind.name, kind.limit)
        assert copy(SENTENCE).strings() == kind(SENTENCE).strings()


def test_a_limit_leaves_the_file_as_it_is(here: Path) -> None:
    (here / "mine.py").write_text(DEL1WORD)
    whole = neighborhood("mine.py")
    assert whole.changed(limit=4).limit == 4
    assert neighborhood("mine.py").limit == whole.limit > 4


MISTAKES = {
    "no python": ("def build(symbols)\n    pass\n", r"mine.py:1: this is no Python: expected ':'"),
    "not utf-8": (b"# \xff\n", r"mine.py:1: .*"),
    "raises at once": (
        "import pynini\nx = 1 / 0\n",
        r"mine.py:2: loading .* ZeroDivisionError: division by",
    ),
    "exits": ("raise SystemExit(3)\n", r"mine.py:1: loading the file raised SystemExit: 3"),
    "no such import": (
        "import no_such_thing\n",
        r"mine.py:1: loading .* No module named 'no_such_thing'",
    ),
    "no build": ("def biuld(symbols): ...\n", r"mine.py: there is no function build\(symbols\)"),
    "build is no function": ("build = 3\n", r"mine.py: there is no function build\(symbols\)"),
    "raises": (
        "def helper():\n    raise KeyError('the')\n\ndef build(symbols):\n    return helper()\n",
        r"sentence 1 \(a delicate thing\): .*mine.py:2: build\(symbols\) raised KeyError: 'the'",
    ),
    "raises in fstce": (
        "def build(symbols):\n    return symbols.union(symbols.ids(['zoo']))\n",
        r"sentence 1 .*mine.py:2: the word 'zoo' is not in the alphabet",
    ),
    "raises in pynini": (
        "import pynini\ndef build(symbols):\n    return pynini.closure(symbols.any(), -1)\n",
        r"sentence 1 .*mine.py:3: build\(symbols\) raised",
    ),
    "wrong arguments": (
        "def build():\n    return 1\n",
        r"mine.py: build\(symbols\) raised TypeError: .*",
    ),
    "returns nothing": (
        "\ndef build(symbols):\n    symbols.any()\n",
        r"mine.py:2: .* returned NoneType, not",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_reported_by_file_and_line(here: Path, mistake: str) -> None:
    source, message = MISTAKES[mistake]
    (here / "mine.py").write_bytes(source if isinstance(source, bytes) else source.encode())
    with pytest.raises(FstceError, match=message) as caught:
        neighborhood("./mine.py")(SENTENCE)
    assert "\n" not in str(caught.value)
    assert sys.modules.get("fstce_author_mine") is None


@pytest.mark.parametrize(
    "name", ["./no.py", "no/such.fst", "no.txt", "no.far:key", "~/no-such-file.py"]
)
def test_a_missing_file_is_named(here: Path, name: str) -> None:
    with pytest.raises(NeighborhoodError, match=r"no.*: no such file"):
        neighborhood(name)


def test_a_folder_is_no_file(here: Path) -> None:
    (here / "mine.py").mkdir()
    with pytest.raises(NeighborhoodError, match=r"mine.py: is a folder"):
        neighborhood("./mine.py")


def test_a_name_without_a_known_suffix_is_a_name(here: Path) -> None:
    (here / "trans1").write_text("")
    assert strings("trans1") == {
        ("a", "delicate", "thing"),
        ("delicate", "a", "thing"),
        ("a", "thing", "delicate"),
    }
    with pytest.raises(NeighborhoodError, match="unknown neighborhood 'mine'"):
        neighborhood("mine")


def test_a_tagger_learns_from_a_file_and_remembers_its_path(here: Path) -> None:
    (here / "mine.py").write_text(DEL1WORD)
    text = sample()[:30]
    dictionary = TagDictionary.from_corpus(text)
    taggers = [Tagger(name, order=2, max_iterations=5) for name in ("./mine.py", "del1word")]
    for tagger in taggers:
        tagger.fit(text, dictionary=dictionary)
    assert taggers[0].training_.objective == taggers[1].training_.objective
    taggers[0].save(here / "model")
    (here / "mine.py").unlink()
    assert Tagger.load(here / "model").neighborhood == "./mine.py"


def test_a_module_has_its_file(here: Path) -> None:
    (here / "mine.py").write_text("where = __file__\n")
    assert module_of(here / "mine.py").where == str(here / "mine.py")


def test_what_an_author_closes_and_where_it_goes_stays_its_own(here: Path) -> None:
    closing = "import os\n\nos.close(1)\n" + DEL1WORD.replace(
        "    copy =", "    os.close(1)\n    os.close(2)\n    os.chdir('/')\n    copy ="
    )
    (here / "mine.py").write_text(closing)
    assert strings("./mine.py") == strings("del1word")
    assert Path.cwd() == here
    os.fstat(1), os.fstat(2)


@pytest.mark.parametrize(
    "name", ["~nosuchuser/x.py", "~nosuchuser/x", "restrict(del1word, ~nosuchuser/words)"]
)
def test_the_home_of_a_user_that_there_is_not(name: str) -> None:
    with pytest.raises(FstceError, match=r"~nosuchuser/.*no such user; write the path out"):
        neighborhood(name)
