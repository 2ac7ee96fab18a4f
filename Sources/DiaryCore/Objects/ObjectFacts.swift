package struct ObjectFacts: Sendable, Equatable {
    /// Bytes before sealing.
    package var size: Int64

    package init(size: Int64) { self.size = size }
}
