import DiaryCore
import DiaryCrypto
import Synchronization

/// A body for plain staging, hashed while it is stored.
final class PlainSource: ByteSource {
    private struct State: ~Copyable {
        var hash = SHA256Stream()
        var digest: [UInt8]?
    }

    private let body: any ByteStream
    private let expected: [UInt8]?
    private let state = Mutex(State())

    /// - Parameter sha256: of the body, when announced.
    init(_ body: any ByteStream, sha256: [UInt8]?) {
        self.body = body
        expected = sha256
    }

    /// The body's SHA-256, once it has ended.
    var digest: [UInt8]? { state.withLock { $0.digest } }

    func next() async throws -> DeferredBytes? {
        guard let piece = try await body.next() else {
            let digest = state.withLock { state in
                let digest = state.hash.finish()
                state.digest = digest
                return digest
            }
            if let expected, expected != digest { throw ObjectStoreError.checksumMismatch }
            return nil
        }
        state.withLock { $0.hash.update(piece) }
        return DeferredBytes { piece }
    }
}

/// A range of a plain object in staging.
final class PlainStream: ByteStream {
    private let reader: any ByteReader

    init(_ reader: any ByteReader) { self.reader = reader }

    /// Pieces of at most 64 KiB, none empty. Releases the reader on failure and on cancellation.
    func next() async throws -> [UInt8]? {
        do {
            try Task.checkCancellation()
            return try await reader.next(SealedObjectLayout.segmentSize) { bytes throws(ObjectStoreError) in bytes }
        } catch {
            reader.close()
            throw error
        }
    }
}

/// A range without bytes.
final class EmptyStream: ByteStream {
    func next() async throws -> [UInt8]? { nil }
}
