"""The files that are derived from openapi.yaml. The options are those of scripts/contract."""

import json
import pathlib
import sys

import yaml

import logged_paths
from contract_page import Page

ROOT = pathlib.Path(__file__).resolve().parents[2]


def derived(text):
    """The content of each derived file, by name."""
    document = yaml.safe_load(text)
    proxies = {name: logged_paths.written((ROOT / name).read_text(), name, document["paths"]) for name in logged_paths.FILES}
    return {"openapi.json": compact(document), "openapi.html": Page(document).html(), **proxies}


def compact(document):
    """JSON with a line for each path and each component, so that a change shows as a change of a few lines."""
    parts = []
    for name, value in document.items():
        if name == "paths":
            value = lines(value)
        elif name == "components":
            value = "{\n" + ",\n".join(f"{one(kind)}:{lines(held)}" for kind, held in value.items()) + "}"
        else:
            value = one(value)
        parts.append(f"{one(name)}:{value}")
    return "{" + ",\n".join(parts) + "}\n"


def lines(members):
    return "{\n" + ",\n".join(f"{one(name)}:{one(value)}" for name, value in members.items()) + "}"


def one(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def main():
    stale = []
    for name, content in derived((ROOT / "openapi.yaml").read_text()).items():
        file = ROOT / name
        if file.exists() and file.read_text() == content:
            continue
        stale.append(name)
        if "--check" not in sys.argv:
            file.write_text(content)
    if stale and "--check" in sys.argv:
        sys.exit(f"not as openapi.yaml has it: {', '.join(stale)}; run scripts/contract")


if __name__ == "__main__":
    main()
