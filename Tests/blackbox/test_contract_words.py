"""The words of openapi.yaml: names, descriptions, examples, and nothing said twice. Needs no service."""

import collections
import json
import re

import pytest
import yaml

from contract import CONTRACT, ROOT, altered

VERBS = set(
    "accept add answer apply begin cancel change check choose complete confirm copy correct count create delete download end estimate find get "
    "link list mail merge move name open play prove put read reauthenticate receive redirect refresh register remove rename renew "
    "reprocess request reset restore retry revoke run search see send "
    "set sign split start stop unlink update upload verify write".split()
)
"""With which an operation's name and its summary begin. Another verb may be added."""
PLAIN = set("created_at email favorite has_more id name next_cursor title updated_at".split())
"""Members that need no description."""
REPLACED = {
    r"\be-mails?\b": "email",
    r"\bmail address": "email address",
    r"\blog(s|ged|ging)?[ -]?(in|out)\b": "sign in, sign out",
    r"\b(nobody|somebody|whoever)\b": "the user, the client, a person",
    r"\bways? in\b": "sign-in method",
    r"\bheed(s|ed)?\b": "handle",
    r"\b(erase|erasing|end) (the|an|your) account": "delete the account",
    r"\berasures?\b": "deletion",
}
"""Words that others have replaced, so that one thing has one name."""
METHODS = ("get", "post", "put", "patch", "delete")
SHAPED = {"pattern", "enum", "x-extensible-enum", "properties"}


class Words:
    """Every fault of a contract's words, as lines."""

    def __init__(self, document):
        self.document, self.faults, self.copies = document, [], collections.defaultdict(list)
        self.inline = collections.Counter()
        self.operations = {item[method].get("operationId") for item in document["paths"].values() for method in METHODS if method in item}

    def all(self):
        names = collections.Counter()
        for path, item in self.document["paths"].items():
            self.parameters(path, item.get("parameters", []))
            for method in METHODS:
                if method in item:
                    names[item[method].get("operationId")] += 1
                    self.operation(f"{method.upper()} {path}", item[method])
        self.faults += [f"{name}: names {count} operations" for name, count in names.items() if count > 1]
        parts = self.document["components"]
        for name, parameter in parts.get("parameters", {}).items():
            self.parameters(name, [parameter])
        for name, header in parts.get("headers", {}).items():
            if not header.get("description"):
                self.faults.append(f"header {name}: no description")
        for name, schema in parts["schemas"].items():
            if not schema.get("description"):
                self.faults.append(f"schema {name}: no description")
            self.members(name, schema, shared=True)
        for (place, name, _), count in self.inline.items():
            # An id in a path is of something else each time.
            if count > 2 and place != "path":
                self.faults.append(f"parameter {name}: written {count} times, and one of the components could be referred to")
        for name, answer in parts["responses"].items():
            for media, content in answer.get("content", {}).items():
                if media.endswith("json") and not (content.get("example") or content.get("examples")):
                    self.faults.append(f"response {name}: no example")
        for places in self.copies.values():
            if len(places) > 1 and not all(shared for _, shared in places):
                self.faults.append(f"{', '.join(place for place, _ in places)}: the same shape, which one schema can have")
        self.texts("", self.document)
        return self.faults

    def resolve(self, node):
        while "$ref" in node:
            found = self.document
            for part in node["$ref"].removeprefix("#/").split("/"):
                found = found[part]
            node = found
        return node

    def operation(self, where, operation):
        name, summary = operation.get("operationId", ""), operation.get("summary", "")
        if not re.fullmatch(r"[a-z]+([A-Z][a-z]*)*", name) or re.match("[a-z]*", name)[0] not in VERBS:
            self.faults.append(f"{where}: {name or 'no operationId'} is no verb in camelCase")
        if not summary or summary.split()[0].lower() not in VERBS or not summary[0].isupper() or summary.endswith(".") or len(summary) > 90:
            self.faults.append(f"{where}: the summary is no short sentence that begins with a verb: {summary}")
        if not operation.get("description", "").strip().endswith((".", ":")):
            self.faults.append(f"{where}: no description of whole sentences")
        self.parameters(where, operation.get("parameters", []))
        bodies = [("request", operation.get("requestBody", {}))] + [
            (status, answer) for status, answer in operation["responses"].items() if status != "default"
        ]
        for part, body in bodies:
            for media, content in self.resolve(body).get("content", {}).items():
                if (
                    media.endswith("json")
                    and media != "application/problem+json"
                    and not (content.get("example") or content.get("examples"))
                ):
                    self.faults.append(f"{where} {part} {media}: no example")

    def parameters(self, where, parameters):
        for parameter in parameters:
            if "$ref" not in parameter:
                if not parameter.get("description"):
                    self.faults.append(f"{where} {parameter['name']}: no description")
                self.inline[parameter["in"], parameter["name"], json.dumps(parameter["schema"], sort_keys=True)] += 1

    def members(self, where, schema, shared):
        if "$ref" in schema:
            return
        shape = {word: value for word, value in schema.items() if word not in ("description", "default", "example", "examples")}
        if SHAPED & set(shape):
            self.copies[json.dumps(shape, sort_keys=True)].append((where, shared))
        for name, member in schema.get("properties", {}).items():
            if name not in PLAIN and not (member.get("description") or self.resolve(member).get("description")):
                self.faults.append(f"{where}.{name}: no description")
            self.members(f"{where}.{name}", member, shared=False)
        if isinstance(schema.get("items"), dict):
            self.members(f"{where}[]", schema["items"], shared=False)

    def names(self, where, text):
        """What a text names in code marks and what looks like an operation, or is a method and a path, is there."""
        for quoted in re.findall("`([^`]+)`", text):
            method, _, path = quoted.partition(" ")
            if re.fullmatch(r"[a-z]+([A-Z][a-z]+)+", quoted) and quoted not in self.operations:
                self.faults.append(f"{where}: no operation is called {quoted}")
            if (
                method.lower() in METHODS
                and path.startswith("/")
                and method.lower() not in self.document["paths"].get(path.split("?")[0], {})
            ):
                self.faults.append(f"{where}: {quoted} is not in the contract")

    def texts(self, where, node):
        if isinstance(node, dict):
            for name, inner in node.items():
                if name in ("description", "summary", "title") and isinstance(inner, str):
                    text = re.sub(r"`[^`]*`", "", inner)
                    self.names(f"{where} {name}", inner)
                    for pattern, better in REPLACED.items():
                        if found := re.search(pattern, text, re.I):
                            self.faults.append(f"{where} {name}: {found[0]!r}, in this contract: {better}")
                elif name not in ("example", "examples"):
                    self.texts(f"{where}/{name}", inner)
        elif isinstance(node, list):
            for place, inner in enumerate(node):
                self.texts(f"{where}/{place}", inner)


