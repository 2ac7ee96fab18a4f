"""The shapes of openapi.yaml: what every client generator takes, answers that may grow, and the checks that are closed all the same. Needs no service."""

import copy
import json
import re
import types

import jsonschema_rs
import pytest
import requests

from contract import CODES, CONTRACT, GROWING, altered

METHODS = ("get", "post", "put", "patch", "delete")
SCALARS = {"string", "integer", "number", "boolean"}
UNIONS = ("oneOf", "anyOf", "allOf", "not", "if", "discriminator", "prefixItems", "patternProperties")
LIMITS = ("pattern", "enum", "const", "minLength", "maxLength", "minItems", "maxItems", "maximum")
# What is counted or measured may pass 2^31 one day: a diary's bytes do.
WIDE = re.compile(r"(_bytes|_count|_seconds|_characters|_max|_s|version|entries|objects|exports|mails|sessions|downloads|limit|burst)$")


class Shapes:
    """Every fault of a contract's shapes, as lines."""

    def __init__(self, document):
        self.document, self.faults, self.used = document, [], set()

    def all(self):
        for template, item in self.document["paths"].items():
            for method in METHODS:
                if method in item:
                    self.operation(f"{method.upper()} {template}", item, item[method])
        schemas = set(self.document["components"]["schemas"])
        for name in sorted(schemas - self.used):
            self.faults.append(f"{name}: nothing uses it")
        for name in sorted(schemas & {f"New{name}" for name in schemas}):
            self.faults.append(f"{name}: beside {name[3:]}, for which Go's clients have a constructor of this name")
        return self.faults

    def resolve(self, node):
        while "$ref" in node:
            path = node["$ref"].removeprefix("#/").split("/")
            if path[1] == "schemas":
                self.used.add(path[2])
            node = self.document
            for part in path:
                node = node[part]
        return node

    def operation(self, where, item, operation):
        for word in ("operationId", "summary", "description", "tags"):
            if not operation.get(word):
                self.faults.append(f"{where}: no {word}")
        for parameter in map(self.resolve, item.get("parameters", []) + operation.get("parameters", [])):
            self.schema(f"{where} {parameter['name']}", parameter["schema"], sent=False)
        request = self.resolve(operation.get("requestBody", {})).get("content", {})
        if len(request) > 1:
            self.faults.append(f"{where}: takes {sorted(request)}, and clients are generated for one media type")
        self.content(f"{where} request", request, sent=False)
        good = set()
        for status, answer in operation["responses"].items():
            answer = self.resolve(answer)
            for name, header in answer.get("headers", {}).items():
                self.schema(f"{where} {status} {name}", self.resolve(header)["schema"], sent=True)
            content = answer.get("content", {})
            self.content(f"{where} {status}", content, sent=True)
            if status.startswith("2"):
                for body in content.values():
                    self.listed(f"{where} {status}", body.get("schema", {}))
                good |= {json.dumps(body.get("schema"), sort_keys=True) for body in content.values()} or {"nothing"}
        self.codes(where, item, operation)
        if not good:
            self.faults.append(f"{where}: no 2xx, so that its success is the default answer")
        if len(good) > 1:
            self.faults.append(f"{where}: its success has several shapes: {sorted(good)}")
        if any("Problem" in shape for shape in good):
            self.faults.append(f"{where}: its success is a Problem")

    def codes(self, where, item, operation):
        """Own codes are those of the responses; what follows from session, body, limits and app is not left out."""
        own = operation.get(CODES)
        if own is None:
            self.faults.append(f"{where}: no {CODES}")
            return
        everywhere = self.document["info"][CODES]
        named = {code for codes in own.values() for code in codes}
        for status in sorted(set(own) - set(operation["responses"])):
            self.faults.append(f"{where}: {CODES} of {status}, which is not among the responses")
        for status in sorted(set(operation["responses"]) - set(own) - set(everywhere)):
            if status.startswith(("4", "5")):
                self.faults.append(f"{where}: {status} without {CODES}")
        parameters = {self.resolve(parameter)["name"] for parameter in item.get("parameters", []) + operation.get("parameters", [])}
        due = {"unauthorized", "app_suspended", "rate_limited"} if "security" not in operation else set()
        if "application/json" in self.resolve(operation.get("requestBody", {})).get("content", {}):
            due |= {"malformed_json", "body_too_large", "unsupported_media_type", "invalid_fields", "rate_limited"}
        due |= {"app_unknown"} if "Diary-App" in parameters else set()
        due |= {"idempotency_mismatch", "invalid_fields"} if "Idempotency-Key" in parameters else set()
        due |= {"precondition_failed", "invalid_fields"} if "If-Match" in parameters else set()
        due |= {"not_found"} if "{" in where else set()
        for code in sorted(due - named):
            self.faults.append(f"{where}: does not name {code}")

    def listed(self, where, schema):
        """What has pages has its rows in one array of one name; the feed has what was deleted, and speakers, beside it."""
        properties = self.resolve(schema).get("properties", {})
        others = ("deleted", "speakers")
        arrays = [name for name, inner in properties.items() if self.resolve(inner).get("type") == "array" and name not in others]
        if "has_more" in properties and arrays != ["items"]:
            self.faults.append(f"{where}: a list whose rows are in {arrays}, not in items")

    def content(self, where, content, sent):
        for media, body in content.items():
            if "schema" not in body:
                self.faults.append(f"{where} {media}: no schema")
                continue
            self.schema(f"{where} {media}", body["schema"], sent)
            if not (media.endswith("json") or media.startswith("text/") or media == "application/yaml"):
                if body["schema"] != {"type": "string", "format": "binary"}:
                    self.faults.append(f"{where} {media}: not binary")

    def schema(self, where, schema, sent, name=""):
        """`sent`: by the service. Walked anew for every use, so that what is both asked for and sent is held to both rules."""

        def fault(text):
            self.faults.append(f"{where}: {text}")

        if "$ref" in schema:
            if set(schema) - {"$ref", "description"}:
                fault(f"{sorted(set(schema) - {'$ref'})} beside a $ref")
            return self.schema(schema["$ref"].rsplit("/", 1)[1], self.resolve(schema), sent, name)
        for word in UNIONS:
            if word in schema:
                fault(f"{word}: one object, and the service says which members belong together")
        kinds = schema.get("type")
        kind = kinds if isinstance(kinds, str) else next(iter(kinds or []), None)
        if isinstance(kinds, list) and (len(kinds) != 2 or kinds[1] != "null"):
            fault(f"type {kinds} is a union")
        if kind == "null" or kind not in SCALARS | {"object", "array"}:
            fault(f"type {kinds}")
        if kind == "object" and kinds != kind:
            fault("a nullable object: leave the member out instead")
        if sent:
            for word in LIMITS:
                if word in schema:
                    fault(f"{word} in an answer, which a later version could not change")
            if schema.get("additionalProperties") is False:
                fault("a closed answer")
        if "format" in schema and "pattern" in schema:
            fault("both format and pattern")
        if kind == "integer" and schema.get("format") not in (("int64",) if WIDE.search(name) and name != "limit" else ("int32", "int64")):
            fault(f"integer of format {schema.get('format')}")
        if kind == "number" and schema.get("format") != "double":
            fault("number without format: double")
        if GROWING in schema:
            values = schema[GROWING]
            if kind != "string" or not values or len(set(values)) != len(values) or not all(isinstance(value, str) for value in values):
                fault(f"{GROWING} is a list of different strings")
            if not sent:
                fault(f"{GROWING} in a request")
        for missing in sorted(set(schema.get("required", [])) - set(schema.get("properties", {}))):
            fault(f"{missing} is required and not described")
        for member, inner in schema.get("properties", {}).items():
            self.schema(f"{where}.{member}", inner, sent, member)
        if kind == "array":
            self.schema(f"{where}[]", schema["items"], sent)
        if isinstance(schema.get("additionalProperties"), dict):
            self.schema(f"{where}{{}}", schema["additionalProperties"], sent)


