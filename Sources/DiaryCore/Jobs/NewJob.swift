/// A job that a store inserts in the transaction that writes its subject.
package struct NewJob: Sendable {
    package let id: JobID
    package let kind: JobKind
    /// Seconds (`JobCost`).
    package let cost: Double

    package init(_ kind: JobKind, id: JobID = JobID(UUIDv7.make()), cost: Double = JobCost.small) {
        self.id = id
        self.kind = kind
        self.cost = cost
    }
}

package enum Jobs {}
package typealias JobID = ID<Jobs>
