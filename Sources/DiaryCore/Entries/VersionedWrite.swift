/// The outcome of a write that names the version it is based on.
package enum VersionedWrite<Written: Sendable>: Sendable {
    case written(Written)
    /// Nothing was written, because the entry has another version: the present entry.
    case conflict(Entry)
}
