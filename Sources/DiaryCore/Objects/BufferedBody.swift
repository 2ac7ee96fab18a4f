import Synchronization

/// Bytes in memory as a body.
package final class BufferedBody: ByteStream {
    /// As long as a sealed segment.
    private static let pieceBytes = 64 * 1_024

    private let rest: Mutex<ArraySlice<UInt8>>

    package init(_ bytes: [UInt8]) { rest = Mutex(bytes[...]) }

    package func next() async throws -> [UInt8]? {
        rest.withLock { rest in
            guard !rest.isEmpty else { return nil }
            let piece = Array(rest.prefix(Self.pieceBytes))
            rest = rest.dropFirst(piece.count)
            return piece
        }
    }
}
