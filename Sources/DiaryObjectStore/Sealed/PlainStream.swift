import DiaryCore
import DiaryCrypto

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
