import DiaryCore
import Synchronization
import ZipArchive

/// A finished temporary file as a body, in pieces of 64 KiB that are read off the cooperative pool (decision D5).
final class TempFileStream: ByteStream {
    private let file: UnlinkedTempFile
    private let offset = Mutex<Int64>(0)
    private let sent: @Sendable (Int64) -> Void

    /// - Parameter sent: is told how many bytes have been handed over.
    init(_ file: UnlinkedTempFile, sent: @escaping @Sendable (Int64) -> Void = { _ in }) {
        self.file = file
        self.sent = sent
    }

    /// - Throws: `unavailable` when the file cannot be read.
    func next() async throws -> [UInt8]? {
        let (file, start) = (file, offset.withLock { $0 })
        let bytes: [UInt8]
        do {
            bytes = try await BlockingWork.run { try file.read(offset: start, count: 65_536) }
        } catch {
            throw ObjectStoreError.unavailable(full: false)
        }
        offset.withLock { $0 = start + Int64(bytes.count) }
        sent(start + Int64(bytes.count))
        return bytes.isEmpty ? nil : bytes
    }
}

/// Checks that a job's temporary files fit on the disk.
enum TempSpace {
    /// Beside what is needed: other jobs write too.
    static let margin: Int64 = 64 << 20

    /// - Parameter needed: bytes that are about to be written.
    /// - Throws: a retry whose cause says how much is missing.
    static func require(_ needed: Int64, in folder: String) async throws {
        let free = try await BlockingWork.run { try UnlinkedTempFile.freeBytes(in: folder) }
        if let refusal = refusal(of: needed, free: free) { throw refusal }
    }

    /// nil when there is enough.
    static func refusal(of needed: Int64, free: Int64) -> JobStop? {
        let wanted = min(needed, Int64.max - margin) + margin
        guard wanted > free else { return nil }
        return .retry(.storageUnavailable, cause: "temporary folder: \(wanted - free) bytes missing of \(wanted)")
    }
}
