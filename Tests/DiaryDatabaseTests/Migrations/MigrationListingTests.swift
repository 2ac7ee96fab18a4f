import Foundation
import Testing

@testable import DiaryDatabase

@Suite("List of the migrations a program was built with", .timeLimit(.minutes(1)))
struct MigrationListingTests {
    /// A copy of the repository's folder, removed after the test.
    private final class Copy {
        let path: String

        init() throws {
            path = FileManager.default.temporaryDirectory.appendingPathComponent("list-" + UUID().uuidString).path
            try FileManager.default.copyItem(atPath: MigratedDatabase.migrations, toPath: path)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ name: String, _ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)")) }
        func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }
    }

    private func refusal(_ folder: String) -> MigrationError? {
        do throws(MigrationError) {
            try MigrationListing.built.check(folder)
            return nil
        } catch { return error }
    }

    @Test("the list in the program is that of migrations/; scripts/migrations writes the lines that are missing")
    func built() throws {
        let found = try MigrationListing(folder: MigratedDatabase.migrations)
        let wanted = found.files.map(\.line)
        let written = MigrationListing.built.files.map(\.line)

        let add = wanted.filter { !written.contains($0) }.joined(separator: "\n")
        let drop = written.filter { !wanted.contains($0) }.joined(separator: "\n")

        #expect(
            wanted == written,
            "BuiltMigrations.swift is not that of migrations/: run scripts/migrations, or by hand add\n\(add)\nand drop\n\(drop)")
    }

    @Test("its migrations are numbered from 1 without a gap, in both databases", arguments: MigratedSchema.allCases)
    func numbers(schema: MigratedSchema) {
        let migrations = MigrationListing.built.migrations(of: schema)

        #expect(!migrations.isEmpty)
        #expect(migrations.map(\.number) == Array(1...migrations.count))
    }

    @Test("a folder of another version is refused, and the first file that differs is named with the folder")
    func differences() throws {
        let copy = try Copy()
        #expect(refusal(copy.path) == nil)
        let last = try #require(MigrationListing.built.files.last { $0.path.hasPrefix("main/0") }?.path)
        let text = try String(contentsOfFile: "\(copy.path)/\(last)", encoding: .utf8)

        // An old folder beside a new program.
        try copy.remove(last)
        #expect(refusal(copy.path) == .otherFiles(folder: copy.path, .missing(last)))
        #expect("\(try #require(refusal(copy.path)))".contains("\(copy.path) does not hold"))
        try copy.write(last, text + "-- changed\n")
        #expect(refusal(copy.path) == .otherFiles(folder: copy.path, .changed(last)))
        try copy.write(last, text)
        // A new folder beside an old program.
        try copy.write("keys/9000_later.sql", "select 1;")
        #expect(refusal(copy.path) == .otherFiles(folder: copy.path, .unknown("keys/9000_later.sql")))
        try copy.remove("keys/9000_later.sql")
        try copy.write("keys/notes.md", "not compared")
        #expect(refusal(copy.path) == nil)
        #expect(refusal("/nonexistent") == .unreadable(path: "/nonexistent/"))
    }
}
