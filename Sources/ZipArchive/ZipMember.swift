package import FoundationEssentials

/// One file of an archive.
package struct ZipMember: Sendable {
    package enum Method: Sendable {
        /// Uncompressed: for content that is compressed already (audio).
        case stored
        case deflated
        /// Deflated already (`Deflater`): the source returns so many bytes, which have this CRC-32 when they are unpacked.
        case packed(size: Int64, crc32: UInt32)
    }

    /// Relative, `/` between folders, UTF-8.
    package let path: String
    package let modified: ZipTimestamp
    package let method: Method
    /// Uncompressed bytes. The source must return exactly this many, unless they are packed.
    package let length: Int64
    package let source: any ZipMemberSource

    package init(path: String, modified: ZipTimestamp, method: Method, length: Int64, source: any ZipMemberSource) {
        self.path = path
        self.modified = modified
        self.method = method
        self.length = length
        self.source = source
    }

    /// Bytes that the source returns.
    var sourceLength: Int64 {
        if case .packed(let size, _) = method { size } else { length }
    }

    /// The time is written as UTC: a ZIP timestamp has no zone.
    package init(path: String, modified: Date, method: Method, length: Int64, source: any ZipMemberSource) {
        self.init(path: path, modified: ZipTimestamp(utc: modified), method: method, length: length, source: source)
    }
}
