"""The channel: costs from defaults, tables and counts."""

from __future__ import annotations

import math

import pytest
from oracles_edits import channel_cost

from fstce.correction.mistakes.channel import Channel
from fstce.errors import CorpusError, ParameterError
from fstce.speller.features import INSIDE

CHANNEL = Channel(
    2.0,
    3.0,
    4.0,
    5.0,
    {("a", "e"): 0.5, ("", "x"): 0.25, ("y", ""): 0.75, ("ei", "ie"): 0.125, ("``", "."): 1.0},
)


def test_each_kind_has_its_cost() -> None:
    costs = CHANNEL.costs(["b", "c"])
    edits = [costs.edit(INSIDE, *pair) for pair in ((1, 2), (0, 2), (1, 0))]
    assert [*edits, costs.swap(INSIDE, 1, 2)] == [2.0, 3.0, 4.0, 5.0]


def test_marks_of_two_characters_are_symbols() -> None:
    costs = CHANNEL.costs(["``", "''", "."])
    assert (costs.edit(INSIDE, 1, 2), costs.edit(INSIDE, 1, 3)) == (2.0, 1.0)


def test_an_alphabet_of_thousands_has_rows_for_few() -> None:
    """Tables of all its letters took gigabytes, for each call."""
    costs = CHANNEL.costs([chr(0x4E00 + i) for i in range(7000)] + ["a", "e"])
    assert costs.edits.size + costs.swaps.size < 10_000
    assert (costs.edit(INSIDE, 5, 6999), costs.edit(INSIDE, 7001, 7002)) == (2.0, 0.5)


def test_tables_say_the_same_as_the_definition() -> None:
    symbols = ["a", "e", "i", "x", "y", "``", "."]
    spelt = ["", *symbols]
    costs = CHANNEL.costs(symbols)
    assert all(
        costs.edit(INSIDE, i, j) == channel_cost(CHANNEL, intended, observed)
        for i, intended in enumerate(spelt)
        for j, observed in enumerate(spelt)
        if i != j
    )
    assert all(
        costs.swap(INSIDE, i + 1, j + 1) == channel_cost(CHANNEL, a + b, b + a)
        for i, a in enumerate(symbols[:5])
        for j, b in enumerate(symbols[:5])
        if i != j
    )


def test_a_table_of_costs(tmp_path) -> None:
    path = tmp_path / "confusions.tsv"
    path.write_text("# mine\na\te\t0.5\n<epsilon>\tx\t2\ny\t<epsilon>\t0\n", encoding="utf-8")
    assert Channel.read(path).confusions == {("a", "e"): 0.5, ("", "x"): 2.0, ("y", ""): 0.0}


def test_a_table_of_counts_gives_relative_frequencies(tmp_path) -> None:
    path = tmp_path / "confusions.tsv"
    path.write_text("from\tto\tcount\na\te\t3\n<epsilon>\tx\t1\n", encoding="utf-8")
    channel = Channel.read(path)
    seen = [
        channel_cost(channel, "a", "e"),
        channel_cost(channel, "", "x"),
        channel_cost(channel, "q", "z"),
    ]
    assert math.isclose(math.fsum(math.exp(-cost) for cost in seen), 1.0)
    assert math.isclose(seen[0], -math.log(3 / 4.5))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\te\n", ":1: expected what was intended"),
        ("a\te\t1\na\te\t2\n", ":2: 'e' for 'a' is already given"),
        ("a\te\tone\n", ":1: expected"),
        ("a\te\t-1\n", "finite, and not negative"),
        ("a\te\tnan\n", "finite, and not negative"),
        ("a\ta\t1\n", "with itself"),
        ("from\tto\tcount\na\te\t0\n", "positive"),
        ("from\tto\tcount\n", "positive"),
    ],
)
def test_a_wrong_table_is_reported_by_its_line(tmp_path, text: str, message: str) -> None:
    path = tmp_path / "confusions.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CorpusError, match=message) as caught:
        Channel.read(path)
    assert "confusions.tsv" in str(caught.value)


def test_no_table_and_no_text(tmp_path) -> None:
    with pytest.raises(CorpusError, match="cannot be read"):
        Channel.read(tmp_path / "none.tsv")
    (tmp_path / "binary.tsv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CorpusError, match=r"binary\.tsv:1: byte 0xff"):
        Channel.read(tmp_path / "binary.tsv")


@pytest.mark.parametrize("cost", [-0.1, math.inf, math.nan])
def test_a_cost_is_finite_and_not_negative(cost: float) -> None:
    with pytest.raises(ParameterError, match="transposition"):
        Channel(transposition=cost)
