/// A job that a store inserts in the transaction that writes its subject.
package struct NewJob: Sendable {
    package let id: JobID
    package let kind: JobKind

    package init(_ kind: JobKind, id: JobID = JobID(UUIDv7.make())) {
        self.id = id
        self.kind = kind
    }
}
