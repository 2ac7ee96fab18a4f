package import FoundationEssentials

/// A part of a recording that an engine has heard. Stored sealed, as JSON.
package struct SpeechPart: Sendable, Equatable, Codable {
    /// From 0.
    package var index: Int
    /// Where the recording was cut: seconds from its start, in whole milliseconds.
    package var start: Double
    package var end: Double
    /// Where the next part begins, before `end` when they overlap; nil for the last part.
    package var next: Double?
    /// The language that was asked for; nil when the engine was to find out.
    package var asked: String?
    /// The language that was heard.
    package var language: String
    /// The model that the engine's answer names.
    package var model: String?
    /// Times in seconds from the recording's start.
    package var segments: [SpeechSegment]
    /// Where the part has voice, likewise; nil when that was not measured.
    package var voice: [VoiceSpan]? = nil

    package init(
        index: Int, start: Double, end: Double, next: Double?, asked: String?, language: String, model: String?, segments: [SpeechSegment],
        voice: [VoiceSpan]? = nil
    ) {
        self.index = index
        self.start = start
        self.end = end
        self.next = next
        self.asked = asked
        self.language = language
        self.model = model
        self.segments = segments
        self.voice = voice
    }
}

extension Vault.Part {
    /// Row = the entry's id, version = the part's number from 1.
    package static let speechPart = Vault.Part(name: "part", table: "speech_parts")
}

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

/// Heard parts of recordings as the database holds them, by the database role `diary_worker`. They go with the entry's result, with the
/// entry, with the account, and by age.
package protocol SpeechPartStore: Sendable {
    /// In order of their numbers.
    /// - Parameters:
    ///   - engine: name and model, as `EngineReference.text`.
    ///   - object: the recording that was heard.
    func parts(of entry: EntryID, object: UUID, engine: String, of owner: Owner) async throws(WorkError) -> [StoredSpeechPart]
    /// Fenced by the lease. A part with the same number is replaced. `ownerGone` when the entry was deleted (the job is then finished), or
    /// when the key is no longer the live one.
    /// - Parameter used: counted with the part; once, also when the same part is given again because an answer was lost.
    func keep(
        _ part: StoredSpeechPart, used: UsageAmount, keyID: UUID, object: UUID, engine: String, _ job: LeasedJob
    ) async throws(WorkError)
}

/// A heard part, sealed, and where the recording was cut.
package struct StoredSpeechPart: Sendable, Equatable {
    package var index: Int
    package var fromMilliseconds: Int64
    package var toMilliseconds: Int64
    package var sealed: [UInt8]

    package init(index: Int, fromMilliseconds: Int64, toMilliseconds: Int64, sealed: [UInt8]) {
        self.index = index
        self.fromMilliseconds = fromMilliseconds
        self.toMilliseconds = toMilliseconds
        self.sealed = sealed
    }
}
