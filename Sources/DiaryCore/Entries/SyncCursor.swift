import WireFormats

/// The cursor of the feed: opaque to clients, 34 characters.
package struct SyncCursor: Sendable, Equatable {
    package let changeNumber: Int64
    /// Up to which change tombstones had been purged when this reading of the feed began. Tombstones purged before are not missing in it.
    package let purgedThrough: Int64
    /// The epoch of the database that gave the cursor. A restored database begins another one, in which this cursor has expired for ever.
    package let epoch: Int64

    package var text: String {
        Base64URL.encode([3] + [changeNumber, purgedThrough, epoch].flatMap { UInt64(bitPattern: $0).bigEndianBytes })
    }
}

extension SyncCursor {
    package init?(parsing text: String) {
        guard text.utf8.count == 34, let bytes = Base64URL.decode(text), bytes.count == 25, bytes[0] == 3,
            let change = Int64(exactly: UInt64(bigEndianBytes: bytes[1..<9])),
            let purged = Int64(exactly: UInt64(bigEndianBytes: bytes[9..<17])),
            let epoch = Int64(exactly: UInt64(bigEndianBytes: bytes[17...]))
        else { return nil }
        self.init(changeNumber: change, purgedThrough: purged, epoch: epoch)
    }
}
