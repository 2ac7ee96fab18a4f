package import DiaryCore
package import FoundationEssentials

/// What a verified upload URL allows: one PUT of exactly this.
package struct UploadGrant: Sendable, Equatable {
    package let key: ObjectKey
    package let contentType: String
    /// Bytes; the body must have neither fewer nor more.
    package let length: Int64
    /// 32 bytes, when the client announced one.
    package let sha256: [UInt8]?
    package let expiresAt: Date
}

/// Why an upload was refused. `expired` is only said of a URL that we did sign, so that the client may ask for a new one.
package enum UploadRefusal: Error, Sendable, Equatable, CaseIterable {
    /// Not a PUT.
    case method
    /// Not a staging key under the public path.
    case path
    /// A query parameter is missing, repeated, unknown or ill-formed.
    case parameters
    /// Another access key, region or service.
    case scope
    /// A signed header is missing, repeated or ill-formed, or there is one that must not be.
    case headers
    case signatureInvalid
    case notYetValid
    case expired
}
