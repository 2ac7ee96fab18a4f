import DiaryCrypto
import FoundationEssentials
import WireFormats

/// `0001_name.sql`: numbered from 1 without a gap, applied in that order, never changed afterwards.
struct MigrationFile: Sendable {
    let number: Int
    let name: String
    let sql: String
    /// Hex, lower case.
    let sha256: String

    init(number: Int, name: String, content: [UInt8]) {
        self.number = number
        self.name = name
        sql = String(decoding: content, as: UTF8.self)
        sha256 = Hex.encode(SHA256.digest(content))
    }

    /// All migrations of a folder, in order. Files that do not end in `.sql` are ignored.
    static func read(_ directory: String) throws(MigrationError) -> [MigrationFile] {
        guard let entries = try? FileManager.default.contentsOfDirectory(atPath: directory) else { throw .unreadable(path: directory) }
        var files: [MigrationFile] = []
        for entry in entries.sorted() where entry.hasSuffix(".sql") {
            guard let (number, name) = parse(entry) else { throw .badName(entry) }
            guard let content = FileManager.default.contents(atPath: directory + "/" + entry) else { throw .unreadable(path: entry) }
            if files.last?.number == number { throw .duplicate(number: number) }
            guard number == files.count + 1 else { throw .gap(number: files.count + 1) }
            files.append(MigrationFile(number: number, name: name, content: [UInt8](content)))
        }
        return files
    }

    /// Four digits, `_`, then lower-case letters, digits and `_`, so that the name needs no quoting in SQL.
    static func parse(_ entry: String) -> (number: Int, name: String)? {
        let stem = entry.dropLast(4)
        let digits = stem.prefix(4)
        let name = stem.dropFirst(5)
        guard digits.count == 4, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits), number > 0,
            stem.dropFirst(4).first == "_", !name.isEmpty,
            name.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x5F })
        else { return nil }
        return (number, String(name))
    }
}

/// One step of the schema.
package struct Migration: Sendable, Equatable {
    package let number: Int
    package let name: String
}
