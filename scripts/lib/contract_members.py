"""Types of the contract as HTML, and lists of members."""

from contract_words import blocks, escaped

GROWING = "x-extensible-enum"


class Members:
    def __init__(self, document):
        self.document = document

    def resolve(self, node):
        """The node that a chain of references ends at; a description beside a reference is kept."""
        own = node.get("description")
        while "$ref" in node:
            found = self.document
            for part in node["$ref"].removeprefix("#/").split("/"):
                found = found[part]
            node = found
        return {**node, "description": own} if own else node

    def name(self, schema):
        """Of the schema that a reference, or a list of it, points at; else None."""
        if schema.get("type") == "array":
            return self.name(schema["items"])
        return schema["$ref"].rsplit("/", 1)[1] if "$ref" in schema else None

    def kind(self, schema):
        """A type in words, with a link where it has a name."""
        if "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[1]
            link = f'<a href="#schema-{escaped(name)}">{escaped(name)}</a>'
            kind = self.resolve(schema)
            return link if self.plain(kind) == "object" else f"{self.kind(kind)}, {link}"
        kinds = schema.get("type", "any")
        nullable = isinstance(kinds, list)
        kind = self.plain(schema)
        if kind == "array":
            text = f"list of {self.kind(schema['items'])}"
        elif kind == "object" and isinstance(schema.get("additionalProperties"), dict):
            text = f"object with values of {self.kind(schema['additionalProperties'])}"
        else:
            shape = schema.get("format")
            text = escaped(f"{kind} ({shape})" if shape in ("date", "date-time", "uuid", "email", "uri", "binary") else kind)
        return text + (" or null" if nullable else "")

    @staticmethod
    def plain(schema):
        kinds = schema.get("type", "any")
        return kinds[0] if isinstance(kinds, list) else kinds

    def limits(self, schema):
        """What values are accepted or sent, as short HTML phrases."""
        schema = self.resolve(schema)
        out = []
        for low, high, unit in (("minLength", "maxLength", "characters"), ("minItems", "maxItems", "items"), ("minimum", "maximum", "")):
            least, most = schema.get(low), schema.get(high)
            words = f" {unit}" if unit else ""
            if least is not None and most is not None:
                out.append(f"{least:,} to {most:,}{words}")
            elif most is not None:
                out.append(f"at most {most:,}{words}")
            elif least is not None:
                out.append(f"at least {least:,}{words}")
        for word, title in (("enum", "One of"), (GROWING, "Values, to which others may be added:")):
            if word in schema:
                out.append(f"{title} " + ", ".join(f"<code>{escaped(value)}</code>" for value in schema[word]))
        if "pattern" in schema and schema["pattern"] != "^[^\\u0000]*$":
            out.append(f"pattern <code>{escaped(schema['pattern'])}</code>")
        if "default" in schema:
            value = schema["default"]
            out.append(f"default <code>{escaped(str(value).lower() if isinstance(value, bool) else value)}</code>")
        return out

    def rows(self, schema, prefix=""):
        """(name, schema, required) of every member; members of objects without a name of their own follow with a dotted name."""
        schema = self.resolve(schema)
        for name, member in schema.get("properties", {}).items():
            yield prefix + name, member, name in schema.get("required", [])
            inner, mark = member, ""
            while "$ref" not in inner and self.plain(inner) == "array":
                inner, mark = inner["items"], mark + "[]"
            if "$ref" not in inner and "properties" in inner:
                yield from self.rows(inner, f"{prefix}{name}{mark}.")

    def table(self, schema):
        rows = [self.row(name, member, required) for name, member, required in self.rows(schema)]
        return '<dl class="members">\n' + "\n".join(rows) + "\n</dl>" if rows else ""

    def row(self, name, schema, required, place=""):
        """One member or parameter. `schema` may have a description that goes before that of what it refers to."""
        facts = [self.kind(schema)] + ([place] if place else []) + (["required"] if required else [])
        resolved = self.resolve(schema)
        words = resolved.get("description", "")
        limits = "; ".join(self.limits(schema) + self.example(schema, resolved))
        shown = (blocks(words) if words else "") + (f'<p class="limits">{limits[0].upper() + limits[1:]}.</p>' if limits else "")
        return f'<div><dt><code>{escaped(name)}</code> <span class="kind">{", ".join(facts)}</span></dt><dd>{shown}</dd></div>'

    def example(self, schema, resolved):
        """That of a member or parameter, unless it is plain to see from the format."""
        values = [schema["example"]] if "example" in schema else resolved.get("examples", [])
        if not values or self.plain(resolved) in ("object", "array") or resolved.get("format") in ("uuid", "date-time"):
            return []
        return [f"for example <code>{escaped(values[0])}</code>"]

    def facts(self, schema):
        """A schema that is no object, in one paragraph."""
        limits = "; ".join(self.limits(schema))
        return f'<p class="kind">{self.kind(schema)}</p>' + (f'<p class="limits">{limits[0].upper() + limits[1:]}.</p>' if limits else "")
