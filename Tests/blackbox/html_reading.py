"""A strict reading of a page that nothing may act in."""

import base64
import hashlib
import re

import html5lib

VOID = "{http://www.w3.org/1999/xhtml}"
ELEMENTS = set(
    "html head meta link title style body a header h1 h2 h3 h4 p form label input nav ul ol li main section article details summary time bdi b span "
    "audio div script".split()
)
ATTRIBUTES = set(
    "lang charset http-equiv content name rel href class id role hidden for type autocomplete spellcheck aria-label aria-labelledby open datetime "
    "controls preload src dir data-none data-one data-other".split()
)


class Page:
    """Parses by the rules of the HTML standard; any error of the text, an element or attribute that the page does not need, an address that is not beside
    it, and a script or style that its policy does not name by digest fail the test."""

    def __init__(self, text):
        self.root = html5lib.HTMLParser(strict=True).parse(text)
        self.elements = [(element.tag.removeprefix(VOID), element) for element in self.root.iter() if isinstance(element.tag, str)]
        self.check()

    def all(self, name):
        return [element for tag, element in self.elements if tag == name]

    def text(self, element):
        return "".join(element.itertext())

    def check(self):
        for tag, element in self.elements:
            assert tag in ELEMENTS, tag
            assert set(element.attrib) <= ATTRIBUTES, (tag, element.attrib)
            for name in ("src", "href"):
                target = element.attrib.get(name, "")
                assert re.fullmatch(r"|#[a-z0-9]+|data:,|[a-z]+/[0-9A-Za-z_/-]+\.[a-z0-9]+", target), target
        ids = [element.attrib["id"] for _, element in self.elements if "id" in element.attrib]
        assert len(ids) == len(set(ids))
        (policy,) = [m.attrib["content"] for m in self.all("meta") if m.attrib.get("http-equiv") == "Content-Security-Policy"]
        allowed = dict(part.strip().split(" ", 1) for part in policy.split(";"))
        assert (
            allowed["default-src"] == allowed["base-uri"] == allowed["form-action"] == "'none'"
            and "*" not in policy
            and "http" not in policy
        )
        for name in ("script", "style"):
            (inline,) = self.all(name)
            digest = base64.b64encode(hashlib.sha256(self.text(inline).encode()).digest()).decode()
            assert allowed[f"{name}-src"] == f"'sha256-{digest}'"
