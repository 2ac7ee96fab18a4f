"""The contract as one page of HTML, without scripts and without anything from elsewhere."""

import pathlib

from contract_members import Members
from contract_words import blocks, escaped, example, inline

EVERYWHERE = {"X-Request-Id", "RateLimit", "RateLimit-Policy"}
"""Headers of nearly every answer, which the introduction describes."""
METHODS = ("get", "post", "put", "patch", "delete")
STYLE = pathlib.Path(__file__).with_name("contract_page.css")
ICON = (
    "data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E"
    "%3Crect width=%2216%22 height=%2216%22 rx=%224%22 fill=%22%232f5d50%22/%3E%3C/svg%3E"
)


class Page:
    def __init__(self, document):
        self.document = document
        self.members = Members(document)
        self.groups = {tag["name"]: (tag, []) for tag in document["tags"]}
        for path, item in document["paths"].items():
            for method in METHODS:
                if method in item:
                    operation = item[method]
                    self.groups[operation["tags"][0]][1].append((method, path, item, operation))

    def html(self):
        info = self.document["info"]
        sections = [self.introduction(), self.security()]
        sections += [self.group(tag, operations) for tag, operations in self.groups.values()]
        sections += [self.headers(), self.schemas()]
        return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="{ICON}">
<title>{escaped(info["title"])} {escaped(info["version"])}</title>
<style>{STYLE.read_text()}</style>
</head>
<body>
<a class="skip" href="#introduction">Skip the contents</a>
<nav aria-label="Contents">
{self.contents()}
</nav>
<main>
{chr(10).join(sections)}
</main>
</body>
</html>
"""

    def contents(self):
        out = ['<ul><li><a href="#introduction">Introduction</a></li>', '<li><a href="#authentication">Authentication</a></li>']
        for tag, operations in self.groups.values():
            items = "".join(f'<li><a href="#{o["operationId"]}">{escaped(o["summary"])}</a></li>' for _, _, _, o in operations)
            out.append(f'<li><a href="#tag-{escaped(tag["name"])}">{escaped(title(tag["name"]))}</a><ul>{items}</ul></li>')
        names = "".join(f'<li><a href="#schema-{escaped(name)}">{escaped(name)}</a></li>' for name in self.schema_names())
        out.append('<li><a href="#headers">Headers of answers</a></li>')
        out.append(f'<li><a href="#schemas">Schemas</a><ul>{names}</ul></li></ul>')
        return "\n".join(out)

    def introduction(self):
        info = self.document["info"]
        facts = [("Version", escaped(info["version"]))]
        facts += [
            ("Server", f"<code>{escaped(s['url'])}</code> {inline(s.get('description', ''))}") for s in self.document.get("servers", [])
        ]
        if "license" in info:
            facts.append(("License", self.named(info["license"])))
        if "contact" in info:
            facts.append(("Contact", self.named(info["contact"])))
        facts.append(("As a file", '<a href="openapi.yaml">YAML</a>, <a href="openapi.json">JSON</a> (OpenAPI 3.1)'))
        rows = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts)
        return f"""<section id="introduction">
<h1>{escaped(info["title"])}</h1>
<p class="lead">{inline(info.get("summary", ""))}</p>
<dl class="facts">{rows}</dl>
{blocks(info["description"])}
{self.codes(info["x-error-codes"], "h3", "Errors of every operation") if "x-error-codes" in info else ""}
</section>"""

    @staticmethod
    def named(thing):
        """A license or a contact."""
        name = thing.get("name") or thing.get("email") or thing.get("url")
        return f'<a href="{escaped(thing["url"])}">{escaped(name)}</a>' if thing.get("url", "").startswith("https://") else escaped(name)

    def security(self):
        rows = []
        for name, scheme in self.document["components"].get("securitySchemes", {}).items():
            kind = escaped(", ".join(scheme[word] for word in ("type", "scheme") if word in scheme))
            if "in" in scheme:
                kind += f", <code>{escaped(scheme['name'])}</code> in {escaped(scheme['in'])}"
            rows.append(self.term(f"security-{name}", name, kind, scheme.get("description", "")))
        return f'<section id="authentication">\n<h2>Authentication</h2>\n<dl class="members">{"".join(rows)}</dl>\n</section>'

    def group(self, tag, operations):
        rows = [
            f'<li><a href="#{o["operationId"]}">{self.verb(method)} <code>{self.path(path)}</code></a> <span>{escaped(o["summary"])}</span></li>'
            for method, path, _, o in operations
        ]
        shown = "\n".join(self.operation(*operation) for operation in operations)
        return f"""<section id="tag-{escaped(tag["name"])}">
