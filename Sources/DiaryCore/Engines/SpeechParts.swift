/// The parts of one recording that engines have heard, kept until its whole text is stored, so that no part is paid for twice. Belongs to
/// one job.
package protocol SpeechParts: Sendable {
    /// What earlier tries have kept of this engine's, in order.
    /// - Parameter engine: with the model that is asked.
    func kept(by engine: EngineReference) async throws(ProviderFailure) -> [SpeechPart]
    /// Returns when the part is stored and what it used is counted, both at once. A part with the same number is replaced.
    /// - Throws: also when the job was lost; nothing more may be asked then.
    func keep(_ part: SpeechPart, by engine: EngineReference, used: UsageAmount) async throws(ProviderFailure)
}

/// Carries `SpeechParts` in a request. It is no part of what is asked, so all are equal.
package struct SpeechPartAccess: Sendable, Equatable {
    package let parts: any SpeechParts

    package init(_ parts: any SpeechParts) { self.parts = parts }

    package static func == (left: Self, right: Self) -> Bool { true }
}
