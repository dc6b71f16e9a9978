import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.errors import ParameterError
from fstce.reporting.svg import embedded_svg

NAMES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


def svg(body, attributes=""):
    return f"<svg {NAMES} {attributes}>{body}</svg>"


def inside(body, attributes=""):
    """What of a picture's body is embedded."""
    found = embedded_svg(svg(body, attributes), "p")
    return re.fullmatch(r"<svg[^>]*?(?:/>|>(.*)</svg>)", found, re.DOTALL)[1] or ""


def test_a_foreign_picture(foreign):
    assert embedded_svg(foreign, "f1", 'A "lattice"') == (
        '<svg width="80pt" height="40px" viewBox="0 0 80 40" role="img" aria-label="A &quot;lattice&quot;" '
        f'{NAMES} id="f1">\n<defs><marker id="f1-head"><path d="M0,0 L8,3" /></marker></defs>\n'
        '<g id="f1-graph0" class="graph"><title>a&gt;b</title>'
        '<path marker-end="url(#f1-head)" d="M1,2 L3,4" />\n<use xlink:href="#f1-head" /></g>\n</svg>'
    )


def test_two_copies_share_no_id(foreign):
    both = [ElementTree.fromstring(embedded_svg(foreign, prefix)) for prefix in ("a", "b")]
    ids = [node.get("id") for root in both for node in root.iter() if node.get("id")]
    assert len(ids) == len(set(ids)) == 6


@pytest.mark.parametrize(
    "body",
    [
        "<script>alert(1)</script>",
        "<g><script href='http://a.b/c.js'/></g>",
        "<foreignObject><p xmlns='http://www.w3.org/1999/xhtml'>x</p></foreignObject>",
        "<p><img src='http://a.b/c.png'/></p>",
        "<animate attributeName='href' to='javascript:f()'/>",
        "<i:layer xmlns:i='http://inkscape'/>",
        "<iframe/>",
    ],
)
def test_elements_that_run_load_or_are_unknown_go(body):
    assert inside(body).replace("<g>", "").replace("</g>", "").replace("<g />", "") == ""


@pytest.mark.parametrize(
    "attribute",
    [
        'onclick="f()"',
        'ONLOAD="f()"',
        'href="http://a.b/c"',
        'HREF="http://a.b/c"',
        'xlink:href="//a.b/c"',
        'href="javascript:f()"',
        'href="data:text/html;base64,AAAA"',
        'style="fill: url(http://a.b/c#d)"',
        'style="background: u\\72l(http://a.b)"',
        "style=\"background: image-set('a.png' 1x)\"",
        'fill="URL (http://a.b/c)"',
        'src="a.png"',
        'i:label="x" xmlns:i="http://inkscape"',
    ],
)
def test_attributes_that_run_or_load_go(attribute):
    assert inside(f"<image {attribute}/>") == "<image />"


@pytest.mark.parametrize(
    ("given_", "kept"),
    [
        ('<g id="a"/><use href="#a"/>', '<g id="p-a" /><use href="#p-a" />'),
        ('<use href="#unknown"/>', '<use href="#unknown" />'),
        ('<g id="a" aria-labelledby="a b"/>', '<g id="p-a" aria-labelledby="p-a b" />'),
        ('<g id="a" style="clip-path: url(\'#a\')"/>', '<g id="p-a" style="clip-path: url(#p-a)" />'),
        ('<image href="data:image/png;base64,AAAA"/>', '<image href="data:image/png;base64,AAAA" />'),
        ('<text xml:space="preserve">a  b</text>', '<text xml:space="preserve">a  b</text>'),
        ('<g aria-label="url(x)\\"/>', '<g aria-label="url(x)\\" />'),
        ("<title>a<b/></title>", "<title>a</title>"),
        ("<!-- c --><?pi?><g/>", "<g />"),
    ],
)
def test_what_draws_stays(given_, kept):
    assert inside(given_) == kept


def test_references_to_the_outermost_element():
    assert inside('<use href="#top"/>', 'id="top"') == '<use href="#p" />'


@pytest.mark.parametrize(
    ("style", "kept"),
    [
        ("*{stroke: red}", "#p *{stroke: red}"),
        (".a, #b .c { fill: url(#b) }", "#p .a, #p #p-b .c{ fill: url(#p-b) }"),
        ("svg { fill: red } svgx{}", "#p{ fill: red }#p svgx{}"),
        ("@import 'a.css'; a{}", None),
        ("@media print { a{} }", None),
        ("a{ fill: url(http://a.b) }", None),
        ("a{} } body{ display: none }", None),
        ("a{ fill: red", None),
        (":is(a, b){}", None),
    ],
)
def test_a_style_sheet_reaches_its_own_picture_only(style, kept):
    wanted = f'<g id="p-b" /><style>{kept}</style>' if kept else '<g id="p-b" /><style />'
    assert inside(f'<g id="b"/><style>{style}</style>') == wanted


def test_a_view_box_is_kept_or_made_of_lengths():
    assert 'viewBox="1 2 3 4"' in embedded_svg(svg("", 'viewBox="1 2 3 4" width="9"'), "p")
    assert "viewBox" not in embedded_svg(svg("", 'width="100%" height="3"'), "p")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this is no SVG: no element found"),
        ("<svg", "this is no SVG"),
        ("<svg/>", "not svg in SVG's namespace"),
        ("<html/>", "outermost element is 'html'"),
        ('<!DOCTYPE svg [<!ENTITY a "b">]><svg/>', "entities"),
    ],
)
def test_other_texts_are_refused(text, message):
    with pytest.raises(ParameterError, match=message):
        embedded_svg(text, "p")


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff")))
def test_texts_stay(text):
    root = ElementTree.Element("svg", xmlns="http://www.w3.org/2000/svg")
    ElementTree.SubElement(root, "text").text = text
    found = ElementTree.fromstring(embedded_svg(ElementTree.tostring(root, encoding="unicode"), "p"))
    assert (found[0].text or "") == text
