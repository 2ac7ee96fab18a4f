package struct StartedEntry: Sendable {
    package var entry: Entry
    /// For a recording that has not arrived yet.
    package var upload: UploadTarget?
    package var replayed: Bool
}
