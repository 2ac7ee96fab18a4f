/// An account about to get its tombstone.
package struct NewDeletion: Sendable {
    package var id: DeletionID
    package var receiptHash: [UInt8]
    /// Whose it is, sealed under the service's key.
    package var subjectSealed: [UInt8]
    /// How long an upload address given just now still works.
    package var uploadSeconds: Int
}
