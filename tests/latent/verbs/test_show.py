"""`fstce latent show`: the subcategories, as the library lists them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fstce import GrammarProduct, LatentGrammar
from fstce.corpora import sample
from fstce.latent.subcategories import subcategories

QUICK: dict[str, Any] = {"split_iterations": 4, "merge_iterations": 2, "smooth_iterations": 1}


@pytest.fixture(scope="module")
def members() -> list[LatentGrammar]:
    return [LatentGrammar(cycles=2, seed=seed, **QUICK).fit(sample()[:80]) for seed in (0, 1)]


@pytest.fixture(scope="module")
def latent(tmp_path_factory: pytest.TempPathFactory, members: list[LatentGrammar]) -> Path:
    folder = tmp_path_factory.mktemp("grammar") / "m"
    members[0].save(folder)
    return folder


def test_tags_have_words_and_phrases_have_rules(
    fstce: Any, latent: Path, members: list[Any]
) -> None:
    code, out, _ = fstce("latent", "show", latent, "--symbol", "NN,NP", "--list", 3)
    lines = out.splitlines()[1:]
    found = [
        one for name in ("NN", "NP") for one in subcategories(members[0].hierarchy_.finest, name, 3)
    ]
    assert code == 0 and [line.split()[0] for line in lines] == [one.name for one in found]
    for line, one in zip(lines, found, strict=True):
        words = [name for name, _ in one.likely]
        assert line.split()[1] == f"{100 * one.share:.1f}"
        assert (
            line.endswith(" ".join(words))
            if one.symbol == "NN"
            else all(word in line for word in words)
        )


def test_json(fstce: Any, latent: Path, members: list[Any]) -> None:
    found = subcategories(members[0].hierarchy_.finest, "DT", 4)
    out = fstce("latent", "show", latent, "-s", "DT", "--list", 4, "--json").out
    for line, one in zip(out.splitlines(), found, strict=True):
        record = json.loads(line)
        assert (record["symbol"], record["number"], record["share"]) == (
            one.symbol,
            one.number,
            one.share,
        )
        assert [(row["name"], row["probability"]) for row in record["likely"]] == one.likely


def test_all_symbols_but_intermediate_ones(fstce: Any, latent: Path) -> None:
    rows = fstce("latent", "show", latent, "--json", "--list", 1).out.splitlines()
    names = {json.loads(row)["symbol"] for row in rows}
    assert {"NN", "NP", "S"} <= names and not any(name.startswith("@") for name in names)


def test_earlier_cycles_and_the_first_member(
    fstce: Any, members: list[Any], tmp_path: Path
) -> None:
    GrammarProduct(members).save(tmp_path / "p")
    out = fstce("latent", "show", tmp_path / "p", "-s", "NN", "--cycles", 0, "--json").out
    assert [json.loads(line)["number"] for line in out.splitlines()] == [0]
    out = fstce("latent", "show", tmp_path / "p", "-s", "NN", "--json").out
    wanted = subcategories(members[0].hierarchy_.finest, "NN")
    assert [json.loads(line)["share"] for line in out.splitlines()] == [one.share for one in wanted]


def test_what_is_refused(fstce: Any, latent: Path, model: Path) -> None:
    for command, message in (
        ((latent, "-s", "XYZ"), "no symbol 'XYZ'"),
        ((latent, "--counts"), "No such option: --counts"),
        ((latent, "--cycles", 3), "trained for 2"),
        ((model,), "is a tagger"),
        (("sample",), "no such folder"),
    ):
        code, _, err = fstce("latent", "show", *command)
        assert code == 2 and message in err and err.count("\n") == 1
