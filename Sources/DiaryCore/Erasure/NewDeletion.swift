/// The tombstone and deletion of an account, to be inserted.
package struct NewDeletion: Sendable {
    package var id: DeletionID
    package var receiptHash: [UInt8]
    /// The owner, sealed under the service's key.
    package var subjectSealed: [UInt8]
    /// How long an upload URL that was issued just now stays valid.
    package var uploadSeconds: Int
}
