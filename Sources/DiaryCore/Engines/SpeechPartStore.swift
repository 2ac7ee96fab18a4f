package import FoundationEssentials

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
