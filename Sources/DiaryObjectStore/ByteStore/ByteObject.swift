package import DiaryCore
package import FoundationEssentials

/// A stored object, without its bytes.
package struct ByteObject: Sendable, Equatable {
    package var key: ObjectKey
    package var size: Int64
    /// When it came to this key: a move counts.
    package var storedAt: Date
    /// Its first bytes, as many as were requested.
    package var leading: [UInt8]

    package init(key: ObjectKey, size: Int64, storedAt: Date, leading: [UInt8] = []) {
        self.key = key
        self.size = size
        self.storedAt = storedAt
        self.leading = leading
    }
}