def test_every_code_of_the_catalogue_is_named_with_one_status_and_by_an_operation():
    statuses = {}
    document = CONTRACT.document
    for lists in [document["info"][CODES], *(operation[CODES] for *_, operation in CONTRACT.operations), {"405": ["method_not_allowed"]}]:
        for status, codes in lists.items():
            assert codes and len(set(codes)) == len(codes), codes
            for code in codes:
                statuses.setdefault(code, set()).add(status)

    assert set(statuses) == set(document["components"]["schemas"]["ErrorCode"][GROWING])
    assert {code: found for code, found in statuses.items() if len(found) > 1} == {}


def test_events_are_filtered_by_every_kind_that_there_is():
    parameters = {parameter.get("name"): parameter for parameter in CONTRACT.document["paths"]["/v1/me/events"]["get"]["parameters"]}
    assert parameters["kind"]["schema"]["enum"] == CONTRACT.document["components"]["schemas"]["EventKind"][GROWING]


def test_every_shape_is_one_that_generators_take_and_that_may_grow():
    assert Shapes(CONTRACT.document).all() == []


ENTRY = ("components", "schemas", "Entry", "properties")
LIST = ("paths", "/v1/entries", "get")
EVENTS = ("components", "schemas", "EventList", "properties")
PLACES = ("/v1/entries", "/v1/entries/{id}", "/v1/me", "/v1/me/events")
SOME = {**CONTRACT.document, "paths": {path: CONTRACT.document["paths"][path] for path in PLACES}}
"""The contract with the operations that the examples of faults are about: each is read whole."""


