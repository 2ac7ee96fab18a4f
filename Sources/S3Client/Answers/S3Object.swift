import CurlTransfer
package import FoundationEssentials
import WireFormats

/// What the service says of an object.
package struct S3Object: Sendable, Equatable {
    package let size: Int64
    /// The tag as sent, with its quotes.
    package let etag: String
    /// In whole seconds.
    package let storedAt: Date
    package let versionID: String?
    package let contentType: String?
    /// `x-amz-meta-…` without that prefix, in lower case.
    package let metadata: [String: String]

    /// - Parameter size: of the whole object.
    init?(_ head: ResponseHead, size: Int64?) {
        guard let size, size >= 0, let storedAt = head.header("last-modified").flatMap({ HTTPDate.date($0) }) else { return nil }
        self.size = size
        self.storedAt = storedAt
        etag = head.header("etag") ?? ""
        versionID = head.header("x-amz-version-id")
        contentType = head.header("content-type")
        let prefix = "x-amz-meta-"
        metadata = Dictionary(
            head.headers.filter { $0.name.hasPrefix(prefix) }.map { (String($0.name.dropFirst(prefix.count)), $0.value) }
        ) { first, _ in first }
    }
}

/// A range of an object's bytes.
package struct S3Piece: Sendable {
    package let object: S3Object
    package let bytes: [UInt8]
}
