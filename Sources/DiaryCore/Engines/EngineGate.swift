/// Decides whether an engine may be called, and is told what came of the call: consent, budgets, slots, circuit breakers. One file and one
/// registration each.
package protocol EngineGate: Sendable {
    /// - Throws: why not. `permanent` and `configuration` leave the engine out for this call; `retry` says when it may be asked again.
    func admit(_ engine: EngineSettings, _ call: EngineCall) async throws(ProviderFailure)
    /// Before each further request of a call under way, as for the next part of a long recording: whether it may still go out.
    /// - Throws: as `admit`.
    func admitsStill(_ engine: EngineSettings, _ call: EngineCall) async throws(ProviderFailure)
    /// After each call that was admitted by this gate, also when a later gate refused it, or there was nothing to ask (`notCalled`).
    func ended(_ engine: EngineSettings, _ call: EngineCall, _ result: EngineResult) async
}

extension EngineGate {
    /// By default a gate asks once per call and never stops a call under way.
    package func admitsStill(_ engine: EngineSettings, _ call: EngineCall) async throws(ProviderFailure) {}
}

/// The call that is about to be made, as gates see it.
package struct EngineCall: Sendable, Equatable {
    package let owner: Owner
    package let entry: EntryID
    /// Of the recording, without the parts that were heard before and kept; 0 for text.
    package var audioSeconds: Double = 0
    /// Of the text; 0 for speech.
    package var characters: Int = 0

    package init(owner: Owner, entry: EntryID, audioSeconds: Double = 0, characters: Int = 0) {
        self.owner = owner
        self.entry = entry
        self.audioSeconds = audioSeconds
        self.characters = characters
    }
}

package enum EngineResult: Sendable, Equatable {
    case answered(EngineUse)
    case failed(ProviderFailure)
    case notCalled
}

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