@pytest.mark.parametrize(
    ("place", "value", "fault"),
    [
        ((*ENTRY, "title"), {"type": "null"}, "type null"),
        ((*ENTRY, "title"), {"type": ["string", "integer"]}, "is a union"),
        ((*ENTRY, "title"), {"oneOf": [{"type": "string"}, {"type": "null"}]}, "oneOf"),
        ((*ENTRY, "title"), {"type": "string", "maxLength": 200}, "maxLength in an answer"),
        ((*ENTRY, "status"), {"type": "string", "enum": ["failed"]}, "enum in an answer"),
        ((*ENTRY, "status"), {"type": "string", "x-extensible-enum": []}, "a list of different strings"),
        ((*ENTRY, "size_bytes"), {"type": "integer", "format": "int32"}, "integer of format int32"),
        ((*ENTRY, "duration_s"), {"type": "number"}, "without format: double"),
        ((*ENTRY, "id"), {"type": "string", "format": "uuid", "pattern": "^[0-9a-f-]{36}$"}, "both format and pattern"),
        ((*ENTRY, "processing"), {"type": ["object", "null"]}, "a nullable object"),
        ((*ENTRY[:-1], "additionalProperties"), False, "a closed answer"),
        ((*ENTRY[:-1], "required"), ["id", "colour"], "colour is required and not described"),
        ((*LIST, "description"), "", "no description"),
        ((*LIST, CODES), {"401": ["unauthorized"]}, "403 without x-error-codes"),
        ((*LIST, CODES, "409"), ["concurrent_change"], "409, which is not among the responses"),
        ((*LIST, CODES, "403"), ["link_refused"], "does not name app_suspended"),
        ((*LIST, "responses", "200", "content", "application/json"), {}, "no schema"),
        ((*LIST, "responses", "200", "content", "application/zip"), {"schema": {"type": "object"}}, "not binary"),
        ((*LIST, "responses", "200", "content", "text/plain"), {"schema": {"type": "string"}}, "several shapes"),
        ((*LIST, "responses"), {"302": {"description": "x"}}, "no 2xx"),
        ((*LIST, "responses", "200"), {"$ref": "#/components/responses/Problem"}, "is a Problem"),
        (("paths", "/v1/me", "patch", "requestBody", "content", "text/json"), {"schema": {"type": "string"}}, "one media type"),
        (("components", "schemas", "EntryPatch", "properties", "mood"), {"type": "string", "x-extensible-enum": ["calm"]}, "in a request"),
        (("components", "schemas", "Unused"), {"type": "string"}, "Unused: nothing uses it"),
        (("components", "schemas", "NewProfile"), {"type": "string"}, "beside Profile"),
        ((*EVENTS, "rows"), {"type": "array", "items": {"type": "string"}}, "not in items"),
    ],
)
def test_a_shape_that_breaks_a_rule_is_found(place, value, fault):
    assert any(fault in line for line in Shapes(altered(SOME, place, value)).all()), fault


