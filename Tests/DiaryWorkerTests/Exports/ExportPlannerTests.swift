import DiaryTesting
import Testing
import ZipArchive

@testable import DiaryWorker

@Suite("Distribution of an export's entries", .timeLimit(.minutes(1)))
struct ExportPlannerTests {
    private func parts(_ entries: Int, limit: Int64 = .max, mostEntries: Int, files: [Int64] = []) async throws -> [Int] {
        let scratch = try Scratch()
        let planner = try await ExportPlanner(limit: limit, mostEntries: mostEntries, folder: scratch.folders.root)
        for _ in 0..<entries { _ = try await planner.begin(files: files, lines: 0) }
        return try await planner.end()
    }

    @Test("a part has no more entries than an import takes of a zip, also where they have no files")
    func entries() async throws {
        #expect(try await parts(5, mostEntries: 2) == [2, 2, 1])
        #expect(try await parts(4, mostEntries: 2) == [2, 2])
        #expect(try await parts(0, mostEntries: 2) == [0])
        #expect(try await parts(3, limit: 10_000, mostEntries: 2, files: [9_000]) == [1, 1, 1])
    }
}
