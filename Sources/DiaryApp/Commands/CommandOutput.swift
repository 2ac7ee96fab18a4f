import FoundationEssentials
import SystemPackage

/// Output of commands: JSON for programs, messages for people.
enum CommandOutput {
    /// One line of JSON, with sorted members.
    static func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// For people, on standard error.
    static func note(_ text: String) { _ = try? FileDescriptor.standardError.writeAll("\(text)\n".utf8) }
}
