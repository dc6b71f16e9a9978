"""Dependency trees as pictures: what is drawn is read back from the lines."""

from __future__ import annotations

import re
import shutil
import subprocess
from html import unescape
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import patience

from fstce.corpora import Sentence, Tree
from fstce.corpora.links import tree_svg, tree_text
from fstce.errors import CorpusError
from fstce.reporting.page import Page

SVG = "{http://www.w3.org/2000/svg}"
NUMBER = r"(-?[0-9.]+)"
Point = tuple[float, float]
Segment = tuple[Point, Point]


@st.composite
def any_heads(draw: st.DrawFn) -> list[int]:
    """Heads of 2 to 12 words, trees or not, projective or not."""
    n = draw(st.integers(2, 12))
    return [
        draw(st.integers(0, n).filter(lambda head, word=word: head != word))
        for word in range(1, n + 1)
    ]


def drawn(svg: str) -> list[ElementTree.Element]:
    """The links, each a group of a line and an arrowhead."""
    groups = ElementTree.fromstring(svg).findall(f"{SVG}g")
    return groups[0].findall(f"{SVG}g")


def texts(svg: str) -> list[tuple[str, float, float]]:
    found = ElementTree.fromstring(svg).iter(f"{SVG}text")
    return [(node.text or "", float(node.get("x", "")), float(node.get("y", ""))) for node in found]


def line_and_head(link: ElementTree.Element) -> tuple[str, str]:
    line, head = (path.get("d", "") for path in link.findall(f"{SVG}path"))
    return line, head


def segments(line: str) -> list[Segment]:
    """The straight lines of a link's path."""
    arch = re.fullmatch(rf"M{NUMBER},0 V{NUMBER} H{NUMBER} V{NUMBER}", line)
    if arch is None:
        x, top, bottom = map(float, re.fullmatch(rf"M{NUMBER},{NUMBER} V{NUMBER}", line).groups())
        return [((x, top), (x, bottom))]
    start, y, end, _ = map(float, arch.groups())
    return [((start, 0), (start, y)), ((start, y), (end, y)), ((end, y), (end, 0))]


def heads_of(svg: str, words: list[str]) -> list[int]:
    """The heads that the lines show: each end belongs to the word whose letters are nearest."""
    at = [x for text, x, y in texts(svg) if y == 18]
    heads = [-1] * len(words)
    for link in drawn(svg):
        line, arrow = line_and_head(link)
        ends = [
            float(x)
            for x in (re.findall(rf"M{NUMBER}", line)[0], re.findall(rf"M{NUMBER}", arrow)[0])
        ]
        head, child = (
            min(range(len(words)), key=lambda n: abs(at[n] - x) - 3.7 * len(words[n])) for x in ends
        )
        assert heads[child] == -1, "two arrows at one word"
        heads[child] = head + 1 if "H" in line else 0
    return heads


@given(any_heads(), st.data())
def test_the_lines_show_the_heads(heads: list[int], data: st.DataObject) -> None:
    words = [data.draw(st.sampled_from(["w", "word", "w" * 14])) for _ in heads]
    assert heads_of(tree_svg(words, heads), words) == heads


def test_a_short_word_has_room_for_all_links() -> None:
    words, heads = list("abcdefghij"), [6, 6, 6, 6, 6, 0, 6, 6, 6, 6]
    assert heads_of(tree_svg(words, heads), words) == heads


@given(any_heads())
def test_everything_lies_in_the_picture(heads: list[int]) -> None:
    svg = tree_svg(["w"] * len(heads), heads, ["T"] * len(heads))
    left, top, width, height = map(float, ElementTree.fromstring(svg).get("viewBox", "").split())
    points = [p for link in drawn(svg) for s in segments(line_and_head(link)[0]) for p in s]
    for x, y in [*points, *((x, y + 4) for _, x, y in texts(svg))]:
        assert left < x < left + width
        assert top < y < top + height


