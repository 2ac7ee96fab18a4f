/// What an engine calls between the requests of one call: a long recording goes in parts, a long text in pieces.
///
/// All values are equal, so that two requests which ask the same are, too.
package struct CallSteps: Sendable, Equatable {
    private let admit: @Sendable () async throws(ProviderFailure) -> Void
    private let note: @Sendable (Int) -> Void

    /// - Parameters:
    ///   - admit: whether the call may still go on.
    ///   - note: is told percent of the call's work.
    package init(
        admit: @escaping @Sendable () async throws(ProviderFailure) -> Void, note: @escaping @Sendable (_ percent: Int) -> Void
    ) {
        self.admit = admit
        self.note = note
    }

    /// Before each request that was not admitted with the call itself, or long after it.
    /// - Throws: as the gate that refuses it. What was heard or written by then is kept or counted as after any failure.
    package func admitNext() async throws(ProviderFailure) { try await admit() }

    /// - Parameter done: the share of the call's work that is done, from 0 to 1.
    package func report(_ done: Double) {
        guard done.isFinite else { return }
        note(Int(min(max(done, 0), 1) * 100))
    }

    package static func == (left: Self, right: Self) -> Bool { true }
}
