package struct ObjectFacts: Sendable, Equatable {
    /// Bytes before sealing.
    package var size: Int64
}
