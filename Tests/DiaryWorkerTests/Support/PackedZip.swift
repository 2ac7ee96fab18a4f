import Foundation
import Synchronization
import ZipArchive

/// A zip of these files, in a file without a name.
enum PackedZip {
    static func make(_ files: [(path: String, bytes: [UInt8])]) async throws -> UnlinkedTempFile {
        let file = try UnlinkedTempFile(folder: NSTemporaryDirectory())
        let writer = ZipWriter(file: file)
        for (path, bytes) in files {
            try writer.add(
                ZipMember(
                    path: path, modified: Date(timeIntervalSince1970: 1_780_000_000), method: .stored, length: Int64(bytes.count),
                    source: Bytes(bytes)))
        }
        _ = try await writer.finish()
        return file
    }

    private final class Bytes: ZipMemberSource {
        private let left: Mutex<[UInt8]>

        init(_ bytes: [UInt8]) { left = Mutex(bytes) }

        func open() {}
        func close() {}
        func read(max: Int) -> [UInt8] {
            left.withLock { left in
                let piece = Array(left.prefix(max))
                left.removeFirst(piece.count)
                return piece
            }
        }
    }
}
