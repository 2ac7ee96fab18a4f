"""Holds every answer of the service against openapi.yaml, more strictly than clients may: see `closed`."""

import json
import pathlib
import re

import jsonschema_rs
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
GROWING = "x-extensible-enum"
CODES = "x-error-codes"
NOWHERE = {400: ["malformed_request"], 404: ["not_found"], 405: ["method_not_allowed"], 414: ["uri_too_long"]}
"""What a path or method that the contract does not describe answers, by status."""
POINTER = re.compile(r"(/([^/~]|~[01])*)*|query(/[\w.-]{1,64})?|header/[a-z0-9-]+", re.ASCII)
"""Into the body (RFC 6901), or the name of a query parameter or a header."""
FORMS = {"date-time": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$", "uuid": "^[0-9a-f-]{36}$"}
"""How the service of this version writes what the contract leaves to a format."""


def closed(schema):
    """The schema of an answer as this version sends it: no member that the contract does not name, no value beyond those of `x-extensible-enum`,
    times in UTC with milliseconds, ids in lower case. The contract itself is open, so that members and values can be added."""
    if not isinstance(schema, dict):
        return schema
    made = dict(schema)
    if "properties" in made:
        made["properties"] = {name: closed(inner) for name, inner in made["properties"].items()}
        made.setdefault("additionalProperties", False)
    for inner in ("items", "additionalProperties"):
        if inner in made:
            made[inner] = closed(made[inner])
    if GROWING in made:
        made["enum"] = made.pop(GROWING) + ([None] if "null" in made["type"] else [])
    if made.get("format") in FORMS:
        made["pattern"] = FORMS[made["format"]]
    return made


def altered(node, place, value):
    """The document with another value at a place. What does not lead there is the same in both: a copy of the whole costs more than to read it."""
    if not place:
        return value
    return {**node, place[0]: altered(node.get(place[0]), place[1:], value)}


class Contract:
    def __init__(self, path=ROOT / "openapi.yaml"):
        self.document = yaml.load(path.read_text(), Loader=yaml.CSafeLoader)
        self.operations = []
        for template, item in self.document["paths"].items():
            pattern = re.compile(
                "^" + re.sub(r"\\\{(\w+)\\\}", lambda m: f"(?P<{m[1]}>{'.+' if m[1] == 'key' else '[^/]+'})", re.escape(template)) + "$"
            )
            for method, operation in item.items():
                if method in ("get", "post", "put", "patch", "delete"):
                    self.operations.append((method.upper(), template, pattern, operation))
        # Words before parameters: /v1/auth/email/verify before a template.
        self.operations.sort(key=lambda o: o[1].count("{"))
        self.checked = {}
        self.closed = {"schemas": {name: closed(schema) for name, schema in self.document["components"]["schemas"].items()}}
        # By identity: the schemas live as long as the document.
        self.validators = {}
        self.everywhere = self.document["info"][CODES]

    def find(self, method, path):
        for known, template, pattern, operation in self.operations:
            if known == method and pattern.match(path):
                return template, operation
        return None

    def check(self, response):
        """Raises when status, media type or body are not what the contract says."""
        request = response.request
        path = re.sub(r"^https?://[^/]+", "", request.url).split("?")[0]
        found = self.find("GET" if request.method == "HEAD" else request.method, path)
        status = response.status_code
        if not found:
            assert status in NOWHERE, (request.method, path, status)
            assert self.code(response) in (None, *NOWHERE[status]), (request.method, path, response.text[:300])
            return
        template, operation = found
        what = f"{request.method} {template} answers {status}"
        described = operation["responses"].get(str(status)) or operation["responses"].get("default")
        assert described, f"{what}, which openapi.yaml does not name: {response.text[:300]}"
        described = self.resolve(described)
        code = self.code(response)
        if status >= 400:
            named = self.codes(operation).get(str(status), [])
            assert named and code in (None, *named), f"{what} {code}, and openapi.yaml names {named}: {response.text[:300]}"
            self.check_fields(response, code, what, {"bearer": []} in operation.get("security", [{"bearer": []}]))
        if response.headers.get("Cache-Control") != "no-store":
            may_be_kept = "Cache-Control" in described.get("headers", {}) and "Origin" in response.headers.get("Vary", "")
            assert may_be_kept, f"{what} with {response.headers}"
        kind = (request.method, template, status, code)
        self.checked[kind] = self.checked.get(kind, 0) + 1
        content = described.get("content")
        if request.method == "HEAD" or not response.content:
            return
        assert content, f"{request.method} {template} {status} has a body that openapi.yaml does not name"
        media = response.headers["content-type"].split(";")[0]
        assert media in content, f"{what} as {media}, not {list(content)}"
        # A file that is JSON is described as a file.
        if media.endswith("json") and content[media]["schema"].get("format") != "binary":
            self.validator(content[media]["schema"]).validate(json.loads(response.content))

    def codes(self, operation):
        """The codes that an operation may answer, by status: its own and those of every operation."""
        own = operation[CODES]
        return {status: own.get(status, []) + self.everywhere.get(status, []) for status in {*own, *self.everywhere}}

    @staticmethod
    def check_fields(response, code, what, takes_token):
        """The parts of an error that no schema describes."""
        if response.status_code == 401:
            sent = takes_token and "Authorization" in response.request.headers and code in (None, "unauthorized")
            challenge = response.headers.get("WWW-Authenticate")
            assert challenge == ('Bearer error="invalid_token"' if sent else "Bearer"), f"{what} with {challenge}"
        if code:
            problem = json.loads(response.content)
            assert problem["type"].startswith("http") and problem["type"].endswith(f"/problems/{code}"), f"{what} of type {problem['type']}"
            for error in problem["errors"]:
                assert POINTER.fullmatch(error["pointer"]), f"{what} with the pointer {error['pointer']}"
            current = problem.get("current")
            assert not current or response.headers["ETag"] == f'"{current["version"]}"', f"{what}: current has another version than ETag"

    @staticmethod
    def code(response):
        """None where no problem is shown: HEAD, a page, a success."""
        if response.content and response.headers.get("content-type", "").startswith("application/problem+json"):
            return json.loads(response.content).get("code")
        return None

    def validator(self, schema):
        """One for each schema: making it costs as much as its use."""
        made = self.validators.get(id(schema))
        if not made:
            whole = {**closed(schema), "components": self.closed}
            made = self.validators[id(schema)] = jsonschema_rs.Draft202012Validator(whole, validate_formats=True)
        return made

    def resolve(self, item):
        while "$ref" in item:
            node = self.document
            for part in item["$ref"].removeprefix("#/").split("/"):
                node = node[part]
            item = node
        return item


CONTRACT = Contract()

STAGES = CONTRACT.document["components"]["schemas"]["ProcessingStage"]["x-extensible-enum"]
"""The kinds of jobs on a recording, in their order."""
