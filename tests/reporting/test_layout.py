from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from fstce.reporting.tables import Divider, Table
from fstce.svg import clean

HTML = """\
<table>
<caption><span>Two &amp; two</span></caption>
<thead>
<tr><th scope="col" class="left">model</th><th scope="col" class="right">%</th></tr>
</thead>
<tbody>
<tr class="rule"><th scope="rowgroup" colspan="2">45 tags</th></tr>
<tr><th scope="row" class="left">CE</th><td class="right" data-value="79.449"><strong>79.4</strong></td></tr>
<tr><th scope="row" class="left">EM</th><td class="right">–</td></tr>
</tbody>
<tfoot>
<tr><td colspan="2"><span>Raw text.</span></td></tr>
</tfoot>
</table>
"""

CELLS = st.text(
    st.characters(exclude_categories=("Cs", "Zl", "Zp"), exclude_characters="\x85"), max_size=20
)


def test_html():
    rows = [Divider("45 tags"), ["CE", 79.449], ["EM", None]]
    table = Table("t", "Two & two", ["model", "%"], rows, note="Raw text.").best("%")
    assert table.to_html() == HTML
    assert table._repr_html_() == HTML
    assert table.to_html("<b>Table 1.</b> ").startswith(
        "<table>\n<caption><span><b>Table 1.</b> Two &amp; two"
    )


def test_html_is_well_formed_and_runs_nothing(results):
    table = ElementTree.fromstring(results.to_html())
    assert len(table.findall("tbody")) == 2
    assert not list(table.iter("script"))
    assert [cell.text for cell in table.iter("th") if cell.get("scope") == "rowgroup"] == [
        "45 tags",
        "17 tags",
    ]
    assert {
        cell.get("colspan") for cell in table.iter("th") if cell.get("scope") == "rowgroup"
    } == {"3"}


@given(st.lists(st.tuples(CELLS, CELLS), max_size=4), CELLS)
def test_html_cells_read_back(cells_of, rows, heading):
    table = Table("t", "", [heading, f"{heading}x"], rows)
    lines = [
        [clean(cell).replace("\r\n", "\n").replace("\r", "\n") for cell in row] for row in rows
    ]
    assert cells_of(table.to_html())[1:] == lines
