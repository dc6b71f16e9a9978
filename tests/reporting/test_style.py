"""The whole page in a real browser: what it measures, what its script does, and what it forbids."""

import json
import re
import struct

import pytest

from fstce.reporting.render import asset

MEASURE = """<script>
const box = node => { const r = node.getBoundingClientRect(); return [r.width, r.height]; };
const sizes = selector => [...document.querySelectorAll(selector)].map(box);
const first = () => [...document.querySelectorAll("tbody tr")].map(row => row.cells[0].textContent);
const click = n => document.querySelectorAll("thead button")[n].click();
const found = { pictures: sizes("figure iframe"), table: sizes("table"), rows: [first()] };
found.wide = document.body.scrollWidth;
for (const n of [1, 1, 0, 2]) { click(n); found.rows.push(first()); }
found.sorted = [...document.querySelectorAll("th[aria-sort]")].map(h => h.textContent + " " + h.ariaSort);
found.align = getComputedStyle(document.querySelector("td.right")).textAlign;
found.shade = getComputedStyle(document.querySelector(".card")).backgroundColor;
document.title = "MEASURED" + JSON.stringify(found) + "DEMEASURED";
</script>"""


@pytest.fixture(scope="module")
def measured(page, browse, tmp_path_factory):
    """What a script in the browser finds; the page's policy, which forbids such scripts, is taken out."""
    text = re.sub("<meta http-equiv[^>]*>", "", page.to_html()).replace(
        "</body>", f"{MEASURE}</body>"
    )
    path = tmp_path_factory.mktemp("page") / "measured.html"
    path.write_text(text, encoding="utf-8")
    dom = browse(path, "--dump-dom", "--window-size=1000,800")
    return json.loads(
        re.search("MEASURED(.*)DEMEASURED", dom)[1].replace("&lt;", "<").replace("&gt;", ">")
    )


def test_pictures_and_tables_have_a_size(measured, page):
    assert len(measured["pictures"]) == 3
    assert len(measured["table"]) == len(page.tables) == 1
    assert all(
        width > 50 and height > 25 for width, height in measured["pictures"] + measured["table"]
    )
    assert measured["wide"] <= 1000


def test_style_applies(measured):
    assert measured["align"] == "right"
    assert measured["shade"] == "rgb(255, 255, 255)"


def test_tables_sort_by_number_within_their_groups(measured):
    written, down, up, by_name, by_arcs = measured["rows"]
    evil = "<script>alert(1)</script>"
    assert written == ["45 tags", "TRANS1", "EM", "17 tags", evil, "TRANS1"]
    # 101.5 is more than 83.0, which as text it is not.
    assert down == ["45 tags", "TRANS1", "EM", "17 tags", evil, "TRANS1"]
    assert up == ["45 tags", "EM", "TRANS1", "17 tags", "TRANS1", evil]
    assert by_name[:3] == ["45 tags", "TRANS1", "EM"]
    # A gap comes last.
    assert by_arcs[:3] == ["45 tags", "TRANS1", "EM"]
    assert measured["sorted"] == ["arcs descending"]


def test_the_browser_shows_the_page_as_written_and_runs_its_own_script_only(page, browse, tmp_path):
    stranger = (
        '<script>document.title = "ran"</script><img src="x" onerror="document.title = \'ran\'">'
    )
    path = tmp_path / "page.html"
    path.write_text(page.to_html().replace("</body>", f"{stranger}</body>"), encoding="utf-8")
    dom = browse(path, "--dump-dom")
    assert "<title>Tags &lt; words</title>" in dom
    assert dom.count("<iframe ") == 3
    assert dom.count("<caption>") == 1
    # The page's own script ran: its buttons stand in the headings.
    assert dom.count("<button>") == 3
    assert asset("sort.js")[:40] in dom


@pytest.mark.parametrize("width", [500, 1000])
def test_a_screenshot_is_not_blank(page, browse, tmp_path, width):
    picture = tmp_path / "page.png"
    browse(
        page.write(tmp_path / "page.html"), f"--screenshot={picture}", f"--window-size={width},900"
    )
    data = picture.read_bytes()
    assert struct.unpack(">II", data[16:24]) == (width, 900)
    assert len(data) > 20_000
