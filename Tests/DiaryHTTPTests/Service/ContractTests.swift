import DiaryCore
import DiaryTesting
import Foundation
import Testing

@testable import DiaryHTTP

@Suite("Contract") struct ContractTests {
    @Test("openapi.yaml and the router have the same operations")
    func operations() throws {
        let contract = try Contract.read()
        let table = try Stub.routes().table()

        let served = table.operations.map { "\($0.method) \($0.template.replacing("+}", with: "}"))" }

        // So many there are at least: an operation that goes from both sides is missed too.
        #expect(served.count >= 80 && Set(served).count == served.count)
        #expect(Set(served).subtracting(contract.operations) == [])
        #expect(contract.operations.subtracting(served) == [])
    }

    @Test("openapi.yaml lists exactly the error codes and the processing codes of the catalogues")
    func codes() throws {
        let contract = try Contract.read()

        #expect(contract.values("ErrorCode") == ErrorCode.allCases.map(\.rawValue))
        #expect(contract.values("ProcessingCode") == ProcessingCode.allCases.map(\.rawValue))
    }

    @Test("openapi.yaml lists exactly the values of every string that may grow")
    func values() throws {
        let contract = try Contract.read()

        #expect(contract.values("EntryKind") == EntryKind.allCases.map(\.rawValue))
        #expect(contract.values("EntryStatus") == EntryStatus.allCases.map(\.rawValue))
        #expect(contract.values("ExportStatus") == ExportStatus.allCases.map(\.rawValue))
        #expect(contract.values("ExportMailStatus") == ExportMailStatus.allCases.map(\.rawValue))
        #expect(contract.values("EventKind") == AuditEvent.Kind.allCases.map(\.rawValue))
        #expect(contract.values("EventActor") == AuditEvent.Actor.allCases.map(\.rawValue))
        #expect(contract.values("SignInMethod") == ["email"] + IdentityProvider.allCases.map(\.rawValue))
        #expect(contract.values("ProcessingStage") == JobCatalogue.diary.stages.map(\.rawValue))
    }

    @Test("openapi.yaml lists the recording formats the service takes")
    func formats() throws {
        let contract = try Contract.read()

        #expect(contract.values("AudioFormat") == AudioFormat.allCases.map(\.rawValue))
    }

    @Test("openapi.yaml lists the forms of transcripts that are registered")
    func transcripts() throws {
        let contract = try Contract.read()

        #expect(contract.values("TranscriptFormat") == TranscriptFormat.all.map(\.name))
    }
}

/// Reads openapi.yaml by its indentation; a validator checks that the file is valid (scripts/test).
struct Contract {
    let lines: [Substring]

    static func read() throws -> Contract {
        let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let text = try String(contentsOf: root.appending(path: "openapi.yaml"), encoding: .utf8)
        return Contract(lines: text.split(separator: "\n"))
    }

    /// `POST /v1/entries`
    var operations: Set<String> {
        var found: Set<String> = []
        var path = ""
        for line in section("paths:", indent: 0) {
            let word = line.trimmingCharacters(in: .whitespaces)
            switch line.prefix(while: { $0 == " " }).count {
            case 2: path = String(word.dropLast())
            case 4 where ["get:", "put:", "post:", "patch:", "delete:"].contains(word):
                found.insert("\(word.dropLast().uppercased()) \(path)")
            default: break
            }
        }
        return found
    }

    /// A schema's `x-extensible-enum`: a list below it, or one in brackets behind it.
    func values(_ schema: String) -> [String] {
        let lines = section("\(schema):", indent: 4)
        let start = "      x-extensible-enum: ["
        if let line = lines.first(where: { $0.hasPrefix(start) }) {
            return line.dropFirst(start.count).dropLast().split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        return lines.filter { $0.hasPrefix("        - ") }.map { String($0.dropFirst(10)) }
    }

    /// The names of `components/headers`.
    var headers: [String] {
        lines.drop { $0 != "  headers:" }.dropFirst().prefix { $0.hasPrefix("   ") }.filter {
            $0.hasPrefix("    ") && !$0.hasPrefix("     ")
        }
        .map { String($0.dropFirst(4).prefix { $0 != ":" }) }
    }

    private func section(_ title: String, indent: Int) -> [Substring] {
        let head = String(repeating: " ", count: indent) + title
        return Array(lines.drop { $0 != head }.dropFirst().prefix { $0.prefix(while: { $0 == " " }).count > indent })
    }
}
