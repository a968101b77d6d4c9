"""What happens to a drawing on its way to a page: matplotlib's SVG made fit to stand inside HTML.

Identifiers get a prefix (a page holds many drawings), everything that refers to the outside goes,
a title and a description are added for screen readers, and parts in ink, grid and paper colours get
class names, so that one drawing serves light and dark pages.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from reports import style

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
ET.register_namespace("", SVG)
ET.register_namespace("xlink", XLINK)

HREF = f"{{{XLINK}}}href"
REFERENCE = re.compile(r"url\(#([^)]+)\)")
DECLARATION = re.compile(r"(fill|stroke): (#[0-9a-f]{6})")
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

#: DejaVu is wide, so what other systems have instead takes no more room than the layout allows.
FONTS = "'DejaVu Sans', Verdana, system-ui, sans-serif"

#: Class names of the colours that follow the page, and what they are on a dark one.
THEMED = {
    style.INK: "ink",
    style.SOFT: "soft",
    style.GRID: "grid",
    style.PAPER: "paper",
    style.BLUE: "blue",
}
DARK = {
    "ink": "#e9ebee",
    "soft": "#a9b1bb",
    "grid": "#3b424b",
    "paper": "#15181c",
    "blue": "#56b4e9",  # the other blue of Okabe and Ito
}


def theme_rules(scope: str = "") -> str:
    """CSS that colours the marked parts by variables: --ink, --paper and so on."""
    return "".join(
        f"{scope}.{name}-{way}{{{way}:var(--{name})!important}}"
        for name in THEMED.values()
        for way in ("fill", "stroke")
    )


def xml_text(text: str) -> str:
    """The text without characters that XML cannot hold."""
    return NOT_IN_XML.sub("�", text)


def dressed(source: str, prefix: str, title: str, description: str) -> str:
    """A drawing as an <svg> element for a page; `prefix` must be unique there."""
    root = ET.fromstring(source)
    _remove_foreign_parts(root)
    _prefix_identifiers(root, prefix)
    for element in root.iter():
        _mark_colours(element)
        if "style" in element.attrib:
            element.set("style", element.attrib["style"].replace(f"'{style.FONT}'", FONTS))
    # matplotlib sets these with a rule for every element of the document, the page's too
    root.set("style", "stroke-linejoin:round;stroke-linecap:butt")
    root.set("role", "img")
    root.set("aria-labelledby", f"{prefix}-title {prefix}-desc")
    for measure in ("width", "height"):
        # matplotlib's points at the usual 96 pixels an inch
        points = float(root.attrib[measure].removesuffix("pt"))
        root.set(measure, f"{points * 4 / 3:.0f}")
    for place, (tag, text) in enumerate((("title", title), ("desc", description))):
        element = ET.Element(f"{{{SVG}}}{tag}", {"id": f"{prefix}-{tag}"})
        element.text = xml_text(text)
        root.insert(place, element)
    return ET.tostring(root, encoding="unicode")


def standalone(svg: str) -> str:
    """The drawing as a file of its own: with a background, dark where the reader's system is."""
    root = ET.fromstring(svg)
    rules = ET.Element(f"{{{SVG}}}style")
    light = "".join(f"--{name}:{colour};" for colour, name in THEMED.items())
    dark = "".join(f"--{name}:{colour};" for name, colour in DARK.items())
    rules.text = (
        f"svg{{{light}}}@media (prefers-color-scheme:dark){{svg{{{dark}}}}}" + theme_rules()
    )
    paper = ET.Element(
        f"{{{SVG}}}rect",
        {"width": "100%", "height": "100%", "fill": style.PAPER, "class": "paper-fill"},
    )
    root.insert(2, rules)
    root.insert(3, paper)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _remove_foreign_parts(root: ET.Element) -> None:
    """Take out metadata (addresses of vocabularies) and style rules, which would leak out."""
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{{{SVG}}}metadata", f"{{{SVG}}}style"):
                parent.remove(child)
    root.attrib.pop("version", None)


def _prefix_identifiers(root: ET.Element, prefix: str) -> None:
    """Prefix the identifiers that something refers to and drop the others."""
    used = {
        name
        for element in root.iter()
        for value in element.attrib.values()
        for name in [*REFERENCE.findall(value), *([value[1:]] if value.startswith("#") else [])]
    }
    for element in root.iter():
        name = element.attrib.pop("id", None)
        if name in used:
            element.set("id", f"{prefix}-{name}")
        for key, value in element.attrib.items():
            if key == HREF:
                element.set(key, f"#{prefix}-{value[1:]}")
            elif "url(#" in value:
                element.set(key, REFERENCE.sub(rf"url(#{prefix}-\1)", value))


def _mark_colours(element: ET.Element) -> None:
    """Add the class names of the themed colours that an element is filled or drawn with."""
    names = [
        f"{THEMED[colour]}-{way}"
        for way, colour in DECLARATION.findall(element.get("style", ""))
        if colour in THEMED
    ]
    if names:
        element.set("class", " ".join(names))