def examples():
    """(where, example, schema, sent) of every body and component that has one."""
    for method, template, _, operation in CONTRACT.operations:
        request = CONTRACT.resolve(operation.get("requestBody", {})).get("content", {})
        bodies = [("request", request, False)]
        bodies += [(status, CONTRACT.resolve(answer).get("content", {}), True) for status, answer in operation["responses"].items()]
        for part, content, sent in bodies:
            for media, body in content.items():
                if media.endswith("json"):
                    found = [body["example"]] if "example" in body else []
                    found += [CONTRACT.resolve(example)["value"] for example in body.get("examples", {}).values()]
                    for example in found:
                        yield f"{method} {template} {part}", example, body["schema"], sent
    for name, schema in CONTRACT.document["components"]["schemas"].items():
        for example in schema.get("examples", []):
            yield name, example, schema, schema.get("type") == "object"


def test_every_example_has_the_shape_that_it_shows():
    faults = []
    for where, example, schema, sent in examples():
        if sent:
            validator = CONTRACT.validator(schema)
        else:
            whole = {**schema, "components": CONTRACT.document["components"]}
            validator = jsonschema_rs.Draft202012Validator(whole, validate_formats=True)
        faults += [f"{where}: {error.message}" for error in validator.iter_errors(example)]
    assert faults == []


def answered(body, method="GET", path="/v1/entries", status=200, media="application/json", sent=None, **headers):
    content = json.dumps(body).encode()
    return types.SimpleNamespace(
        request=types.SimpleNamespace(method=method, url="http://127.0.0.1:1" + path, headers=sent or {}),
        status_code=status,
        content=content,
        text=content.decode(),
        headers=requests.structures.CaseInsensitiveDict({"content-type": media, "cache-control": "no-store", **headers}),
    )


def fresh():
    """The contract, with a count of its own: these are no answers of the service."""
    made = copy.copy(CONTRACT)
    made.checked = {}
    return made


def entry(**more):
    example = CONTRACT.document["components"]["schemas"]["Entry"]["examples"][0]
    return {**example, **more}


def listed(*entries, **more):
    return {"items": list(entries), "deleted": [], "speakers": [], "next_since": None, "next_cursor": None, "has_more": False, **more}


def problem(code="app_unknown", **more):
    example = CONTRACT.document["components"]["responses"]["BadRequest"]["content"]["application/problem+json"]["example"]
    return example | {"code": code, "type": f"https://diary.example/problems/{code}"} | more


def refused(path, status, code, method="GET", **more):
    return answered(problem(code), method, path, status, "application/problem+json", **more)


def test_an_answer_as_described_passes():
    fresh().check(answered(listed(entry(), entry(content_type=None, size_bytes=None))))
    fresh().check(answered(problem(), status=400, path="/v1/config", media="application/problem+json"))


