/// A deletion under lease. `attempt` fences every write (decision D2).
package struct LeasedDeletion: Sendable, Equatable {
    package let id: DeletionID
    package let subjectSealed: [UInt8]
    package let attempt: Int
    package let isKeyDestroyed: Bool
    /// Everything is deleted; only late uploads are still searched for.
    package let isErased: Bool

    package init(id: DeletionID, subjectSealed: [UInt8], attempt: Int, isKeyDestroyed: Bool, isErased: Bool) {
        self.id = id
        self.subjectSealed = subjectSealed
        self.attempt = attempt
        self.isKeyDestroyed = isKeyDestroyed
        self.isErased = isErased
    }
}
