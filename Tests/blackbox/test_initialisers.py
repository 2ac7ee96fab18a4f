"""The initialisers that scripts/initialisers writes. Needs no service."""

import subprocess
import sys

import pytest

from servers import ROOT


@pytest.fixture(scope="module")
def writer():
    sys.path.insert(0, str(ROOT / "scripts/lib"))
    try:
        import initialisers
    finally:
        sys.path.pop(0)
    return initialisers


def test_the_files_are_those_of_the_sources():
    done = subprocess.run([ROOT / "scripts/initialisers", "--check"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"run scripts/initialisers\n{done.stdout}{done.stderr}"


SOURCE = '''
package typealias Report = @Sendable (Int) -> Void
package struct Walk: Sendable {
    package enum Kind: Sendable { case long, short }

    package struct Stop: Sendable {
        package var place: String
    }

    /// A text that looks like code: package var no: Int
    static let sample = """
        package struct Text {
            package var line: Int
        }
        """
    package let id: UUID
    package var kind: Kind = .long
    package var steps = 0
    package var stops: [Stop] = []
    package var note: String?
    package let ends: @Sendable (Int) -> Void
    package let report: Report
    package let form = 1
    package var isLong: Bool { kind == .long }
    package var name: String {
        "walk"
    }

    package func count() -> Int {
        var counted = 0
        return counted
    }
}

package struct Hidden {
    private let secret: Int
}

package struct Own {
    package let value: Int
    package init?(_ value: Int) { nil }
}

struct Inner {
    package let value: Int
}
'''


def written(writer, source, target="DiaryHTTP"):
    return writer.content(target, {"Walk.swift": source}, writer.OTHERS | {target: {"Walk"}})


def test_parameters_are_the_stored_properties_with_their_values(writer):
    file = written(writer, SOURCE)
    assert (
        "    package init(\n        id: UUID, kind: Kind = .long, steps: Int = 0, stops: [Stop] = [], note: String?, "
        "ends: @escaping @Sendable (Int) -> Void,\n        report: @escaping Report, _: Void = ()\n    ) {\n        self.id = id\n" in file
    )
    assert "extension Walk.Stop {\n    package init(place: String, _: Void = ()) {\n        self.place = place\n    }\n}" in file
    assert "package import FoundationEssentials" in file
    assert file.count("extension ") == 2


def test_what_another_target_may_not_make_has_none(writer):
    assert written(writer, "package struct Use {\n    let store: Store\n}\n") is None
    assert written(writer, "package struct Use {\n    let store: Store\n}\n", "DiaryDatabase") is not None
    for line in ("private let a: Int", "package private(set) var a: Int", "package var a: Secret", "package var a = make()"):
        assert written(writer, f"struct Secret {{}}\npackage struct Use {{\n    {line}\n}}\n") is None, line
    assert written(writer, "#if DEBUG\n    package struct Use {\n        package var a: Int\n    }\n#endif\n") is None
