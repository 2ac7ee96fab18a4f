import DiaryCore
import DiaryCrypto
import Synchronization

/// Bytes of one store for another, hashed on the thread that read them.
final class CopiedBytes: ByteSource {
    static let piece = 256 << 10

    private let reader: any ByteReader
    private let hash = Mutex(SHA256Stream())
    private let state = Mutex((hasBegun: false, isInterrupted: false))

    init(_ reader: any ByteReader) { self.reader = reader }

    /// Whether a piece was asked for. A put asks for none when it finds its key taken (`ByteStore.put`).
    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// Makes a further `next` throw.
    func interrupt() { state.withLock { $0.isInterrupted = true } }

    func next() async throws -> DeferredBytes? {
        let isInterrupted = state.withLock { state in
            state.hasBegun = true
            return state.isInterrupted
        }
        do {
            if isInterrupted { throw CancellationError() }
            try Task.checkCancellation()
            guard let bytes = try await hashed() else { return nil }
            return DeferredBytes { bytes }
        } catch {
            reader.close()
            throw error
        }
    }

    /// The SHA-256 of what was read so far; the next one begins anew.
    func digest() -> [UInt8] { hash.withLock { $0.finish() } }

    /// Reads to the end.
    /// - Returns: how many bytes there were.
    func drain() async throws -> Int64 {
        var count: Int64 = 0
        while let bytes = try await next() { count += Int64(try bytes().count) }
        return count
    }

    private func hashed() async throws(ObjectStoreError) -> [UInt8]? {
        try await reader.next(Self.piece) { [self] bytes throws(ObjectStoreError) in
            hash.withLock { $0.update(bytes) }
            return bytes
        }
    }
}
