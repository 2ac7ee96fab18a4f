package import FoundationEssentials

/// One file of an archive.
package struct ZipMember: Sendable {
    package enum Method: Sendable {
        /// Uncompressed: for content that is compressed already (audio).
        case stored
        case deflated
    }

    /// Relative, `/` between folders, UTF-8.
    package let path: String
    package let modified: ZipTimestamp
    package let method: Method
    /// Uncompressed bytes. The source must return exactly this many.
    package let length: Int64
    package let source: any ZipMemberSource

    package init(path: String, modified: ZipTimestamp, method: Method, length: Int64, source: any ZipMemberSource) {
        self.path = path
        self.modified = modified
        self.method = method
        self.length = length
        self.source = source
    }

    /// The time is written as UTC: a ZIP timestamp has no zone.
    package init(path: String, modified: Date, method: Method, length: Int64, source: any ZipMemberSource) {
        self.init(path: path, modified: ZipTimestamp(utc: modified), method: method, length: length, source: source)
    }
}
