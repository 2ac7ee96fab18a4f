"""What scripts/clients takes for a fault of a generator. Needs no service and no generator."""

import re
import sys

import pytest

from contract import CONTRACT
from contract_changes import operations
from servers import ROOT


@pytest.fixture(scope="module")
def generators():
    """The module of Tests/system/clients that judges."""
    sys.path.insert(0, str(ROOT / "Tests/system/clients"))
    try:
        import generators
    finally:
        sys.path.pop(0)
    return generators


@pytest.mark.parametrize(
    "line",
    [
        "WARNING parsing PUT /objects/{key} within objects. Endpoint will not be generated.",
        "[main] WARN  o.o.codegen.DefaultCodegen - Unknown type found in the schema: null",
        "[main] ERROR o.o.codegen.InlineModelResolver - Cannot resolve a schema",
        'Exception in thread "main" java.lang.NullPointerException: cp is null',
        "Cannot parse response for status code 200 (Unsupported content_type application/yaml), response will be omitted",
    ],
)
def test_a_warning_that_is_not_known_is_a_fault(generators, line):
    assert generators.complaints(f"Generating\n{line}\n\n") == [line]


def test_a_known_warning_is_none(generators):
    log = """[main] WARN  o.o.codegen.DefaultCodegen - OpenAPI 3.1 support is still in beta. To report an issue
[main] WARN  o.o.c.languages.AbstractDartCodegen - Export (reserved word) cannot be used as model name. Renamed to ModelExport
[main] INFO  o.o.codegen.TemplateManager - writing file Entry.swift"""
    assert generators.complaints(log) == []


def test_a_client_without_an_operation_or_a_member_is_a_fault(generators, tmp_path):
    names = {operation["operationId"] for _, operation in operations(CONTRACT.document)} | generators.members()
    whole, part = tmp_path / "whole", tmp_path / "part"
    for folder, without in ((whole, set()), (part, {"completeUpload", "day_ends_at"})):
        folder.mkdir()
        (folder / "Client.swift").write_text("\n".join(sorted(names - without)))

    assert generators.left_out("swift6", whole) == []
    assert generators.left_out("swift6", part) == ["completeUpload is not in the client", "day_ends_at is not in the client"]


def test_clients_are_generated_with_the_options_that_the_contract_and_the_walk_through_name(generators):
    named = {option for name, options in generators.PROPERTIES.items() if name != "python" for option in options.split(",")}
    for where in (CONTRACT.document["info"]["description"], (ROOT / "docs/walkthrough.md").read_text()):
        assert {option for option in re.findall(r"\b[a-z]+[A-Z]\w*=(?:true|false)\b", where)} == named