<h2>{escaped(title(tag["name"]))}</h2>
{blocks(tag["description"])}
<ul class="index">
{chr(10).join(rows)}
</ul>
{shown}
</section>"""

    @staticmethod
    def verb(method):
        return f'<b class="verb {method}">{method.upper()}</b>'

    @staticmethod
    def path(path):
        """May be broken after a slash."""
        return escaped(path).replace("/", "/<wbr>")

    def operation(self, method, path, item, operation):
        parts = [
            f'<article id="{operation["operationId"]}">',
            f'<h3><a href="#{operation["operationId"]}">{escaped(operation["summary"])}</a></h3>',
            f'<p class="call">{self.verb(method)} <code>{self.path(path)}</code></p>',
            f'<p class="kind">Operation <code>{operation["operationId"]}</code>; {self.needs(operation)}</p>',
            '<p class="warning">Deprecated.</p>' if operation.get("deprecated") else "",
            blocks(operation["description"]),
            self.parameters(item.get("parameters", []) + operation.get("parameters", [])),
            self.request(operation.get("requestBody")),
            self.answers(operation),
            self.errors(operation),
            "</article>",
        ]
        return "\n".join(part for part in parts if part)

    def needs(self, operation):
        ways = operation.get("security", self.document.get("security", []))
        names = [
            " and ".join(f'<a href="#security-{escaped(name)}">{escaped(name)}</a>' for name in way) if way else "nothing" for way in ways
        ]
        return "needs " + " or ".join(names) if names and names != ["nothing"] else "needs no authentication"

    def parameters(self, parameters):
        rows = []
        for parameter in map(self.members.resolve, parameters):
            words = parameter.get("description")
            own = {"description": words, "example": parameter.get("example")}
            schema = {**parameter["schema"], **{name: value for name, value in own.items() if value is not None}}
            rows.append(self.members.row(parameter["name"], schema, parameter.get("required", False), parameter["in"]))
        return f'<h4>Parameters</h4>\n<dl class="members">\n{chr(10).join(rows)}\n</dl>' if rows else ""

    def request(self, body):
        if not body:
            return ""
        body = self.members.resolve(body)
        out = [f"<h4>Request{'' if body.get('required') else ' (may be left out)'}</h4>"]
        for media, content in body["content"].items():
            out += [
                self.media(media, content),
                self.about(content["schema"]),
                self.members.table(content["schema"]),
                self.examples(content),
            ]
        return "\n".join(part for part in out if part)

    def about(self, schema):
        words = self.members.resolve(schema).get("description", "")
        return blocks(words) if words else ""

    def media(self, media, content):
        return f'<p class="kind"><code>{escaped(media)}</code>: {self.members.kind(content["schema"])}</p>'

    def examples(self, content):
        if "example" in content:
            return f'<p class="kind">Example</p>\n{example(content["example"])}'
        given = {name: self.members.resolve(shown) for name, shown in content.get("examples", {}).items()}
        titles = {name: f"Example: {name.replace('_', ' ')}" if len(given) > 1 else "Example" for name in given}
        return "\n".join(f'<p class="kind">{escaped(titles[name])}</p>\n{example(shown["value"])}' for name, shown in given.items())

    def answers(self, operation):
        good = []
        for status, answer in operation["responses"].items():
            if not status.startswith(("2", "3")):
                continue
            answer = self.members.resolve(answer)
            content = answer.get("content", {})
            kinds = {self.members.kind(body["schema"]): [] for body in content.values()}
            for media, body in content.items():
                kinds[self.members.kind(body["schema"])].append(f"<code>{escaped(media)}</code>")
            told = "; ".join(f"{', '.join(media)}: {kind}" for kind, media in kinds.items()) or "no body"
            headers = ", ".join(
                f'<a href="#header-{escaped(name)}">{escaped(name)}</a>' for name in answer.get("headers", {}) if name not in EVERYWHERE
            )
            words = blocks(answer["description"]) + (f'<p class="limits">Headers: {headers}.</p>' if headers else "")
            good.append(
                f'<dl class="members"><div><dt><code>{escaped(status)}</code> <span class="kind">{told}</span></dt><dd>{words}</dd></div></dl>'
            )
            good += [self.body(media, body) for media, body in content.items() if media.endswith("json")]
        return "<h4>Answers</h4>\n" + "\n".join(good)

    def errors(self, operation):
        """The codes by status, or what the answers say."""
        codes = operation.get("x-error-codes")
        if codes is None:
            codes = {s: self.members.resolve(a)["description"] for s, a in operation["responses"].items() if s[0] in "45"}
        return self.codes(codes, "h4", "Errors") if codes else ""

    @staticmethod
    def codes(codes, heading, name):
        rows = []
        for status, named in codes.items():
            words = (
                inline(named)
                if isinstance(named, str)
                else ", ".join(f'<a href="problems/{escaped(code)}"><code>{escaped(code)}</code></a>' for code in named)
            )
            rows.append(f"<dt>{escaped(status)}</dt><dd>{words}</dd>")
        return f'<{heading}>{name}</{heading}>\n<dl class="facts">{"".join(rows)}</dl>'

    def body(self, media, content):
        """Members and example of a good answer."""
        table = self.members.table(content["schema"])
        name = self.members.name(content["schema"])
        table = f"<details><summary>Members{f' of {escaped(name)}' if name else ''}</summary>\n{table}\n</details>" if table else ""
        return f"{table}\n{self.examples(content)}"

    @staticmethod
    def term(anchor, name, kind, words):
        shown = f' <span class="kind">{kind}</span>' if kind else ""
        return f'<div id="{escaped(anchor)}"><dt><code>{escaped(name)}</code>{shown}</dt><dd>{blocks(words)}</dd></div>'

    def headers(self):
        used = dict(self.document["components"].get("headers", {}))
        for answer in self.all_answers():
            for name, header in answer.get("headers", {}).items():
                used.setdefault(name, header)
        rows = [self.term(f"header-{name}", name, "", self.members.resolve(header).get("description", "")) for name, header in used.items()]
        return f'<section id="headers">\n<h2>Headers of answers</h2>\n<dl class="members">\n{chr(10).join(rows)}\n</dl>\n</section>'

    def all_answers(self):
        for _, operations in self.groups.values():
            for _, _, _, operation in operations:
                yield from map(self.members.resolve, operation["responses"].values())

    def schema_names(self):
        return sorted(self.document["components"]["schemas"], key=str.lower)

    def schemas(self):
        out = ['<section id="schemas">', "<h2>Schemas</h2>"]
        for name in self.schema_names():
            schema = self.document["components"]["schemas"][name]
            shown = self.members.table(schema) or self.members.facts(schema)
            out.append(f'<article id="schema-{escaped(name)}">\n<h3><a href="#schema-{escaped(name)}">{escaped(name)}</a></h3>')
            out += [self.about(schema), shown]
            for value in schema.get("examples", []) if schema.get("type") == "object" else []:
                out += ['<p class="kind">Example</p>', example(value)]
            out.append("</article>")
        return "\n".join(part for part in [*out, "</section>"] if part)


def title(tag):
    return tag[0].upper() + tag[1:]
