import DiaryCore
import DiaryCrypto

extension SealedObjectHeader {
    /// - Parameter object: with its first `SealedObjectHeader.count` bytes.
    /// - Throws: `damaged` when the header is another object's or states another length than the stored one.
    init(of object: ByteObject) throws(ObjectStoreError) {
        do { try self.init(parsing: object.leading) } catch { throw .damaged }
        guard objectID == object.key.object, object.size == SealedObjectLayout.sealedLength(ofPlain: plainLength) else { throw .damaged }
    }
}