@pytest.mark.parametrize(
    "body",
    [
        listed(colour="blue"),
        listed(entry(colour="blue")),
        listed(entry(status="archived")),
        listed(entry(kind="photo")),
        listed(entry(content_type="audio/midi")),
        listed(entry(processing=None)),
        listed(entry(processing={"stage": "verify", "attempt": 1, "next_attempt_at": None, "code": None, "action": "wait", "eta": 3})),
        listed(entry(processing={"stage": "summarize", "attempt": 1, "next_attempt_at": None, "code": None, "action": "wait"})),
        listed(entry(processing={"stage": "verify", "attempt": 1, "next_attempt_at": None, "code": "tired", "action": "wait"})),
        listed(entry(created_at="2026-07-04T07:31:12.402118Z")),
        listed(entry(created_at="2026-07-04T09:31:12.402+02:00")),
        listed(entry(id="019A2B6E-5C10-7D21-9A3E-0F5F6C1D2E3F")),
    ],
)
def test_a_member_or_value_that_the_contract_does_not_name_fails_the_tests_and_not_a_client(body):
    schema = CONTRACT.document["components"]["schemas"]["EntryList"]
    with pytest.raises(jsonschema_rs.ValidationError):
        fresh().check(answered(body))
    if body["items"] and "processing" in body["items"][0] and body["items"][0]["processing"] is None:
        return  # The type of a member is promised.
    open_schema = {**schema, "components": CONTRACT.document["components"]}
    jsonschema_rs.Draft202012Validator(open_schema, validate_formats=True).validate(body)


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/v1/me", 404, "not_found"),
        ("GET", "/v1/me", 401, "token_refused"),
        ("GET", "/v1/me", 409, "concurrent_change"),
        ("GET", "/v1/nowhere", 404, "link_refused"),
    ],
)
def test_an_error_code_that_the_contract_does_not_name_for_the_operation_fails_the_tests(method, path, status, code):
    with pytest.raises(AssertionError):
        fresh().check(refused(path, status, code, method, **{"WWW-Authenticate": "Bearer"}))


@pytest.mark.parametrize(
    ("path", "status", "code"), [("/v1/me", 401, "unauthorized"), ("/v1/me", 503, "overloaded"), ("/v1/x", 404, "not_found")]
)
def test_an_error_code_of_the_operation_and_one_of_every_operation_passes(path, status, code):
    fresh().check(refused(path, status, code, **{"WWW-Authenticate": "Bearer"}))


TOKEN = {"Authorization": "Bearer x"}
INVALID = {"WWW-Authenticate": 'Bearer error="invalid_token"'}


def test_401_says_whether_a_token_was_sent():
    fresh().check(refused("/v1/me", 401, "unauthorized", sent=TOKEN, **INVALID))
    for wrong in ({"sent": TOKEN, "WWW-Authenticate": "Bearer"}, INVALID, {}):
        with pytest.raises(AssertionError):
            fresh().check(refused("/v1/me", 401, "unauthorized", **wrong))


@pytest.mark.parametrize(
    "more",
    [
        {"type": "/problems/app_unknown"},
        {"type": "https://diary.example/problems/unauthorized"},
        {"errors": [{"pointer": "header/Diary-App", "detail": "x"}]},
        {"errors": [{"pointer": "text", "detail": "x"}]},
        {"errors": [{"pointer": "/a~2", "detail": "x"}]},
    ],
)
def test_a_type_or_a_pointer_of_another_form_fails_the_tests(more):
    with pytest.raises(AssertionError):
        fresh().check(answered(problem(**more), "GET", "/v1/config", 400, "application/problem+json"))


def test_only_an_answer_that_the_contract_lets_be_kept_is_without_no_store():
    kept = {"Cache-Control": "public, max-age=60"}
    config = CONTRACT.document["components"]["examples"]["config"]["value"]
    fresh().check(answered(config, path="/v1/config", **kept, Vary="Diary-App, Origin"))
    for wrong in (answered(listed(), **kept, Vary="Origin"), answered(config, path="/v1/config", **kept)):
        with pytest.raises(AssertionError, match="Cache-Control"):
            fresh().check(wrong)


def test_412_carries_the_entry_and_its_version():
    current = entry()
    body, path = problem("precondition_failed", current=current), f"/v1/entries/{current['id']}"
    fresh().check(answered(body, "PATCH", path, 412, "application/problem+json", ETag=f'"{current["version"]}"'))
    with pytest.raises(AssertionError):
        fresh().check(answered(body, "PATCH", path, 412, "application/problem+json", ETag='"0"'))


def test_an_error_code_that_the_contract_does_not_name_fails_the_tests():
    with pytest.raises(AssertionError):
        fresh().check(answered(problem(code="moon_phase"), status=400, path="/v1/config", media="application/problem+json"))
