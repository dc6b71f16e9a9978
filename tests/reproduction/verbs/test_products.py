"""`fstce reproduce products`: options to a plan, errors, a small run from end to end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fstce.corpora import sample
from fstce.reporting.tables import Table
from fstce.reproduction import products
from fstce.reproduction.products_trials import ProductsPlan


@pytest.fixture
def planned(monkeypatch: Any, fstce: Any, tmp_path: Path) -> Any:
    """Run with a stand-in that only takes note of what it was to do."""
    found: dict[str, Any] = {}

    def note(plan: ProductsPlan, folder: Path, **options: Any) -> list[Path]:
        found.update(plan=plan, folder=folder, **options)
        options["show"]([Table("products", "the table", ["a"], [])])
        return [tmp_path / "index.html"]

    monkeypatch.setattr(type(products.EXPERIMENT), "reproduce", staticmethod(note))

    def run(*arguments: Any) -> dict[str, Any]:
        result = fstce("reproduce", "products", *arguments)
        assert result.code == 0, result.err
        return {**found, "out": result.out}

    return run


def test_without_options_it_is_the_papers_plan(planned: Any) -> None:
    found = planned()
    assert found["plan"] == ProductsPlan() and found["jobs"] == -1
    assert "the table" in found["out"]


def test_options(planned: Any) -> None:
    options = (
        "--grammars",
        4,
        "--products",
        "2,4",
        "--sums",
        "2",
        "--seed",
        9,
    )
    plan = planned("sample", *options, "--cycles", 2)["plan"]
    assert plan == ProductsPlan("sample", cycles=2, grammars=4, seed=9, products=(2, 4), sums=(2,))
    quick = planned("--quick", "--grammars", 2)["plan"]
    assert (quick.corpus, quick.grammars, quick.products, quick.cycles) == ("sample", 2, None, 2)
    assert planned("--grammars", 1)["plan"].added == []


def test_bad_options(fstce: Any) -> None:
    for options, message in (
        (
            ("--products", "1"),
            "--products 1: give values separated by commas, each a whole number from 2",
        ),
        (("--products", "two"), "values separated by commas"),
        (("--sums", "9"), "sums of 9 grammars"),
    ):
        code, _, err = fstce("reproduce", "products", *options)
        assert code == 2 and message in err and err.count("\n") == 1


def test_a_small_run(fstce: Any, tmp_path: Path) -> None:
    path = tmp_path / "trees.mrg"
    path.write_text("".join(f"{sentence.tree}\n" for sentence in sample()[:60]), encoding="utf-8")
    options = ("--cycles", 0, "--grammars", 2, "--jobs", 1, "-o", tmp_path / "report")
    code, out, err = fstce("reproduce", "products", path, *options)
    assert code == 0, err
    assert "Products of grammars" in out and str(tmp_path / "report" / "index.html") in out
    assert (
        "experiment=train seed=1: " in err and " members=1 2 combination=product after=0: " in err
    )
