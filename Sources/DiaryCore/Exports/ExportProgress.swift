/// How far the building of an export is.
package struct ExportProgress: Sendable, Equatable {
    package var entries: Int
    package var entriesTotal: Int
    /// Bytes of the files of entries, before they are packed.
    package var bytes: Int64
    package var bytesTotal: Int64
    /// Seconds for what is left, by the speed until now; nil before there is one.
    package var estimatedSeconds: Int?

    package init(entries: Int, entriesTotal: Int, bytes: Int64, bytesTotal: Int64, estimatedSeconds: Int?) {
        self.entries = entries
        self.entriesTotal = entriesTotal
        self.bytes = bytes
        self.bytesTotal = bytesTotal
        self.estimatedSeconds = estimatedSeconds
    }

    /// From 0 to 100, of the bytes; of the entries where there are no bytes.
    package var percent: Int {
        let (done, total) = bytesTotal > 0 ? (Double(bytes), Double(bytesTotal)) : (Double(entries), Double(entriesTotal))
        return total > 0 ? Int(min(max(done / total, 0), 1) * 100) : 0
    }
}
