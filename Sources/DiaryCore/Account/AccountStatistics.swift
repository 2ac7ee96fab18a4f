/// What a diary holds.
package struct AccountStatistics: Sendable, Equatable {
    package var entries: Int64
    /// Of recordings that have arrived.
    package var durationSeconds: Double
    package var sizeBytes: Int64

    package init(entries: Int64, durationSeconds: Double, sizeBytes: Int64) {
        self.entries = entries
        self.durationSeconds = durationSeconds
        self.sizeBytes = sizeBytes
    }
}