def test_words_and_tags_stand_under_the_links() -> None:
    found = texts(tree_svg(["Dogs", "bark"], [2, 0], ["NNS", "VBP"]))
    assert [text for text, _, _ in found] == ["Dogs", "NNS", "bark", "VBP"]
    assert found[0][1] == found[1][1] < found[2][1] == found[3][1]
    assert 0 < found[0][2] < found[1][2]


def test_likely_links_are_thicker() -> None:
    links = drawn(tree_svg(["a", "b", "c"], [2, 0, 2], weights=[0.1, 1.0, 0.5]))
    width = {link.findtext(f"{SVG}title"): float(link.get("stroke-width", "")) for link in links}
    assert width["a ← b, 0.10"] < width["c ← b, 0.50"] < width["b ← the root, 1.00"]


def test_sums_of_probabilities_may_be_rounded() -> None:
    svg = tree_svg(["a", "b"], [2, 0], weights=[-1e-12, 1 + 1e-12])
    assert [link.get("stroke-width") for link in drawn(svg)] == ["0.50", "3.00"]


def test_arrays_will_do() -> None:
    words, heads, weights = ["a", "b"], np.array([2, 0]), np.array([0.5, 1.0])
    drawing = tree_svg(words, heads, np.array(["X", "Y"]), weights=weights)
    assert drawing == tree_svg(words, [2, 0], ["X", "Y"], weights=[0.5, 1.0])
    assert tree_text(words, heads) == tree_text(words, [2, 0])


def test_what_xml_cannot_hold() -> None:
    words = ["<b>&\"'", "\x01", "a\ud800b", "犬"]
    svg = tree_svg(words, [0, 1, 1, 1], words)
    assert [text for text, _, y in texts(svg) if y == 18] == ["<b>&\"'", "\ufffd", "a\ufffdb", "犬"]
    svg.encode("utf-8")


def test_it_stands_in_a_page() -> None:
    page = Page("T")
    page.picture(tree_svg(["a", "b"], [2, 0]))
    assert unescape(page.to_html()).count("<path") == 4


def test_a_viewer_shows_it(tmp_path) -> None:
    program = shutil.which("rsvg-convert")
    if program is None:
        pytest.skip("no rsvg-convert")
    path = tmp_path / "tree.svg"
    path.write_text(tree_svg(["Dogs", "bark"], [2, 0], ["NNS", "VBP"]), encoding="utf-8")
    shown = subprocess.run([program, str(path)], capture_output=True, timeout=patience(60))
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"words": [], "heads": []}, "a sentence without words cannot be drawn"),
        ({"heads": [0]}, "1 heads for 2 words"),
        ({"heads": [0, 3]}, "head 3 of word 2 is the word itself or outside its 2 words"),
        ({"heads": [0, 2]}, "head 2 of word 2 is the word itself"),
        ({"tags": ["X"]}, "1 tags for 2 words"),
        ({"weights": [1.0]}, "1 weights for 2 words"),
        ({"weights": [1.0, -0.3]}, "the weight -0.3 of 'b' is no number from 0 to 1"),
        ({"weights": [1.5, 1.0]}, "the weight 1.5 of 'a' is no number from 0 to 1"),
        ({"weights": [float("nan"), 1.0]}, "the weight nan of 'a' is no number from 0 to 1"),
    ],
)
def test_what_cannot_be_drawn(given, message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        tree_svg(**{"words": ["a", "b"], "heads": [0, 1], **given})


def test_notebooks_show_trees() -> None:
    svg = tree_svg(["Dogs", "bark"], [2, 0])
    assert svg in svg._repr_html_()


def test_a_notebook_draws_a_sentence_with_heads_or_a_tree() -> None:
    words, tree = ["the", "dog"], Tree("NP", (Tree("DT", ("the",)), Tree("NN", ("dog",))))
    assert Sentence(words)._repr_html_() is None
    links = Sentence(words, ["DT", "NN"], heads=[2, 0])._repr_html_()
    assert links is not None and links.count("<path ") == 4 and ">dog</text>" in links
    phrases = Sentence(words, tree=tree)._repr_html_()
    assert phrases is not None and "(DT the) (NN dog)" in phrases
