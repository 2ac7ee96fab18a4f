import ZipArchive

/// An unlinked temporary file that is written at its end, in blocks, off the cooperative pool: an export appends hundreds of thousands of short texts.
actor AppendedFile {
    private static let block = 1 << 20

    let file: UnlinkedTempFile
    private var pending: [UInt8] = []
    private var written: Int64 = 0

    init(folder: String) async throws {
        file = try await BlockingWork.run { try UnlinkedTempFile(folder: folder) }
    }

    /// What has been appended. The file itself lacks what `flush` has not written.
    var size: Int64 { written + Int64(pending.count) }

    /// - Returns: where the bytes begin.
    @discardableResult
    func append(_ bytes: [UInt8]) async throws -> Int64 {
        let start = size
        pending += bytes
        if pending.count >= Self.block { try await flush() }
        return start
    }

    /// Appends a range of another file, which has been flushed.
    func append(_ range: Range<Int64>, of other: UnlinkedTempFile) async throws {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let bytes = try await Self.read(other, from: offset, to: range.upperBound)
            try await append(bytes)
            offset += Int64(bytes.count)
        }
    }

    /// A block of a file, up to `end`.
    static func read(_ file: UnlinkedTempFile, from offset: Int64, to end: Int64) async throws -> [UInt8] {
        let count = Int(min(Int64(block), end - offset))
        let bytes = try await BlockingWork.run { try file.read(offset: offset, count: count) }
        guard bytes.count == count else { throw ZipError.lengthMismatch }
        return bytes
    }

    func flush() async throws {
        guard !pending.isEmpty else { return }
        let bytes = pending
        pending = []
        written += Int64(bytes.count)
        let file = file
        try await BlockingWork.run { _ = try file.append(bytes) }
    }
}
