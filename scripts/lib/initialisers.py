"""Writes the memberwise initialisers that targets need of each other's values. The options are those of scripts/initialisers."""

import difflib
import pathlib
import re
import sys
from dataclasses import dataclass, field, replace

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUTPUT = "Initialisers.swift"
WIDTH = 140
HEAD = """\
// The memberwise initialisers of this target's package structs that have none of their own. `scripts/initialisers` writes this file.
//
// The last parameter, which is never given, tells each from the one that the compiler writes for the target alone.
"""
OTHERS = {
    "FoundationEssentials": {"Data", "Date", "UUID"},
    "HTTPTypes": {"HTTPField", "HTTPFields", "HTTPRequest", "HTTPResponse"},
    "Logging": {"Logger"},
    "NIOCore": {"ByteBuffer", "SocketAddress"},
}
"""Types of other packages, by the module that has them."""
ADAPTERS = {"DiaryDatabase", "DiaryIdentity", "DiaryMail", "DiaryMedia", "DiaryObjectStore", "DiaryRedis"}
"""Targets of whose structs DiaryApp makes those with internal properties, too. Elsewhere such a struct is made by its own target."""

STRING = re.compile(r'"(?:\\.|[^"\\])*"')
TYPE = re.compile(
    r"^(?P<access>package |private |fileprivate )?(?:final |indirect )?(?P<kind>struct|enum|class|actor|protocol|extension) (?P<name>[\w.]+)"
)
PROPERTY = re.compile(
    r"^(?P<access>package |private |fileprivate |(?:package |fileprivate )?(?:private|fileprivate|internal)\(set\) )?"
    r"(?P<kind>var|let) (?P<name>\w+)(?:: (?P<type>[^={]+?))?(?: = (?P<value>.+?))?$"
)


@dataclass
class Scope:
    kind: str
    name: str
    access: str
    properties: list = field(default_factory=list)
    has_initialiser: bool = False


@dataclass
class Property:
    name: str
    type: str
    value: str | None
    access: str

    def parameter(self, aliases):
        escapes = not self.type.endswith("?") and ("->" in self.type or self.type in aliases)
        value = f" = {self.value}" if self.value else ""
        return f"{self.name}: {'@escaping ' if escapes else ''}{self.type}{value}"


def depth_of(line):
    """How many braces, parentheses and brackets a line opens more than it closes."""
    code = STRING.sub('""', line).split("//")[0]
    return sum(code.count(c) for c in "{([") - sum(code.count(c) for c in "})]")


def types(text):
    """(path, scope) of each type of a formatted file and its extensions, in its order."""
    found, scopes, depths, depth, in_text, condition = [], [], [], 0, False, 0
    for line in text.split("\n"):
        code = line.strip()
        condition += code.startswith("#if") - code.startswith("#endif")
        if in_text or code.count('"""') == 1:
            in_text ^= code.count('"""') == 1
            continue
        if code.startswith("//"):
            continue
        within = depths[-1] + 1 if depths else 0
        declared = TYPE.match(code) if depth == within else None
        if declared and "{" in code and depth_of(line) > 0:
            access = (declared["access"] or "").strip()
            scope = Scope(declared["kind"], declared["name"], access)
            if condition:
                scope.has_initialiser = True
            scopes.append(scope)
            depths.append(depth)
            found.append((".".join(s.name for s in scopes), scope))
        elif scopes and depth == within and scopes[-1].kind == "struct":
            note(scopes[-1], code)
        depth += depth_of(line)
        while depths and depth <= depths[-1]:
            scopes.pop()
            depths.pop()
    return found


def note(scope, code):
    if re.match(r"(?:\w+ )*init\??[(<]", code):
        scope.has_initialiser = True
    declared = PROPERTY.match(code)
    if not declared or code.endswith("{"):
        return
    if declared["kind"] == "let" and declared["value"]:
        return
    type = (declared["type"] or inferred(declared["value"]) or "").strip()
    scope.properties.append(Property(declared["name"], type, declared["value"], (declared["access"] or "").strip()))


def inferred(value):
    """The type of a property without one, from its value; nil for a value that does not show it."""
    for pattern, type in (
        (r"true|false", "Bool"),
        (r"[\d_]+(?: (?:\*|<<) [\d_]+)*", "Int"),
        (r"[\d_]+\.\d+", "Double"),
        (r'"[^"]*"', "String"),
    ):
        if re.fullmatch(pattern, value or ""):
            return type
    made = re.fullmatch(r"([A-Z]\w*)\([^()]*\)", value or "")
    return made[1] if made else None


