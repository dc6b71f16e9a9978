"""Pictures of any program on a page: in frames where a browser runs nothing and loads nothing."""

import html
import re
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from fstce.reporting.page import Page

NAMES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
HOSTILE = f"""<svg {NAMES} width="80" height="40" onload="document.title = 'ran'">
<script>document.title = "ran"; parent.document.title = "ran"</script>
<image href="http://localhost:9/a.png" onerror="document.title = 'ran'"/>
<style>body {{ display: none }} @import url(http://localhost:9/a.css);</style>
<foreignObject width="80" height="40"><p xmlns="http://www.w3.org/1999/xhtml"><img src="x"
onerror="document.title = 'ran'"/></p></foreignObject>
<rect width="80" height="40"/></svg>"""


def shown(svg, caption="", **options):
    """The page's text with a picture, and what its frame holds behind a style."""
    page = Page("Still")
    page.picture(svg, caption, **options)
    text = page.to_html()
    [frame] = re.findall(r'srcdoc="([^"]*)"', text)
    return text, html.unescape(frame).partition("</style>")[2]


def test_a_picture_stands_in_a_frame_as_it_came_and_in_its_size(foreign):
    text, picture = shown(foreign, 'A "lattice"')
    assert picture == foreign.strip()
    assert (
        'sandbox title="A &#34;lattice&#34;" style="width: 107px; aspect-ratio: 107 / 40"' in text
    )
    assert "<path" not in text and "<svg" not in text


def test_what_would_run_or_load_stands_in_no_element_of_the_page():
    text, picture = shown(HOSTILE)
    assert picture == HOSTILE
    outside = re.sub(r'srcdoc="[^"]*"', "", text)
    assert not re.search("<script|onload=|onerror=|localhost:9|@import", outside)
    policy = re.search('Content-Security-Policy" content="([^"]*)"', text)[1]
    assert "default-src 'none'" in html.unescape(policy) and "script-src" not in policy


def test_a_browser_draws_it_and_runs_nothing(browse, tmp_path):
    page = Page("Still")
    page.picture(HOSTILE)
    path = page.write(tmp_path / "page.html")
    assert "<title>Still</title>" in browse(path, "--dump-dom")
    shot = tmp_path / "page.png"
    browse(path, f"--screenshot={shot}", "--window-size=400,300")
    assert shot.stat().st_size > 2_000


def test_a_large_picture_may_be_scrolled(foreign):
    assert 'class="full"' in shown(foreign, shrinks=False)[0]
    assert 'class="full"' not in shown(foreign)[0]


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff")))
def test_texts_stay(text):
    root = ElementTree.Element("svg", xmlns="http://www.w3.org/2000/svg")
    ElementTree.SubElement(root, "text").text = text
    _, picture = shown(ElementTree.tostring(root, encoding="unicode"))
    assert (ElementTree.fromstring(picture)[0].text or "") == text
