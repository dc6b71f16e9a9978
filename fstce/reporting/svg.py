"""SVG from anywhere, made fit to stand in an HTML page with other pictures.

Prolog, comments and foreign namespaces go; what could run or load something goes; ids get
a prefix of their own, and a style sheet inside reaches its own picture only.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

from fstce.corpora.svg import clean
from fstce.errors import ParameterError

_SVG, _XLINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_SHAPES = {
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "text",
    "tspan",
    "textPath",
    "image",
}
_GROUPS = {"svg", "g", "a", "switch", "defs", "symbol", "use", "marker", "clipPath", "mask", "pattern"}
_ELEMENTS = _SHAPES | _GROUPS | {"title", "desc", "style", "linearGradient", "radialGradient", "stop"}
# HTML reads what is inside these as HTML or as a style sheet: text only.
_TEXT_ONLY = {"title", "desc", "style"}
_LINKS = ("href", "xlink:href")
_REFERENCE = re.compile(r"""url\(\s*['"]?#([^'")]+)['"]?\s*\)""")
_LOADS = re.compile(r"url\s*\(|image(-set)?\s*\(|\\", re.IGNORECASE)
_BITMAP = re.compile(r"data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*")
_LENGTH = re.compile(r"\s*([0-9.]+)\s*(px|pt)?\s*")
_FLAT_STYLE = re.compile(r"(?:[^{}@()]+\{[^{}@]*\})*\s*")
_OUTERMOST = re.compile(r"^(svg|:root)(?![\w-])\s*")
_STYLE_RULE = re.compile(r"([^{}]+)(\{[^{}]*\})")


def embedded_svg(svg: str, prefix: str, label: str = "") -> str:
    """An SVG document as an element to put into HTML.

    ``svg``: a whole document, of graphviz, matplotlib, this package or any other program. ``prefix``: the
    picture's id, and what its other ids begin with; different for every picture of a page. ``label``: what a
    screen reader says of the picture. Returns an ``svg`` element, without scripts, links and references to
    other files.
    """
    root = _parsed(svg)
    _prune(root)
    ids = {name: f"{prefix}-{name}" for name in (node.get("id") for node in root.iter()) if name}
    ids[root.get("id") or ""] = prefix
    for node in root.iter():
        _rename(node, ids)
        if node.tag == "style":
            node.text = _scoped(node.text or "", prefix, ids)
    _set_frame(root, prefix, label)
    return ElementTree.tostring(root, encoding="unicode").strip()


def _parsed(svg: str) -> ElementTree.Element:
    # An entity can stand for a billion letters; no drawing program needs one.
    if "<!ENTITY" in svg:
        raise ParameterError("this SVG declares entities; save it again as plain SVG")
    try:
        root = ElementTree.fromstring(clean(svg).strip())
    except ElementTree.ParseError as error:
        raise ParameterError(f"this is no SVG: {error}") from None
    if root.tag != f"{_SVG}svg":
        raise ParameterError(
            f"this is no SVG: its outermost element is {root.tag!r}, not svg in SVG's namespace"
        )
    return root


def _prune(node: ElementTree.Element) -> None:
    """Keep what draws; give elements and attributes their plain names."""
    node.tag = node.tag.removeprefix(_SVG)
    kept = [(name.replace(_XLINK, "xlink:"), value) for name, value in node.attrib.items()]
    node.attrib.clear()
    node.attrib.update((name, value) for name, value in kept if _is_harmless(name, value))
    for child in list(node):
        if child.tag.removeprefix(_SVG) in _ELEMENTS and node.tag not in _TEXT_ONLY:
            _prune(child)
        else:
            node.remove(child)


def _is_harmless(name: str, value: str) -> bool:
    """Whether an attribute neither runs nor loads anything, and is one that HTML knows."""
    # HTML does not tell HREF from href, as XML does.
    lower = name.lower()
    if lower in _LINKS:
        return value.startswith("#") or bool(_BITMAP.fullmatch(value))
    if lower.startswith(("{", "on", "src")):
        return name == _SPACE
    return name.startswith("aria-") or not _LOADS.search(_REFERENCE.sub("", value))


def _rename(node: ElementTree.Element, ids: dict[str, str]) -> None:
    for name, value in node.attrib.items():
        if name == "id":
            node.set(name, ids.get(value, value))
        elif name in _LINKS:
            node.set(name, f"#{ids.get(value[1:], value[1:])}" if value.startswith("#") else value)
        elif name in ("aria-labelledby", "aria-describedby"):
            node.set(name, " ".join(ids.get(word, word) for word in value.split()))
        else:
            node.set(name, _referring(value, ids))


def _referring(text: str, ids: dict[str, str]) -> str:
    return _REFERENCE.sub(lambda found: f"url(#{ids.get(found[1], found[1])})", text)


def _scoped(style: str, prefix: str, ids: dict[str, str]) -> str:
    """A style sheet that reaches only the picture of this id, or none where it is not plain."""
    if not _FLAT_STYLE.fullmatch(style) or _LOADS.search(_REFERENCE.sub("", style)):
        return ""

    def rule(found: re.Match[str]) -> str:
        selectors = re.sub(r"#([\w-]+)", lambda name: f"#{ids.get(name[1], name[1])}", found[1])
        inside = (_OUTERMOST.sub("", selector.strip()) for selector in selectors.split(","))
        return ", ".join(f"#{prefix} {one}".strip() for one in inside) + _referring(found[2], ids)

    return _STYLE_RULE.sub(rule, style)


def _set_frame(root: ElementTree.Element, prefix: str, label: str) -> None:
    """The outermost element: what it is, and a view box, without which it cannot shrink."""
    size = [_LENGTH.fullmatch(root.get(side, "")) for side in ("width", "height")]
    if "viewBox" not in root.attrib and size[0] and size[1]:
        root.set("viewBox", f"0 0 {size[0][1]} {size[1][1]}")
    linked = any("xlink:" in name for node in root.iter() for name in node.attrib)
    names = {"xmlns": _SVG[1:-1], **({"xmlns:xlink": _XLINK[1:-1]} if linked else {})}
    spoken = {"role": "img", **({"aria-label": label} if label else {})}
    root.attrib.update({**spoken, **names, "id": prefix})
