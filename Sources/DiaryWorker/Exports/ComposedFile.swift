import DiaryCore
import DiaryCrypto
import Synchronization
import ZipArchive

/// A member that is put together of bytes in memory and ranges of a temporary file, so that it costs neither memory nor a second copy on disk.
final class ComposedFile: ZipMemberSource {
    enum Piece: Sendable {
        case bytes([UInt8])
        case range(Range<Int64>)

        var count: Int64 {
            switch self {
            case .bytes(let bytes): Int64(bytes.count)
            case .range(let range): range.upperBound - range.lowerBound
            }
        }
    }

    private struct Position {
        var piece = 0
        /// Within the piece.
        var offset: Int64 = 0
    }

    let length: Int64
    private let file: UnlinkedTempFile
    private let pieces: [Piece]
    private let position = Mutex(Position())

    init(_ pieces: [Piece], of file: UnlinkedTempFile) {
        self.file = file
        self.pieces = pieces
        length = pieces.reduce(0) { $0 + $1.count }
    }

    func open() throws {
        try Failpoint.exportMidZip.hit()
        position.withLock { $0 = Position() }
    }

    func read(max: Int) throws -> [UInt8] {
        try position.withLock { position in
            while position.piece < pieces.count {
                let piece = pieces[position.piece]
                let count = min(Int64(max), piece.count - position.offset)
                guard count > 0 else {
                    position = Position(piece: position.piece + 1)
                    continue
                }
                let start = position.offset
                position.offset += count
                switch piece {
                case .bytes(let bytes): return Array(bytes.dropFirst(Int(clamping: start)).prefix(Int(clamping: count)))
                case .range(let range): return try file.read(offset: range.lowerBound + start, count: Int(clamping: count))
                }
            }
            return []
        }
    }

    func close() {}

    /// Reads all of it.
    func digest() throws -> [UInt8] {
        var hash = SHA256Stream()
        position.withLock { $0 = Position() }
        while true {
            let bytes = try read(max: 1 << 18)
            if bytes.isEmpty { return hash.finish() }
            hash.update(bytes)
        }
    }
}
