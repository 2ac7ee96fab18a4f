import Testing

@testable import DiaryApp

@Suite("The names of a process")
struct ProcessNameTests {
    @Test("a worker's name is host, number and eight digits of this start, and stays the same")
    func worker() throws {
        let parts = ProcessName.worker.split(separator: "/", omittingEmptySubsequences: false)
        let start = try #require(parts.last)

        #expect(parts.count == 3 && parts.dropLast().joined(separator: "/") == ProcessName.text)
        #expect(start.utf8.count == 8 && start.allSatisfy { "0123456789abcdef".contains($0) })
        #expect(ProcessName.worker == ProcessName.worker)
    }
}
