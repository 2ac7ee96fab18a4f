import Synchronization

/// A range of a temporary file as a member, for content composed before the archive is written.
package final class TempFileSlice: ZipMemberSource {
    private let file: UnlinkedTempFile
    private let range: Range<Int64>
    private let position: Mutex<Int64>

    package init(file: UnlinkedTempFile, offset: Int64, length: Int64) {
        let start = max(offset, 0)
        let (end, overflow) = start.addingReportingOverflow(max(length, 0))
        self.file = file
        range = start..<(overflow ? Int64.max : end)
        position = Mutex(start)
    }

    package func open() throws { position.withLock { $0 = range.lowerBound } }

    package func read(max: Int) throws -> [UInt8] {
        let start = position.withLock { $0 }
        let bytes = try file.read(offset: start, count: min(max, Int(clamping: range.upperBound - start)))
        position.withLock { $0 = start + Int64(bytes.count) }
        return bytes
    }

    package func close() {}
}
