package import DiaryCore
package import DiaryCrypto
import FoundationEssentials

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

extension ObjectKey {
    /// The final key of an object in staging; itself for another kind.
    package var promoted: ObjectKey {
        kind == .staging ? ObjectKey(kind: .audio, tenant: tenant, user: user, object: object) : self
    }

    /// Recordings keep their purpose when they are promoted.
    package var purpose: SealPurpose { kind == .export ? .export : .audio }
}
