import DiaryCrypto
import PostgresClient

extension Row {
    /// Sealed bytes inside the server's answer, so that a page is not copied before it is opened; NULL is nil.
    func sealedOrNil(_ column: Int) throws(DatabaseError) -> SealedBytes? {
        guard let lent = try lentBytesOrNil(column) else { return nil }
        return SealedBytes(lent: lent.bytes, by: lent.owner)
    }
}
