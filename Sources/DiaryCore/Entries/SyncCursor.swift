import WireFormats

/// The cursor of the feed: opaque to clients, 23 characters.
package struct SyncCursor: Sendable, Equatable {
    package let changeNumber: Int64
    /// Up to which change tombstones had been purged when this reading of the feed began. Tombstones purged before are not missing in it.
    package let purgedThrough: Int64

    package var text: String {
        Base64URL.encode([3] + UInt64(bitPattern: changeNumber).bigEndianBytes + UInt64(bitPattern: purgedThrough).bigEndianBytes)
    }
}

extension SyncCursor {
    package init?(parsing text: String) {
        guard text.utf8.count == 23, let bytes = Base64URL.decode(text), bytes.count == 17, bytes[0] == 3,
            let change = Int64(exactly: UInt64(bigEndianBytes: bytes[1..<9])),
            let purged = Int64(exactly: UInt64(bigEndianBytes: bytes[9...]))
        else { return nil }
        self.init(changeNumber: change, purgedThrough: purged)
    }
}
