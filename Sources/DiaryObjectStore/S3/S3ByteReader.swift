import DiaryCore
import DiaryCrypto
import S3Client
import Synchronization

/// Reads a range in blocks, each a request of its own that is repeated when it fails: no connection stays open between two pieces, and a
/// cut answer costs a block. Holds at most about two blocks.
final class S3ByteReader: ByteReader {
    private struct State {
        var buffer: ArraySlice<UInt8> = []
        /// Where the next block begins.
        var offset: Int64
        /// Of the range, once the object's size is known.
        var end: Int64
        var block = S3ByteReader.firstBlock
        var objectSize: Int64 = 0
        var etag: String?
        var isClosed = false
    }

    /// Playback begins with little: a header, and what one piece is opened from. Whole recordings are read in few requests.
    private static let firstBlock = Int64(SealedObjectHeader.count + 4 * SealedObjectLayout.sealedSegmentSize)
    private static let largestBlock: Int64 = 2 << 20

    private let client: S3Client
    private let name: String
    private let state: Mutex<State>

    init(_ client: S3Client, _ name: String, range: Range<Int64>) {
        self.client = client
        self.name = name
        state = Mutex(State(offset: range.lowerBound, end: range.upperBound, isClosed: range.isEmpty))
    }

    var objectSize: Int64 { state.withLock { $0.objectSize } }

    /// Of an empty range, which fetches nothing.
    func note(_ objectSize: Int64) { state.withLock { $0.objectSize = objectSize } }

    /// Fetches the first block.
    /// - Throws: `missing`.
    func begin() async throws(ObjectStoreError) { try await fetch() }

    func next(
        _ count: Int, through transform: @escaping @Sendable ([UInt8]) throws(ObjectStoreError) -> [UInt8]
    ) async throws(ObjectStoreError) -> [UInt8]? {
        while state.withLock({ !$0.isClosed && $0.buffer.count < count && $0.offset < $0.end }) { try await fetch() }
        let bytes: [UInt8]? = state.withLock { state in
            guard !state.isClosed else { return nil }
            let taken = Array(state.buffer.prefix(max(0, count)))
            state.buffer = state.buffer.dropFirst(taken.count)
            if state.buffer.isEmpty, state.offset >= state.end { state.isClosed = true }
            return taken.isEmpty ? nil : taken
        }
        guard let bytes else { return nil }
        return try transform(bytes)
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.buffer = []
        }
    }

    private func fetch() async throws(ObjectStoreError) {
        let (range, etag) = state.withLock { state in
            (state.offset..<state.offset + min(state.block, state.end - state.offset), state.etag)
        }
        let piece = try await ObjectStoreError.mapping { () async throws(S3Error) in try await client.get(name, range: range) }
        // Objects do not change; another one at this name was never ours.
        if let etag, piece?.object.etag != etag { throw .damaged }
        state.withLock { state in
            guard let piece else {
                state.end = state.offset
                return
            }
            state.etag = piece.object.etag
            state.objectSize = piece.object.size
            state.end = min(state.end, piece.object.size)
            state.offset += Int64(piece.bytes.count)
            state.block = min(state.block * 2, Self.largestBlock)
            if !state.isClosed { state.buffer = ArraySlice(state.buffer + piece.bytes) }
        }
    }
}
