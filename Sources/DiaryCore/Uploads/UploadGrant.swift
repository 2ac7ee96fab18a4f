/// What a valid upload URL permits: a body of this length, type and, when given, digest, to this key, once.
package struct UploadGrant: Sendable, Equatable {
    package var key: ObjectKey
    package var contentType: String
    package var length: Int64
    package var sha256: [UInt8]?

    package init(key: ObjectKey, contentType: String, length: Int64, sha256: [UInt8]?) {
        self.key = key
        self.contentType = contentType
        self.length = length
        self.sha256 = sha256
    }
}
