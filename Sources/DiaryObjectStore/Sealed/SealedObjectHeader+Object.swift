import DiaryCore
import DiaryCrypto

extension SealedObjectHeader {
    /// - Parameter object: with its first `SealedObjectHeader.count` bytes.
    /// - Throws: `damaged` when the header is another object's or states another length than the stored one.
    init(of object: ByteObject) throws(ObjectStoreError) {
        try self.init(object.leading, of: object.key, size: object.size)
    }

    /// - Parameters:
    ///   - leading: the object's first `SealedObjectHeader.count` bytes.
    ///   - size: of the stored object, in bytes.
    /// - Throws: as above.
    init(_ leading: [UInt8], of key: ObjectKey, size: Int64) throws(ObjectStoreError) {
        do { try self.init(parsing: leading) } catch { throw .damaged }
        guard objectID == key.object, size == SealedObjectLayout.sealedLength(ofPlain: plainLength) else { throw .damaged }
    }
}
