"""The generators, and what each must not leave out."""

import functools
import re
import shutil

from contract import CONTRACT
from contract_changes import operations
from faults import FOLDER, ROOT, raise_for, ran

SPECIFICATION = ROOT / "openapi.yaml"
PYTHON = {"openapi-python-client": "attrs", "python": "pydantic"}
"""Of each generator of a Python client the word in its package's name; Tests/blackbox/generated_clients.py calls both."""

# Without it these two refuse members that they do not know, as info.description says.
OPEN = "disallowAdditionalPropertiesIfNotPresent=false"
# Without it a day is a moment in UTC.
DAYS = "useCustomDateWithoutTime=true"
# Without it a value that two lists have (`txt`) is declared twice, and Go compiles nothing.
PREFIX = "enumClassPrefix=true"
PROPERTIES = {"java": OPEN, "go": f"{OPEN},{PREFIX}", "swift6": DAYS, "python": "generateSourceCodeOnly=true"}

KNOWN = [
    re.compile(pattern)
    for pattern in (
        r"OpenAPI 3\.1 support is still in beta",
        # A response or parameter without a name of its own.
        r"Failed to get the schema name: null",
        # Another name for a type or parameter: nothing is left out.
        r"cannot be used as (?:a )?(?:model|parameter) name\. Renamed to",
        r"Ignoring complex example on request body",
        # Dart; uploads go to a signed URL as it is, by no generated call.
        r"'application/octet-stream' for operation '/objects/\{key\}' is not support",
        # Amazon SNS alone calls it, with JSON that it names text/plain.
        r"'text/plain' for operation '/webhooks/mail/ses' is not support",
        # openapi-python-client: the call is there, and its answer has the zip's bytes.
        r"WARNING parsing GET /v1/entries/\{id\}/bundle\.zip within entries",
        r"Cannot parse response for status code .*\(Unsupported content_type application/zip\), response will be omitted",
    )
]

FOR_NO_CLIENT = {"openapi-python-client": {"receiveSNSMessage"}}
"""Operations that a generator leaves out, and that no app calls."""

LEFT_OUT = re.compile(
    r"Warning\(s\) encountered while generating\. Client was generated, but some pieces may be missing\s+"
    r"WARNING parsing POST /webhooks/mail/ses within service\. Endpoint will not be generated\.\s+Unsupported content type text/plain"
)
"""What openapi-python-client says when it leaves out that operation and no other one."""


def openapi_generator(name, folder, package):
    command = ["openapi-generator-cli", "generate", "-g", name, "-i", SPECIFICATION, "-o", folder]
    if name in PROPERTIES:
        command += ["--additional-properties", PROPERTIES[name]]
    if package:
        command += ["--package-name", package]
    return command


def openapi_python_client(name, folder, package):
    settings = FOLDER / f"{name}.settings.yaml"
    settings.write_text(f"package_name_override: {package}\n")
    options = ["--meta", "none", "--config", settings, "--overwrite", "--output-path", folder / package]
    return ["openapi-python-client", "generate", "--path", SPECIFICATION, *options]


def datamodel_code_generator(name, folder, package):
    options = ["--input-file-type", "openapi", "--output-model-type", "pydantic_v2.BaseModel", "--formatters", "builtin"]
    return ["datamodel-codegen", "--input", SPECIFICATION, *options, "--output", folder / "models.py"]


GENERATORS = {
    **dict.fromkeys(("swift6", "kotlin", "typescript-fetch", "python", "java", "go", "dart"), openapi_generator),
    "openapi-python-client": openapi_python_client,
    "datamodel-code-generator": datamodel_code_generator,
}


def generate(name, folder=None, package=None):
    folder = folder or FOLDER / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    log = ran(name, GENERATORS[name](name, folder, package or (f"diary_{PYTHON[name]}" if name in PYTHON else None)))
    raise_for(complaints(log) or left_out(name, folder))


def complaints(log):
    """openapi-python-client's warnings span several lines."""
    found = re.findall(
        r"^.*(?:\b(?:WARN|ERROR|Exception)\b|WARNING|Warning\(s\)|Unsupported|Cannot parse).*$", LEFT_OUT.sub("", log), re.MULTILINE
    )
    return [line for line in found if not any(known.search(line) for known in KNOWN)]


def left_out(name, folder):
    """Operations and members whose names the client does not have in any form."""
    words = text(folder)
    asked = set() if name == "datamodel-code-generator" else {o["operationId"] for _, o in operations(CONTRACT.document)}
    asked -= FOR_NO_CLIENT.get(name, set())
    return [f"{what} is not in the client" for what in sorted(asked | members()) if plain(what) not in words]


def members():
    """Of all named schemas; inline ones have no names to look for elsewhere."""
    schemas = CONTRACT.document["components"]["schemas"].values()
    return {member for schema in schemas for member in schema.get("properties", {})}


@functools.cache
def text(folder):
    """The client's own code and its files' names, plain; documents and tests that are generated with it do not count."""
    code = {".swift", ".kt", ".ts", ".py", ".java", ".go", ".dart"}
    files = [
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix in code and not {"docs", "test", "tests"} & set(path.relative_to(folder).parts)
    ]
    return plain(" ".join(f"{path.name} {path.read_text(errors='replace')}" for path in files))


def plain(name):
    return re.sub(r"[^a-z0-9]", "", name.lower())
