"""What a later contract breaks for clients of an earlier one.

A schema is compared by its direction. What clients send may be asked for less strictly later; what they get may say more. Examples,
descriptions and the order of members do not count."""

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
GROWING = "x-extensible-enum"
CODES = "x-error-codes"
UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")


def breaks(released, present):
    """Lines that say what no longer holds; none when the major version says so."""
    before, now = version(released), version(present)
    if now < before:
        return [f"info.version: {text(now)} is older than the released {text(before)}"]
    return [] if now[0] > before[0] else Comparison(released, present).all()


def version(document):
    return tuple(int(part) for part in document["info"]["version"].split("."))


def text(numbers):
    return ".".join(map(str, numbers))


class Comparison:
    def __init__(self, released, present):
        self.released, self.present = released, present
        self.found, self.seen = [], set()

    def all(self):
        for name in self.released.get("components", {}).get("schemas", {}):
            if name not in self.present.get("components", {}).get("schemas", {}):
                self.add(f"schema {name}", "is gone; generated types have its name")
        self.codes("every operation", self.released["info"], self.present["info"])
        present = dict(operations(self.present))
        for (method, path), before in operations(self.released):
            where = f"{method.upper()} {path}"
            if (method, path) in present:
                self.operation(where, before, present[method, path])
            else:
                self.add(where, "is gone")
        return self.found

    def add(self, where, what):
        self.found.append(f"{where}: {what}")

    def gone(self, where, kind, before, now):
        for name in before:
            if name not in now:
                self.add(where, f"{kind} {name} is gone")

    def operation(self, where, before, now):
        if before.get("operationId") != now.get("operationId"):
            self.add(where, f"operationId {before.get('operationId')} became {now.get('operationId')}")
        self.security(where, before, now)
        self.codes(where, before, now)
        self.parameters(where, before, now)
        self.request(where, before, now)
        self.responses(where, before, now)

    def security(self, where, before, now):
        """Each security requirement that a client may have chosen; none at all is `{}`."""
        before = before.get("security", self.released.get("security", [])) or [{}]
        now = now.get("security", self.present.get("security", [])) or [{}]
        for requirement in before:
            if requirement not in now and {} not in now:
                self.add(where, f"security {' and '.join(requirement) or 'without any'} is gone")

    def codes(self, where, before, now):
        now = now.get(CODES, {})
        for status, codes in before.get(CODES, {}).items():
            self.gone(f"{where} {status}", "error code", codes, now.get(status, []))

    def parameters(self, where, before, now):
        before = {(p["in"], p["name"]): p for p in (follow(self.released, p) for p in before["parameters"])}
        now = {(p["in"], p["name"]): p for p in (follow(self.present, p) for p in now["parameters"])}
        for key, parameter in before.items():
            named = f"{where} {' '.join(key)}"
            if key not in now:
                self.add(named, "is gone")
                continue
            if now[key].get("required") and not parameter.get("required"):
                self.add(named, "became required")
            for word in ("style", "explode"):
                if parameter.get(word) != now[key].get(word):
                    self.add(named, f"another {word}")
            self.schema(named, parameter.get("schema", {}), now[key].get("schema", {}), sent=False)
        for key, parameter in now.items():
            if key not in before and parameter.get("required"):
                self.add(f"{where} {' '.join(key)}", "is new and required")

    def request(self, where, before, now):
        where += " request"
        before, now = follow(self.released, before.get("requestBody", {})), follow(self.present, now.get("requestBody", {}))
        if now.get("required") and not before.get("required"):
            self.add(where, "a body became required")
        self.content(where, before, now, sent=False)

    def responses(self, where, before, now):
        before, now = before.get("responses", {}), now.get("responses", {})
        self.gone(where, "status", before, now)
        for status in now:
            if status not in before and status[0] in "23":
                self.add(where, f"status {status} is new, and clients take another for success")
        for status in before:
            if status in now:
                self.response(f"{where} {status}", follow(self.released, before[status]), follow(self.present, now[status]))

    def response(self, where, before, now):
        headers = {name.lower(): header for name, header in now.get("headers", {}).items()}
        for name, header in before.get("headers", {}).items():
            if name.lower() not in headers:
                self.add(where, f"header {name} is gone")
                continue
            header, later = follow(self.released, header), follow(self.present, headers[name.lower()])
            if header.get("required") and not later.get("required"):
                self.add(where, f"header {name} may be absent")
            self.schema(f"{where} header {name}", header.get("schema", {}), later.get("schema", {}), sent=True)
        self.content(where, before, now, sent=True)

    def content(self, where, before, now, sent):
        before, now = before.get("content", {}), now.get("content", {})
        self.gone(where, "media type", before, now)
        for media in before:
            if media in now:
                self.schema(f"{where} {media}", before[media].get("schema", {}), now[media].get("schema", {}), sent)

    def schema(self, where, before, now, sent):
        """`sent`: by the service. A pair of named schemas is compared once, where it is met first."""
        pair = (before.get("$ref"), now.get("$ref"), sent)
        if all(pair[:2]):
            if pair in self.seen:
                return
            self.seen.add(pair)
            where = f"{where} {before['$ref'].rsplit('/', 1)[1]}"
        before, now = follow(self.released, before), follow(self.present, now)
        self.types(where, before, now, sent)
        self.values(where, before, now, sent)
        if not sent:
            self.limits(where, before, now)
        self.members(where, before, now, sent)
        for inner, name in (("items", "[]"), ("additionalProperties", "{}")):
            if isinstance(before.get(inner), dict) and isinstance(now.get(inner, {}), dict):
                self.schema(where + name, before[inner], now.get(inner, {}), sent)

    def types(self, where, before, now, sent):
        old, new = kinds(before), kinds(now)
        wider, narrower = (old, new) if sent else (new, old)
        if wider and not (narrower and narrower <= wider):
            if sent and new - old == {"null"}:
                self.add(where, "may be null")
            else:
                self.add(where, f"type {'|'.join(sorted(old)) or 'any'} became {'|'.join(sorted(new)) or 'any'}")
        if before.get("format") != now.get("format"):
            self.add(where, f"format {before.get('format')} became {now.get('format')}")

    def values(self, where, before, now, sent):
        for word in ("enum", GROWING):
            if word in before and not (not sent and word not in now):
                self.gone(where, "value", before[word], now.get(word, []))
        if "enum" in now and "enum" not in before and not sent:
            self.add(where, "takes only some values")
        if "enum" in before and sent:
            for value in now.get("enum", []):
                if value not in before["enum"]:
                    self.add(where, f"value {value} is new in a closed list")
        for word in ("const", "default"):
            if before.get(word) != now.get(word) and (word in before or (word == "const" and not sent)):
                self.add(where, f"{word} {before.get(word)} became {now.get(word)}")

    def limits(self, where, before, now):
        for words, tighter in ((UPPER, lambda new, old: new < old), (LOWER, lambda new, old: new > old)):
            for word in words:
                if word in now and (word not in before or tighter(now[word], before[word])):
                    self.add(where, f"{word} {before.get(word)} became {now[word]}")
        for word in ("pattern", "uniqueItems", "multipleOf"):
            if word in now and now[word] != before.get(word) and not takes_nothing_too(before.get(word), now[word]):
                self.add(where, f"{word} {before.get(word)} became {now[word]}")
        if now.get("additionalProperties") is False and before.get("additionalProperties") is not False:
            self.add(where, "members that are not described are refused")

    def members(self, where, before, now, sent):
        old, new = before.get("properties", {}), now.get("properties", {})
        self.gone(where, "member", old, new)
        given, asked = set(before.get("required", [])), set(now.get("required", []))
        if sent:
            for name in sorted((given - asked) & new.keys()):
                self.add(f"{where}.{name}", "may be absent")
        else:
            for name in sorted(asked - given):
                self.add(f"{where}.{name}", "became required" if name in old else "is new and required")
        for name in old:
            if name in new:
                self.schema(f"{where}.{name}", old[name], new[name], sent)


def takes_nothing_too(before, now):
    """Whether a pattern takes the empty text and otherwise the same texts as before."""
    return isinstance(before, str) and before.startswith("^") and before.endswith("$") and now == f"^({before[1:-1]})?$"


def operations(document):
    """((method, path), operation with the parameters of its path)."""
    for path, item in document.get("paths", {}).items():
        for method in METHODS:
            if method in item:
                operation = item[method]
                yield (method, path), {**operation, "parameters": [*item.get("parameters", []), *operation.get("parameters", [])]}


def follow(document, item):
    while "$ref" in item:
        node = document
        for part in item["$ref"].removeprefix("#/").split("/"):
            node = node[part]
        item = node
    return item


def kinds(schema):
    """The types of a schema; none given is any."""
    given = schema.get("type", [])
    return {given} if isinstance(given, str) else set(given)
