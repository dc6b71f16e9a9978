import math
import re

import numpy as np
import pytest

from fstce.errors import ParameterError
from fstce.reporting import heat_map

pytest.importorskip("matplotlib")


def squares(picture, svg_of):
    """The styles of the cells that are painted: those without a number, and those with one."""
    groups = [g for g in svg_of(picture).iter() if "PolyCollection" in g.get("id", "")]
    return [[n.get("style") for n in g.iter() if "fill" in n.get("style", "")] for g in groups]


def test_numbers_and_names_are_written(texts_of):
    picture = heat_map(
        [[1200, 0, 2.5], [3, math.nan, 0]],
        ["NN", "VB"],
        ["a", "b", "c"],
        title="Errors",
        row_label="gold",
        column_label="predicted",
        value_label="words",
    )
    texts = texts_of(picture)
    assert {"1,200", "2.5", "3", "–", "NN", "VB", "a", "b", "c", "gold", "predicted", "words"} <= set(texts)
    assert picture.title == "Errors"


def test_decimals(texts_of):
    assert {"0.12", "1.00"} <= set(texts_of(heat_map([[0.123, 1]], ["r"], ["a", "b"], title="t", decimals=2)))


def test_zeros_are_not_painted_and_gaps_are_grey(svg_of):
    picture = heat_map([[1, 0, 2], [3, math.nan, 0]], list("ab"), list("cde"), title="t")
    gaps, full = squares(picture, svg_of)
    assert (len(gaps), len(full)) == (1, 3)
    assert "fill: #eeeeee" in gaps[0]


def test_colours_follow_the_numbers(svg_of):
    def reds(picture):
        return [int(re.search("fill: #(..)", style)[1], 16) for style in squares(picture, svg_of)[1]]

    numbers = [1, 10, 100, 1000]
    plain = reds(heat_map([numbers], ["r"], list("abcd"), title="t"))
    log = reds(heat_map([numbers], ["r"], list("abcd"), title="t", log=True))
    # Blues: the more, the less red.
    assert plain == sorted(plain, reverse=True)
    assert log == sorted(log, reverse=True)
    assert len(set(log)) == 4
    assert plain[1] - plain[2] < log[1] - log[2]


def test_first_row_is_on_top(svg_of):
    picture = heat_map([[1], [2]], ["first", "second"], ["c"], title="t")
    texts = [node for node in svg_of(picture).iter() if node.tag.endswith("}text")]
    heights = {node.text: float(node.get("y", "nan")) for node in texts}
    assert heights["first"] < heights["second"]


def test_a_large_map_has_no_numbers(texts_of, svg_of):
    names = [f"T{i}" for i in range(45)]
    picture = heat_map(np.eye(45) * 777, names, names, title="t")
    assert "777" not in texts_of(picture)
    assert len(squares(picture, svg_of)[1]) == 45
    assert len(picture.svg) < 150_000


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("matrix", [[[0]], [[math.nan]], [[5]]])
def test_maps_of_one_number(matrix, log):
    assert heat_map(matrix, ["a"], ["b"], title="t", log=log).svg


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[1, 2]], "2 rows and 2 columns needs a matrix of that shape, not of 1 × 2"),
        (3, "not of one number"),
        ([[1, 2], [3]], "rows of numbers"),
        ([["a", "b"], ["c", "d"]], "rows of numbers"),
        ([[1, 2], [3, -1]], "negative"),
        ([[1, 2], [3, math.inf]], "infinite"),
    ],
)
def test_bad_matrices_are_refused(matrix, message):
    with pytest.raises(ParameterError, match=message):
        heat_map(matrix, ["a", "b"], ["c", "d"], title="t")


def test_an_empty_matrix_is_refused():
    with pytest.raises(ParameterError, match="not an empty one"):
        heat_map(np.empty((0, 0)), [], [], title="t")
