import BlockingCalls
import DiaryCore
import ZipArchive

/// A zip as a body while it is being written, in pieces of 256 KiB. What is in its file is read off the cooperative pool (decision D5).
final class PipedZip: ByteStream {
    private static let piece = 1 << 18
    /// Apart from `BlockingWork`: a zip that is written elsewhere at the same time waits for this one to be read.
    private static let pool = BlockingPool(threads: 1)

    /// Makes the thread. Called at start, because a refused thread ends the process.
    static func prepare() { _ = pool }

    private let pipe: ZipPipe
    private let taken: @Sendable (Int64) -> Void

    /// - Parameter taken: is told how many bytes have been handed over.
    init(_ pipe: ZipPipe, taken: @escaping @Sendable (Int64) -> Void) {
        self.pipe = pipe
        self.taken = taken
    }

    /// - Throws: `ZipError` when the zip cannot be written.
    func next() async throws -> [UInt8]? {
        let pipe = pipe
        switch try await pipe.next(max: Self.piece) {
        case .memory(let bytes, let end):
            taken(end)
            return bytes
        case .file(let range):
            let bytes = try await Self.pool.run { try pipe.read(range) }
            taken(range.upperBound)
            return bytes
        case nil:
            try Failpoint.exportZipClosed.hit()
            return nil
        }
    }
}
