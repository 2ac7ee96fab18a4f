import DiaryCore
import DiaryCrypto
import Synchronization
import ZipArchive

/// A document that is put together of bytes in memory and ranges of a temporary file, so that it costs neither memory nor another copy on disk.
final class ComposedFile: Sendable {
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

    /// Up to `max` bytes; empty means the end, after which it begins anew.
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
            position = Position()
            return []
        }
    }

    /// Reads all of it.
    func digest() throws -> [UInt8] {
        var hash = SHA256Stream()
        while true {
            let bytes = try read(max: 1 << 18)
            if bytes.isEmpty { return hash.finish() }
            hash.update(bytes)
        }
    }
}
