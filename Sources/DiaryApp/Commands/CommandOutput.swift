import FoundationEssentials

/// What commands print for programs.
enum CommandOutput {
    /// One line of JSON, with sorted members.
    static func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}
