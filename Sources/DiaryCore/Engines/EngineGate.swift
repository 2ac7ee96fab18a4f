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