def internal_types(texts):
    return {
        m[1]
        for text in texts
        for m in re.finditer(r"^ *(?:final |indirect )?(?:struct|enum|class|actor|protocol|typealias) (\w+)", text, re.M)
    }


def qualified(type, path, nested):
    """With the paths of types that are nested around the struct, not in it: an extension of a nested type does not look there."""

    def named(word):
        outer = path.split(".")[:-1]
        around = [".".join([*outer[:count], word[0]]) for count in range(len(outer), 0, -1)]
        return word[0] if f"{path}.{word[0]}" in nested else next((one for one in around if one in nested), word[0])

    return re.sub(r"(?<![\w.])[A-Z]\w*", named, type)


def initialiser(path, scope, nested, aliases):
    properties = [replace(p, type=qualified(p.type, path, nested)) for p in scope.properties]
    parameters = [*(p.parameter(aliases) for p in properties), "_: Void = ()"]
    line = f"    package init({', '.join(parameters)}) {{"
    lines = [line]
    if len(line) > WIDTH:
        lines, row = ["    package init("], "       "
        for number, parameter in enumerate(parameters):
            word = f" {parameter}{'' if number == len(parameters) - 1 else ','}"
            if len(row) + len(word) > WIDTH and row.strip():
                lines.append(row)
                row = "       "
            row += word
        lines += [row, "    ) {"]
    body = [f"        self.{p.name} = {p.name}" for p in scope.properties]
    return "\n".join([f"extension {path} {{", *lines, *body, "    }", "}"])


def declared(texts):
    """The types of a target that other targets see."""
    found = re.compile(r"^(?:package|public) (?:final |indirect )?(?:struct|enum|class|actor|protocol|typealias) (\w+)", re.M)
    return {m[1] for text in texts for m in found.finditer(text)}


def closures(texts):
    """Names that stand for a function's type."""
    return {m[1] for text in texts for m in re.finditer(r"^(?:package |public )?typealias (\w+) = .*->", text, re.M)}


def content(target, files, modules):
    """The target's file; nil when it has no such struct."""
    internal, reachable = internal_types(files.values()), {"package", ""} if target in ADAPTERS else {"package"}
    found = [one for text in files.values() for one in types(text)]
    nested = {path for path, scope in found if "." in path and scope.kind != "extension"}
    parts, used, aliases = [], set(), closures(files.values())
    for path, scope in found:
        if scope.kind == "struct" and scope.access == "package":
            words = {word for p in scope.properties for word in re.findall(r"\w+", p.type)}
            # A raw value's initialiser is a requirement of its protocol.
            usable = (
                not scope.has_initialiser
                and not internal & words
                and all(p.type and p.access in reachable and p.name != "rawValue" for p in scope.properties)
            )
            if scope.properties and usable:
                parts.append(initialiser(path, scope, nested, aliases))
                used |= words - modules[target]
    imports = [f"package import {name}" for name, types in sorted(modules.items()) if name != target and types & used]
    return "\n\n".join([HEAD.rstrip("\n"), *(["\n".join(imports)] if imports else []), *parts]) + "\n" if parts else None


def main():
    sources = {
        folder.name: {file: file.read_text() for file in sorted(folder.rglob("*.swift")) if file.name != OUTPUT}
        for folder in sorted((ROOT / "Sources").iterdir())
    }
    modules = OTHERS | {target: declared(files.values()) for target, files in sources.items()}
    same = True
    for target, files in sources.items():
        output = ROOT / "Sources" / target / OUTPUT
        wanted, old = content(target, files, modules) or "", output.read_text() if output.exists() else ""
        if wanted == old:
            continue
        same = False
        name = str(output.relative_to(ROOT))
        if "--check" in sys.argv:
            print("\n".join(difflib.unified_diff(old.splitlines(), wanted.splitlines(), name, f"{name}, written anew", lineterm="", n=0)))
        elif wanted:
            output.write_text(wanted)
            print(f"written: {name}")
        else:
            output.unlink()
            print(f"deleted: {name}")
    sys.exit(1 if "--check" in sys.argv and not same else 0)


if __name__ == "__main__":
    main()
