"""The contract still serves the clients of the last release, if there is one, and each kind of break is found. Needs no service."""

import copy

import pytest

from contract import CONTRACT
from contract_changes import breaks
from released import releases

SMALL = {
    "openapi": "3.1.0",
    "info": {"title": "Small", "version": "1.4.0", "x-error-codes": {"500": ["internal_error"]}},
    "security": [{"bearer": []}],
    "paths": {
        "/v1/notes": {
            "parameters": [{"$ref": "#/components/parameters/App"}],
            "get": {
                "operationId": "listNotes",
                "parameters": [
                    {"name": "limit", "in": "query", "schema": {"type": "integer", "format": "int32", "maximum": 50, "default": 20}},
                    {"name": "order", "in": "query", "schema": {"type": "string", "enum": ["asc", "desc"]}},
                ],
                "x-error-codes": {"409": ["too_many", "locked"]},
                "responses": {
                    "200": {
                        "description": "A page.",
                        "headers": {"ETag": {"required": True, "schema": {"type": "string"}}},
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Notes"}}},
                    },
                    "409": {
                        "description": "No.",
                        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
                    },
                },
            },
            "post": {
                "operationId": "addNote",
                "requestBody": {"required": False, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewNote"}}}},
                "responses": {"201": {"description": "Made."}},
            },
        }
    },
    "components": {
        "parameters": {"App": {"name": "Diary-App", "in": "header", "schema": {"type": "string"}}},
        "schemas": {
            "Notes": {
                "type": "object",
                "required": ["notes"],
                "properties": {"notes": {"type": "array", "items": {"$ref": "#/components/schemas/Note"}}},
            },
            "Note": {
                "type": "object",
                "required": ["text", "kind", "size"],
                "properties": {
                    "text": {"type": ["string", "null"]},
                    "kind": {"type": "string", "x-extensible-enum": ["short", "long"]},
                    "size": {"type": "integer", "format": "int64"},
                    "day": {"type": "string", "format": "date"},
                    "flags": {"type": "object", "additionalProperties": {"type": "string"}},
                    "replies": {"$ref": "#/components/schemas/Notes"},
                },
            },
            "NewNote": {
                "type": "object",
                "required": ["text"],
                "properties": {
                    "text": {"type": ["string", "null"], "maxLength": 100, "pattern": "^[a-z]*$"},
                    "kind": {"type": "string", "enum": ["short", "long"]},
                    "day": {"type": "string"},
                },
            },
            "Problem": {
                "type": "object",
                "required": ["code"],
                "properties": {"code": {"type": "string", "x-extensible-enum": ["too_many", "locked"]}},
            },
        },
    },
}

LIST = "paths /v1/notes get"
ADD = "paths /v1/notes post"
PAGE = f"{LIST} responses 200"
SENT = "components schemas Note"
ASKED = "components schemas NewNote"
GONE = object()


def changed(document, place, value):
    """A copy with another value at a place of names and numbers, or without it."""
    made = copy.deepcopy(document)
    *path, last = [int(part) if part.isdigit() and len(part) == 1 else part for part in place.split()]
    node = made
    for part in path:
        node = node[part]
    if value is GONE:
        del node[last]
    elif isinstance(node, list) and last == len(node):
        node.append(value)
    else:
        node[last] = value
    return made


def test_the_contract_still_serves_the_clients_of_the_last_release():
    for last in releases()[-1:]:
        assert breaks(last.contract, CONTRACT.document) == [], (
            f"docs/decisions/0032: what breaks clients of {last.version} needs a new major version"
        )


def test_the_same_contract_breaks_nothing():
    assert breaks(SMALL, copy.deepcopy(SMALL)) == []
    assert breaks(CONTRACT.document, copy.deepcopy(CONTRACT.document)) == []


@pytest.mark.parametrize(
    ("place", "value", "found"),
    [
        ("info version", "1.3.9", "1.3.9 is older than the released 1.4.0"),
        ("paths /v1/notes", GONE, "GET /v1/notes: is gone"),
        (ADD, GONE, "POST /v1/notes: is gone"),
        (f"{LIST} operationId", "getNotes", "operationId listNotes became getNotes"),
        (f"{LIST} security", [{"link": []}], "security bearer is gone"),
        ("info x-error-codes 500", [], "every operation 500: error code internal_error is gone"),
        (f"{LIST} x-error-codes 409", ["locked"], "GET /v1/notes 409: error code too_many is gone"),
        (f"{LIST} parameters 0", GONE, "query limit: is gone"),
        ("components parameters App name", "App", "header Diary-App: is gone"),
        ("components parameters App required", True, "header Diary-App: became required"),
        (
            f"{LIST} parameters 2",
            {"name": "tag", "in": "query", "required": True, "schema": {"type": "string"}},
            "query tag: is new and required",
        ),
        (f"{LIST} parameters 0 schema type", "string", "type integer became string"),
        (f"{LIST} parameters 0 schema maximum", 10, "maximum 50 became 10"),
        (f"{LIST} parameters 0 schema default", 5, "default 20 became 5"),
        (f"{LIST} parameters 1 schema enum", ["desc"], "query order: value asc is gone"),
        (f"{LIST} responses 409", GONE, "GET /v1/notes: status 409 is gone"),
        (f"{LIST} responses", {"204": {"description": "None."}}, "status 200 is gone"),
        (f"{ADD} responses 200", {"description": "There already."}, "status 200 is new"),
        (f"{PAGE} headers ETag", GONE, "header ETag is gone"),
        (f"{PAGE} headers ETag required", False, "header ETag may be absent"),
        (f"{PAGE} content", {"text/json": {}}, "media type application/json is gone"),
        (f"{ADD} requestBody required", True, "a body became required"),
        (f"{ADD} requestBody content application/json schema", {"type": "array"}, "type object became array"),
        ("components schemas Notes", {"type": "object"}, "member notes is gone"),
        (f"{SENT} properties kind", GONE, "Note: member kind is gone"),
        (f"{SENT} properties kind type", ["string", "null"], "Note.kind: may be null"),
        (f"{SENT} required", ["text", "kind"], "Note.size: may be absent"),
        (f"{SENT} properties size type", "number", "Note.size: type integer became number"),
        (f"{SENT} properties size format", "int32", "Note.size: format int64 became int32"),
        (f"{SENT} properties day format", "date-time", "Note.day: format date became date-time"),
        (f"{SENT} properties text type", GONE, "Note.text: type null|string became any"),
        (f"{SENT} properties kind x-extensible-enum", ["short"], "Note.kind: value long is gone"),
        (f"{SENT} properties flags additionalProperties type", "integer", "Note.flags{}: type string became integer"),
        ("components schemas Problem properties code x-extensible-enum", ["locked"], "Problem.code: value too_many is gone"),
        (f"{ASKED} properties kind", GONE, "NewNote: member kind is gone"),
        (f"{ASKED} properties kind enum", ["short"], "NewNote.kind: value long is gone"),
        (f"{ASKED} required", ["text", "day"], "NewNote.day: became required"),
        (f"{ASKED} properties text type", "string", "NewNote.text: type null|string became string"),
        (f"{ASKED} properties text maxLength", 99, "NewNote.text: maxLength 100 became 99"),
        (f"{ASKED} properties text minLength", 1, "NewNote.text: minLength None became 1"),
        (f"{ASKED} properties text pattern", "^[a-f]*$", "NewNote.text: pattern"),
        (f"{ASKED} properties text pattern", "^([a-f]*)?$", "NewNote.text: pattern"),
        (f"{ASKED} properties text pattern", "^([a-z]*)?$", None),
        (f"{ASKED} properties day enum", ["today"], "NewNote.day: takes only some values"),
        (f"{ASKED} additionalProperties", False, "members that are not described are refused"),
        ("components schemas Unused", {"type": "string"}, None),
    ],
)
def test_a_break_is_found_unless_the_major_version_says_so(place, value, found):
    later = changed(SMALL, place, value)
    lines = breaks(SMALL, later)
    assert any(found in line for line in lines) if found else lines == [], lines
    if place != "info version":
        assert breaks(SMALL, changed(later, "info version", "2.0.0")) == []


def test_a_new_required_member_and_a_renamed_schema_are_found():
    later = changed(changed(SMALL, f"{ASKED} properties colour", {"type": "string"}), f"{ASKED} required", ["text", "colour"])
    assert breaks(SMALL, later) == ["POST /v1/notes request application/json NewNote.colour: is new and required"]

    later = changed(
        changed(SMALL, "components schemas Failure", SMALL["components"]["schemas"]["Problem"]), "components schemas Problem", GONE
    )
    later = changed(later, f"{LIST} responses 409 content application/problem+json schema", {"$ref": "#/components/schemas/Failure"})
    assert breaks(SMALL, later) == ["schema Problem: is gone; generated types have its name"]


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("info version", "1.5.0"),
        ("paths /v1/marks", {"get": {"operationId": "listMarks", "responses": {"200": {"description": "All."}}}}),
        (f"{LIST} parameters 2", {"name": "tag", "in": "query", "schema": {"type": "string"}}),
        (f"{LIST} parameters 0 schema maximum", 200),
        (f"{LIST} parameters 1 schema enum", ["asc", "desc", "random"]),
        (f"{LIST} security", []),
        (f"{LIST} x-error-codes 410", ["expired"]),
        (f"{LIST} responses 410", {"description": "Gone."}),
        (f"{PAGE} headers Link", {"schema": {"type": "string"}}),
        (f"{PAGE} content text/csv", {"schema": {"type": "string"}}),
        (f"{SENT} properties colour", {"type": "string"}),
        (f"{SENT} required", ["text", "kind", "size", "day"]),
        (f"{SENT} properties text type", "string"),
        (f"{SENT} properties kind x-extensible-enum", ["short", "long", "spoken"]),
        (f"{ASKED} properties colour", {"type": ["string", "null"]}),
        (f"{ASKED} properties kind type", ["string", "null"]),
        (f"{ASKED} properties text pattern", GONE),
        (f"{ASKED} properties text maxLength", 1000),
        (f"{ASKED} required", []),
        (f"{ASKED} description", "Another text."),
    ],
)
def test_an_addition_breaks_nothing(place, value):
    assert breaks(SMALL, changed(SMALL, place, value)) == []
