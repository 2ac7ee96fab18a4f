import DiaryCore
import DiaryHTTP
import DiaryTesting
import Foundation
import Testing

@Suite("Contract") struct ContractTests {
    @Test("openapi.yaml and the router have the same operations")
    func operations() throws {
        let contract = try Contract.read()
        let table = try Stub.routes().table()

        let served = table.operations.map { "\($0.method) \($0.template.replacing("+}", with: "}"))" }

        // So many there are at least: an operation that goes from both sides is missed too.
        #expect(served.count >= 54 && Set(served).count == served.count)
        #expect(Set(served).subtracting(contract.operations) == [])
        #expect(contract.operations.subtracting(served) == [])
    }

    @Test("openapi.yaml lists exactly the error codes and the processing codes of the catalogues")
    func codes() throws {
        let contract = try Contract.read()

        #expect(contract.enumeration("ErrorCode") == ErrorCode.allCases.map(\.rawValue))
        #expect(contract.enumeration("ProcessingCode") == ProcessingCode.allCases.map(\.rawValue))
    }

    @Test("openapi.yaml lists the recording formats the service takes")
    func formats() throws {
        let contract = try Contract.read()

        #expect(contract.flowEnumeration("AudioFormat") == AudioFormat.allCases.map(\.rawValue))
    }
}

/// Reads openapi.yaml by its indentation; a validator checks that the file is valid (scripts/test).
struct Contract {
    let lines: [Substring]

    static func read() throws -> Contract {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
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

    /// The block list under a schema's `enum:`.
    func enumeration(_ schema: String) -> [String] {
        section("\(schema):", indent: 4).filter { $0.hasPrefix("        - ") }.map { String($0.dropFirst(10)) }
    }

    /// The list in brackets after a schema's `enum:`.
    func flowEnumeration(_ schema: String) -> [String] {
        let line = section("\(schema):", indent: 4).first { $0.hasPrefix("      enum: [") } ?? ""
        return line.dropFirst("      enum: [".count).dropLast().split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private func section(_ title: String, indent: Int) -> [Substring] {
        let head = String(repeating: " ", count: indent) + title
        return Array(lines.drop { $0 != head }.dropFirst().prefix { $0.prefix(while: { $0 == " " }).count > indent })
    }
}
