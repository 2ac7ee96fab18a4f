/// The end of a write that names the version it is based on.
package enum VersionedWrite<Written: Sendable>: Sendable {
    case written(Written)
    /// Nothing was written: the entry has another version. As it is now.
    case conflict(Entry)
}
