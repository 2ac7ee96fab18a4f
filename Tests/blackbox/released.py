"""What has been released and is used by apps: contracts, and clients that were generated from them. `scripts/clients --release` writes it."""

import dataclasses
import pathlib

import yaml

from servers import ROOT

FOLDER = ROOT / "Tests/contract/released"


@dataclasses.dataclass(frozen=True)
class Release:
    folder: pathlib.Path

    @property
    def version(self):
        return self.folder.name

    @property
    def contract(self):
        return yaml.load((self.folder / "openapi.yaml").read_text(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))

    def package(self, generator):
        """The name of a Python client's package, one for each release, so that several can be imported."""
        return f"diary_{generator}_{self.version.replace('.', '_')}"

    def archive(self, generator):
        """The zip of that package, which can be imported from."""
        return self.folder / f"{self.package(generator)}.zip"


def releases():
    """The oldest first."""
    return sorted(map(Release, FOLDER.glob("*.*.*")), key=lambda release: [int(part) for part in release.version.split(".")])
