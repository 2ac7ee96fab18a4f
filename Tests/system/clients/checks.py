"""Compilers and type checkers on generated clients."""

import importlib.resources
import re
import shutil
import sys

from faults import FOLDER, ROOT, raise_for, ran
from generators import PYTHON

# Faults of the generators' templates, the same for any contract.
TYPESCRIPT_NOISE = r"error TS7053:"
"""TypeScript before 4.9 does not narrow `object` by `in`; Debian 12 has 4.8."""
PYTHON_NOISE = {
    "attrs": r"\bclient\.py:\d+: error: .*\b__a?exit__\b",
    "pydantic": r"Missing return statement|Library stubs not installed",
}


def swift6():
    "compile, with the program of its main job"
    scratch = FOLDER / "swift-build"
    # SwiftPM keeps the list of a package's files, and misses those that are generated no more.
    shutil.rmtree(scratch, ignore_errors=True)
    ran("swift6-build", ["swift", "build", "--package-path", ROOT / "Tests/clients/swift", "--scratch-path", scratch], 1800)


def kotlin():
    "compile, beside declarations of OkHttp and Moshi"
    jars = importlib.resources.files("run_kotlin_kernel") / "jars"
    [library] = jars.glob("kotlin-stdlib-[0-9]*.jar")
    compiler = ["java", "-XX:TieredStopAtLevel=1", "-cp", jars / "*", "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"]
    options = ["-nowarn", "-no-stdlib", "-no-reflect", "-cp", library, "-d", FOLDER / "kotlin-build"]
    ran("kotlin-compile", [*compiler, *options, ROOT / "Tests/clients/kotlin", FOLDER / "kotlin/src/main/kotlin"])


def go():
    "compile"
    # It imports the standard library alone: nothing is fetched.
    own = {"GOENV": "off", "GOFLAGS": "", "GOPROXY": "off", "GOTOOLCHAIN": "local", "GOWORK": "off", "GOCACHE": str(FOLDER / "go-build")}
    ran("go-compile", ["go", "build", "./..."], cwd=FOLDER / "go", variables=own)


def typescript():
    "type-check"
    index = FOLDER / "typescript-fetch/index.ts"
    options = ["--noEmit", "--strict", "--target", "es2017", "--lib", "es2017,dom", "--module", "commonjs", "--moduleResolution", "node"]
    log = ran("typescript-fetch-tsc", ["tsc", *options, index], allowed=(0, 1, 2))
    raise_for(faults(log, TYPESCRIPT_NOISE))


def python(name):
    package = f"diary_{PYTHON[name]}"

    def check():
        "import and type-check"
        folder = FOLDER / name
        ran(f"{name}-import", [sys.executable, "-c", IMPORT, package], cwd=folder)
        log = ran(f"{name}-mypy", ["mypy", "--cache-dir", FOLDER / "mypy", "--no-error-summary", "-p", package], allowed=(0, 1), cwd=folder)
        raise_for(faults(log, PYTHON_NOISE[PYTHON[name]]))

    return check


def models():
    "import"
    ran("datamodel-code-generator-import", [sys.executable, "-c", "import models"], cwd=FOLDER / "datamodel-code-generator")


def faults(log, noise):
    return [line for line in log.splitlines() if re.search(r"\berror\b", line) and not re.search(noise, line)]


IMPORT = """
import importlib, pkgutil, sys
package = importlib.import_module(sys.argv[1])
for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    importlib.import_module(module.name)
"""

CHECKS = {
    "swift6": swift6,
    "kotlin": kotlin,
    "go": go,
    "typescript-fetch": typescript,
    "datamodel-code-generator": models,
    **{name: python(name) for name in PYTHON},
}
