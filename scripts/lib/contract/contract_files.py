"""What is made of openapi.yaml. The options are those of scripts/contract."""

import json
import os
import pathlib
import sys

import yaml

import logged_paths

ROOT = pathlib.Path(__file__).resolve().parents[3]
SHARE, REDOC = ROOT / ".build/share", ROOT / ".build/redoc"
LOGO = "https://cdn.redoc.ly/redoc/logo-mini.svg"
"""The one thing that Redoc would fetch from elsewhere. Without it the line beside it stays."""


def proxies(document):
    """The content of each file of deploy/ with its expression, by name."""
    return {name: logged_paths.written((ROOT / name).read_text(), name, document["paths"]) for name in logged_paths.FILES}


def share(document):
    """What the service reads, by name; without the reference where Redoc is not there."""
    made = {"openapi.json": json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n"}
    if (REDOC / "made").exists():
        made["reference.js"] = reference()
    return made


def reference():
    """Redoc, its licences before it, and what draws the page after it."""
    licence, parts, script = (
        (REDOC / name).read_text() for name in ("LICENSE", *(f"redoc.standalone.js{end}" for end in (".LICENSE.txt", "")))
    )
    assert script.count(LOGO) == 1 and "*/" not in licence
    script = script.replace(LOGO, "data:,").rpartition("\n//# sourceMappingURL=")[0]
    return f"/*!\n{licence}*/\n{parts}\n{script}\n{pathlib.Path(__file__).with_name('reference.js').read_text()}"


def write(file, content):
    """A service that starts at this moment reads one or the other whole."""
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(file.name + ".new")
    new.write_text(content)
    os.replace(new, file)


def main():
    document = yaml.load((ROOT / "openapi.yaml").read_text(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    if "--check" not in sys.argv:
        for name, content in share(document).items():
            write(SHARE / name, content)
    if "--share" in sys.argv:
        return
    stale = {name: content for name, content in proxies(document).items() if (ROOT / name).read_text() != content}
    if stale and "--check" in sys.argv:
        sys.exit(f"not as openapi.yaml has it: {', '.join(stale)}; run scripts/contract")
    for name, content in stale.items():
        (ROOT / name).write_text(content)


if __name__ == "__main__":
    main()
