/// The answer to a request that creates an entry, as the contract names it.
package struct StartedEntry: Sendable {
    package var entry: Entry
    /// For a recording that has not arrived yet.
    package var upload: UploadTarget?
    package var replayed: Bool
}
