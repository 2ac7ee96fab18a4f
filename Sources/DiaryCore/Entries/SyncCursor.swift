import WireFormats

/// The cursor of the feed: opaque to clients; 23 characters in epoch 0, 34 in others.
package struct SyncCursor: Sendable, Equatable {
    package let changeNumber: Int64
    /// Up to which change tombstones had been purged when this reading of the feed began. Tombstones purged before are not missing in it.
    package let purgedThrough: Int64
    /// The epoch of the database that gave the cursor. A restored database begins another one, in which this cursor has expired for ever.
    package let epoch: Int64

    package var text: String {
        let place = UInt64(bitPattern: changeNumber).bigEndianBytes + UInt64(bitPattern: purgedThrough).bigEndianBytes
        // Epoch 0 is left out, so that each cursor has one spelling and those of earlier versions stay valid until the first restore.
        return Base64URL.encode(epoch == 0 ? [3] + place : [4] + place + UInt64(bitPattern: epoch).bigEndianBytes)
    }
}

extension SyncCursor {
    package init?(parsing text: String) {
        guard text.utf8.count == 23 || text.utf8.count == 34, let bytes = Base64URL.decode(text),
            bytes.count == 17 && bytes[0] == 3 || bytes.count == 25 && bytes[0] == 4,
            let change = Int64(exactly: UInt64(bigEndianBytes: bytes[1..<9])),
            let purged = Int64(exactly: UInt64(bigEndianBytes: bytes[9..<17])),
            let epoch = Int64(exactly: UInt64(bigEndianBytes: bytes[17...])), (epoch == 0) == (bytes[0] == 3)
        else { return nil }
        self.init(changeNumber: change, purgedThrough: purged, epoch: epoch)
    }
}