class Once(yaml.SafeLoader):
    """Refuses a mapping with a key twice, of which YAML readers would take the last."""

    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value]
        assert len(keys) == len(set(keys)), f"{node.start_mark}: twice: {[key for key in keys if keys.count(key) > 1]}"
        return super().construct_mapping(node, deep)


def test_nothing_is_described_twice_under_one_name():
    yaml.load((ROOT / "openapi.yaml").read_text(), Once)


def test_the_contract_is_named_described_and_shown_by_examples():
    assert Words(CONTRACT.document).all() == []


def listed(begin, end):
    """The operations that a passage of the contract's description names."""
    passage = CONTRACT.document["info"]["description"].split(begin)[1].split(end)[0]
    return set(re.findall(r"`(\w+)`", passage)) & {operation["operationId"] for *_, operation in CONTRACT.operations}


def test_the_description_lists_the_operations_that_take_a_key():
    takes = {
        operation["operationId"]
        for _, template, _, operation in CONTRACT.operations
        for parameter in CONTRACT.document["paths"][template].get("parameters", []) + operation.get("parameters", [])
        if CONTRACT.resolve(parameter)["name"] == "Idempotency-Key"
    }
    assert listed("With an `Idempotency-Key`:", "By itself:") == takes


def test_every_list_has_pages():
    whole = set()
    for _, _, _, operation in CONTRACT.operations:
        for status, answer in operation["responses"].items():
            content = CONTRACT.resolve(answer).get("content", {}).get("application/json")
            if status == "200" and content:
                schema = CONTRACT.resolve(content["schema"])
                if operation["operationId"].startswith("list") or content["schema"].get("$ref", "").endswith("List"):
                    if not {"has_more", "next_cursor"} <= set(schema["required"]):
                        whole.add(operation["operationId"])
    assert whole == set()


OPERATION = ("paths", "/v1/me", "patch")
PROFILE = ("components", "schemas", "Profile")
IF_MATCH = {"name": "If-Match", "in": "header", "description": "A tag.", "schema": {"type": "string"}}


@pytest.mark.parametrize(
    ("place", "value", "fault"),
    [
        ((*OPERATION, "operationId"), "profile", "is no verb in camelCase"),
        ((*OPERATION, "operationId"), "change_profile", "is no verb in camelCase"),
        ((*OPERATION, "operationId"), "getProfile", "names 2 operations"),
        ((*OPERATION, "summary"), "The profile", "begins with a verb"),
        ((*OPERATION, "description"), "", "no description"),
        (
            (*OPERATION, "requestBody", "content", "application/json"),
            {"schema": {"type": "object"}},
            "request application/json: no example",
        ),
        (
            (*OPERATION, "responses", "200", "content", "application/json"),
            {"schema": {"type": "object"}},
            "200 application/json: no example",
        ),
        ((*OPERATION, "parameters"), [{"name": "x", "in": "query", "schema": {"type": "string"}}], "x: no description"),
        ((*OPERATION, "parameters"), [IF_MATCH] * 3, "If-Match: written 3 times"),
        (("components", "responses", "EntryChanged", "content", "application/problem+json", "example"), {}, "EntryChanged: no example"),
        ((*PROFILE, "description"), "", "schema Profile: no description"),
        ((*PROFILE, "description"), "Shown during the erasure.", "deletion"),
        ((*PROFILE, "description"), "Log in to see it.", "sign in, sign out"),
        ((*PROFILE, "description"), "The mail address.", "email address"),
        ((*PROFILE, "description"), "As `fetchProfile` answers.", "no operation is called fetchProfile"),
        ((*PROFILE, "description"), "As `PUT /v1/me?x=1` answers.", "is not in the contract"),
        ((*PROFILE, "properties", "time_zone"), {"type": "string"}, "Profile.time_zone: no description"),
        ((*PROFILE, "properties", "locale"), {"type": "string", "enum": ["email", "apple"], "description": "x"}, None),
        (
            (*PROFILE, "properties", "locale"),
            {"type": "string", "x-extensible-enum": ["voice", "text"], "description": "x"},
            "the same shape",
        ),
    ],
)
def test_a_word_that_breaks_a_rule_is_found(place, value, fault):
    document = altered(CONTRACT.document, place, value)
    faults = Words(document).all()
    assert any(fault in line for line in faults) if fault else faults == [], faults
