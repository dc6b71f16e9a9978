"""Texts that pictures hold: whatever they are, the picture is well-formed XML that says them."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from fstce.svg import clean, escaped, label, tree_picture


@given(st.text())
def test_any_text_is_held_by_xml(text: str) -> None:
    element = ElementTree.fromstring(f'<p title="{escaped(text)}">{escaped(text)}</p>')
    shown = clean(text).replace("\r\n", "\n").replace("\r", "\n")
    assert (element.text or "") == shown


@given(st.text(st.characters(exclude_categories=["Zl", "Zp", "Cc"])))
def test_a_picture_says_its_title_and_its_words(text: str) -> None:
    picture = tree_picture(text, [], [label(text, 5, 18)], right=30, top=-20, bottom=24)
    title, word = (
        next(ElementTree.fromstring(picture).iter(f"{{http://www.w3.org/2000/svg}}{name}")).text
        for name in ("title", "text")
    )
    assert (title or "") == (word or "") == clean(text)
    assert picture._repr_html_().count("<svg") == 1
