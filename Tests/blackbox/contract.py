"""Holds every answer of the service against openapi.yaml, more strictly than clients may: see `closed`."""

import json
import pathlib
import re

import jsonschema_rs
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
GROWING = "x-extensible-enum"
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


class Contract:
    def __init__(self, path=ROOT / "openapi.yaml"):
        self.document = yaml.safe_load(path.read_text())
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
        if not found:
            assert response.status_code in (400, 404, 405, 414), (request.method, path, response.status_code)
            return
        template, operation = found
        described = operation["responses"].get(str(response.status_code)) or operation["responses"].get("default")
        assert described, (
            f"{request.method} {template} answers {response.status_code}, which openapi.yaml does not name: {response.text[:300]}"
        )
        described = self.resolve(described)
        self.checked[(request.method, template, response.status_code)] = (
            self.checked.get((request.method, template, response.status_code), 0) + 1
        )
        content = described.get("content")
        if request.method == "HEAD" or not response.content:
            return
        assert content, f"{request.method} {template} {response.status_code} has a body that openapi.yaml does not name"
        media = response.headers["content-type"].split(";")[0]
        assert media in content, f"{request.method} {template} {response.status_code} answers {media}, not {list(content)}"
        if media.endswith("json"):
            self.validator(content[media]["schema"]).validate(json.loads(response.content))

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
