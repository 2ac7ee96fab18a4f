import Foundation
import Synchronization
import Testing
import ZipArchive

@Suite("Writing an archive", .timeLimit(.minutes(1)))
struct ZipCancellationTests {
    /// Never ends; signals its first read.
    private final class EndlessSource: ZipMemberSource {
        let closed = Atomic(false)
        private let onRead: @Sendable () -> Void

        init(onRead: @escaping @Sendable () -> Void) { self.onRead = onRead }
        func open() throws {}
        func read(max: Int) throws -> [UInt8] {
            onRead()
            return [UInt8](repeating: 0, count: max)
        }
        func close() { closed.store(true, ordering: .relaxed) }
    }

    @Test("ends when its task is cancelled, closes the source and leaves an empty file")
    func cancelled() async throws {
        let folder = try TestFolder()
        let file = try UnlinkedTempFile(folder: folder.path)
        let (reads, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
        let source = EndlessSource { continuation.yield() }
        let writer = ZipWriter(file: file)
        try writer.add(
            ZipMember(path: "a", modified: ZipWriterTests.noon, method: .deflated, length: .max, source: source))

        // Unstructured, because the test cancels it from outside.
        let task = Task { try await writer.finish() }
        for await _ in reads { break }
        task.cancel()
        let error = await #expect(throws: ZipError.self) { try await task.value }

        guard case .cancelled = error else { return #expect(Bool(false), "\(String(describing: error))") }
        let closed = source.closed.load(ordering: .relaxed)
        #expect(closed)
        #expect(try file.size == 0)
    }

    /// Returns bytes only when all of them are read at the same time.
    private final class MeetingSource: ZipMemberSource {
        struct Alone: Error {}
        private let meeting: Meeting
        private let done = Mutex(false)

        init(_ meeting: Meeting) { self.meeting = meeting }
        func open() throws { done.withLock { $0 = false } }
        func read(max: Int) throws -> [UInt8] {
            if done.withLock({ done in
                defer { done = true }; return done
            }) {
                return []
            }
            guard meeting.waitForAll() else { throw Alone() }
            return [1]
        }
        func close() {}
    }

    private final class Meeting: @unchecked Sendable {
        private let condition = NSCondition()
        private var missing: Int
        init(_ count: Int) { missing = count }
        func waitForAll() -> Bool {
            condition.lock()
            defer { condition.unlock() }
            missing -= 1
            condition.broadcast()
            let deadline = Date(timeIntervalSinceNow: 20)
            while missing > 0 { if !condition.wait(until: deadline) { return false } }
            return true
        }
    }

    @Test("uses no thread of Swift's pool: more archives than cores block at once")
    func ownThreads() async throws {
        let folder = try TestFolder().path
        let count = 4 * ProcessInfo.processInfo.activeProcessorCount
        let meeting = Meeting(count)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }

        try await withThrowingTaskGroup(of: Int64.self) { group in
            for _ in 0..<count {
                group.addTask {
                    let writer = ZipWriter(file: try UnlinkedTempFile(folder: folder))
                    try writer.add(
                        ZipMember(path: "a", modified: ZipWriterTests.noon, method: .stored, length: 1, source: MeetingSource(meeting)))
                    return try await writer.finish()
                }
            }
            for try await size in group { #expect(size > 0) }
        }
    }
}
