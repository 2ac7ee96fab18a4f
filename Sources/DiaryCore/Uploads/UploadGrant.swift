/// What a valid upload URL permits: to store, once, a body of this length, type and, when given, digest under this key; or one part of it.
package struct UploadGrant: Sendable, Equatable {
    package var key: ObjectKey
    package var contentType: String
    package var length: Int64
    package var sha256: [UInt8]?
    package var part: PartKey? = nil

    package init(key: ObjectKey, contentType: String, length: Int64, sha256: [UInt8]?, part: PartKey? = nil) {
        self.key = key
        self.contentType = contentType
        self.length = length
        self.sha256 = sha256
        self.part = part
    }
}
