package import DiaryCore
package import FoundationEssentials

/// A stored object, without its bytes.
package struct ByteObject: Sendable, Equatable {
    package var key: ObjectKey
    package var size: Int64
    /// When it came to this key: a move counts.
    package var storedAt: Date
    /// Its first bytes, as many as were requested.
    package var leading: [UInt8] = []
}
