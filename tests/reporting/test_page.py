import csv
import html
import io
import re
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest

from fstce.errors import ParameterError
from fstce.reporting.page import Page
from fstce.reporting.tables import Table

VOID = {"meta", "br"}


class Outline(HTMLParser):
    """Checks that elements are closed in order; keeps attributes and texts by element."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.attributes, self.texts = [], [], {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.attributes += [(tag, *attribute) for attribute in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.attributes += [(tag, *attribute) for attribute in attrs]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.setdefault(self.open[-1] if self.open else "", []).append(data)


@pytest.fixture(scope="module")
def outline(page):
    return Outline(page.to_html())


def test_every_element_is_closed(outline):
    assert outline.open == []


def test_no_id_occurs_twice_and_every_link_has_its_target(outline):
    ids = [value for _, name, value in outline.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    targets = [
        value[1:] for _, name, value in outline.attributes if name == "href" and value[0] == "#"
    ]
    assert targets
    assert set(targets) <= set(ids)


def test_nothing_is_loaded(page, outline):
    loading = {"src", "srcset", "data", "action", "poster", "background"}
    links = [value for _, name, value in outline.attributes if name == "href"]
    assert all(link.startswith(("#", "data:text/csv")) for link in links)
    assert not [tag for tag, name, _ in outline.attributes if name in loading or tag == "link"]
    text = re.sub(r'srcdoc="[^"]*"', "", page.to_html())  # in a sandbox
    assert not re.findall(r"(?:https?:)?//[^\s\"'<>]+", text)
    assert not re.search(r"url\((?!#)|@import", text)
    [policy] = [
        value for _, name, value in outline.attributes if name == "content" and "src" in value
    ]
    assert policy.startswith("default-src 'none'; ")


def test_text_is_shown_as_it_is(page, outline):
    assert outline.texts["title"][0] == outline.texts["h1"][0] == "Tags < words"
    assert outline.texts["p"][:3] == ["What was found.", "One paragraph.", "Another & more."]
    assert outline.texts["code"] == ["fstce tagger train <text>"]
    assert outline.texts["h2"] == ["Numbers", "Pictures"]
    assert outline.texts["li"][-2:] == ["first", "second"]
    assert (outline.texts["dt"], outline.texts["dd"]) == (["seed", "σ²"], ["0", "0.1"])
    assert "<script>alert(1)</script>" in outline.texts["th"]


def test_tables_and_pictures_are_numbered(page, outline):
    numbers = [text for text in outline.texts["a"] if text.endswith(".")]
    assert numbers == ["Table 1.", "Figure 1.", "Figure 2.", "Figure 3."]
    captions = " ".join(outline.texts["figcaption"])
    assert captions.split() == ["By", "size.", "Cells", "A", "lattice."]
    assert [picture.title for picture in page.pictures] == ["Lines", "Cells"]


def test_the_tables_csv_is_in_the_page(outline, results):
    [data] = [
        value
        for _, name, value in outline.attributes
        if name == "href" and value.startswith("data:text")
    ]
    text = unquote(data.split(",", 1)[1])
    assert list(csv.reader(io.StringIO(text, newline=""))) == list(
        csv.reader(io.StringIO(results.to_csv(), newline=""))
    )
    assert ("a", "download", "results.csv") in outline.attributes


def test_a_script_only_where_asked_for():
    plain, sortable = Page("T").to_html(), Page("T", sortable=True).to_html()
    assert "script" not in plain
    assert sortable.count("<script>") == 1
    assert "script-src 'sha256-" in sortable


def test_a_page_may_be_empty_and_one_section_needs_no_contents():
    page = Page("")
    assert Outline(page.to_html()).open == []
    page.section("Only")
    assert "<nav" not in page.to_html()
    page.section("Only")
    assert page.to_html().count(">Only</a>") == 2


def test_the_same_calls_give_the_same_page(page):
    assert page.to_html() == page.to_html()


def test_write(tmp_path, page):
    path = page.write(tmp_path / "page.html")
    assert path.read_text(encoding="utf-8") == page.to_html()
    with pytest.raises(ParameterError, match="there is no folder"):
        page.write(tmp_path / "missing" / "page.html")


def test_half_characters_do_not_stop_a_page(tmp_path):
    page = Page("T")
    page.table(Table("t", "", ["x"], [["a\ud800"]]))
    assert "a\ufffd" in page.write(tmp_path / "page.html").read_text(encoding="utf-8")


def test_notebooks_show_the_page_in_a_frame_of_its_own():
    frame = Page('A "title"')._repr_html_()
    assert html.unescape(re.search('srcdoc="([^"]*)"', frame)[1]) == Page('A "title"').to_html()
