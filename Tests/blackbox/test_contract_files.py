"""What is derived from openapi.yaml: openapi.json and the page of the contract. Needs no service."""

import html.parser
import json
import re
import sys

import pytest

from contract import CONTRACT, ROOT


@pytest.fixture(scope="module")
def writer():
    """The module that writes the files."""
    sys.path.insert(0, str(ROOT / "scripts/lib"))
    try:
        import contract_files
    finally:
        sys.path.pop(0)
    return contract_files


class Read(html.parser.HTMLParser):
    """Elements, ids and addresses of a page."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.ids, self.addresses, self.open = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src", "action"):
                self.addresses.append((tag, value))
        if tag not in ("meta", "link", "wbr", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, (tag, self.getpos())


def test_the_files_are_those_that_the_contract_gives(writer):
    for name, content in writer.derived((ROOT / "openapi.yaml").read_text()).items():
        assert (ROOT / name).read_text() == content, f"{name}: run scripts/contract"


def test_the_json_is_the_same_contract():
    assert json.loads((ROOT / "openapi.json").read_text()) == CONTRACT.document


def test_the_page_has_every_operation_and_schema_and_needs_nothing_else():
    page = Read((ROOT / "openapi.html").read_text())
    names = {tag for tag, _ in page.elements}

    assert page.open == []
    assert {operation["operationId"] for _, _, _, operation in CONTRACT.operations} <= set(page.ids)
    assert {f"schema-{name}" for name in CONTRACT.document["components"]["schemas"]} <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    # Each link inside leads somewhere, and only links for readers lead out.
    assert [target for _, target in page.addresses if target.startswith("#") and target[1:] not in page.ids] == []
    assert [target for tag, target in page.addresses if tag != "a" and not target.startswith("data:")] == []
    assert not names & {"script", "iframe", "object", "embed", "form", "img"}
    assert [tag for tag, _ in page.elements].count("style") == 1
    assert [(tag, name) for tag, given in page.elements for name in given if name == "style" or name.startswith("on")] == []


HOSTILE = "</style><script>alert(1)</script><img src=x onerror=alert(1)> & \"'"


KEPT = {tag["name"] for tag in CONTRACT.document["tags"]} | {operation["operationId"] for _, _, _, operation in CONTRACT.operations}


def spoiled(value):
    """The contract with hostile text in every string that is not a name inside it."""
    if isinstance(value, dict):
        return {name: inner if name in ("$ref", "type", "in", "url") else spoiled(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [spoiled(inner) for inner in value]
    return f"{value} `{HOSTILE}` **{HOSTILE}** {HOSTILE}" if isinstance(value, str) and value not in KEPT else value


def test_no_text_of_the_contract_becomes_markup(writer):
    page = Read(writer.Page(spoiled(CONTRACT.document)).html())
    assert not {tag for tag, _ in page.elements} & {"script", "img"}
    assert page.open == []


def test_a_link_of_a_text_leads_to_the_web_or_to_the_page_only(writer):
    from contract_words import inline

    assert inline("[a](https://example.org/b)") == '<a href="https://example.org/b">a</a>'
    assert "href" not in inline("[a](javascript:alert(1))")
    assert re.findall('href=.([^"]+)', inline("See https://example.org/b.")) == ["https://example.org/b"]
