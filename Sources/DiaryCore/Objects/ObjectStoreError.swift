package enum ObjectStoreError: Error, Sendable, Equatable {
    case missing
    /// An object is never overwritten.
    case alreadyExists
    /// Fewer or more bytes came than were announced.
    case lengthMismatch
    /// The body's SHA-256 is not the announced one.
    case checksumMismatch
    /// Truncated, reordered or sealed with another key.
    case damaged
    /// Disk full, read-only or failing; `full` maps to 507, the rest to 503.
    case unavailable(full: Bool)
}
