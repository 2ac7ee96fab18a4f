/// Entries under their jobs, and what each stage writes, by the database role `diary_worker`. Each `finish…` ends the job and makes its
/// successor ready in one transaction, fenced by the lease.
/// - Returns (`finish…`): the kind of the job that was committed with the result; nil when there is none.
package protocol TranscriptionStore: SpeechPartStore {
    /// Marks the entry as being worked on and returns it. `ownerGone` when it was deleted; the job is then finished.
    func beginEntry(_ job: LeasedJob) async throws(WorkError) -> HeardEntry
    /// False when the entry was deleted since, also into the trash.
    func isThere(_ job: LeasedJob) async throws(WorkError) -> Bool
    /// Stores the measured facts of the recording, and what was made of it. A recording that was imported with its texts is finished then;
    /// words of its client are cleaned, where it wants no others (`Recognition`).
    func finishVerify(
        _ job: LeasedJob, facts: MediaFacts, size: Int64, sha256: [UInt8], rendition: NewRendition
    ) async throws(WorkError) -> FinishedStage
    /// Stores the raw text and the segments.
    /// - Parameters:
    ///   - language: BCP 47; nil when the engine does not say which.
    ///   - begun: the entry's language when the work began. A language that the owner has set since is kept.
    /// - Throws: `unavailable`, with `dependency_unavailable` and nothing written, when the corrections are not those of `replaced`: to be
    ///   repeated with the present ones.
    func finishTranscribe(
        _ job: LeasedJob, machine: SealedResult, segments: SealedResult, language: String?, insteadOf begun: String?,
        replaced: ReplacedTexts
    ) async throws(WorkError) -> JobKind?
    /// What the account's profile says of the speech in its recordings.
    func expectedSpeech(of owner: Owner, in entry: EntryID) async throws(WorkError) -> ExpectedSpeech
    func segments(_ entry: EntryID, of owner: Owner) async throws(WorkError) -> SealedColumn?
    func corrections(_ entry: EntryID, of owner: Owner) async throws(WorkError) -> StoredCorrections?
    /// For each stage that writes only the machine's part.
    /// - Throws: as `finishTranscribe`.
    /// - Parameter code: what the stage waits for. The entry is finished with what it has and shows the code; once it is there, the stage is
    ///   done again, and those that follow it.
    func finishMachine(
        _ job: LeasedJob, machine: SealedResult, replaced: ReplacedTexts, waiting code: ProcessingCode?
    ) async throws(WorkError) -> JobKind?
}

/// An entry with the sealed segments of its recording, once it was heard, and what its owner has corrected in them.
package struct HeardEntry: Sendable {
    package var recording: StoredRecording
    package var run: EntryRun
    package var segments: SealedColumn?
    package var corrections: StoredCorrections?

    package init(recording: StoredRecording, run: EntryRun, segments: SealedColumn?, corrections: StoredCorrections?) {
        self.recording = recording
        self.run = run
        self.segments = segments
        self.corrections = corrections
    }

    package var entry: StoredEntry { recording.entry }
}

/// The end of a stage that may be an entry's last one.
package struct FinishedStage: Sendable, Equatable {
    /// False when the entry was deleted meanwhile.
    package var isWritten: Bool
    /// It is not in the trash either.
    package var isGone: Bool = false
    /// The kind of the job that was committed with the result.
    package var next: JobKind?

    package init(isWritten: Bool, isGone: Bool = false, next: JobKind?) {
        self.isWritten = isWritten
        self.isGone = isGone
        self.next = next
    }
}

extension TranscriptionStore {
    /// A first result.
    package func finishTranscribe(
        _ job: LeasedJob, machine: SealedResult, segments: SealedResult, language: String?, insteadOf begun: String?
    ) async throws(WorkError) -> JobKind? {
        try await finishTranscribe(
            job, machine: machine, segments: segments, language: language, insteadOf: begun, replaced: .nothing)
    }

    package func finishMachine(_ job: LeasedJob, machine: SealedResult) async throws(WorkError) -> JobKind? {
        try await finishMachine(job, machine: machine, replaced: .nothing, waiting: nil)
    }
}

/// What an account's profile, and a recording's loudness, say of the speech in it.
package struct ExpectedSpeech: Sendable, Equatable {
    /// BCP 47; empty means any.
    package var languages: [String] = []
    /// BCP 47; nil: the account has none.
    package var locale: String? = nil
    /// Sealed (`Vault.vocabulary`); nil: no words.
    package var vocabularySealed: [UInt8]? = nil
    /// Of the recording, sealed (`Vault.Part.waveform`); nil: not drawn.
    package var waveformSealed: [UInt8]? = nil
    /// Engines hear the recording's copy.
    package var hearsCopy: Bool = false
    /// The app wants speakers guessed where the engine tells none apart.
    package var guessesSpeakers: Bool = false

    package init(
        languages: [String] = [], locale: String? = nil, vocabularySealed: [UInt8]? = nil, waveformSealed: [UInt8]? = nil,
        hearsCopy: Bool = false, guessesSpeakers: Bool = false
    ) {
        self.languages = languages
        self.locale = locale
        self.vocabularySealed = vocabularySealed
        self.waveformSealed = waveformSealed
        self.hearsCopy = hearsCopy
        self.guessesSpeakers = guessesSpeakers
    }
}

/// A recording whose bytes `MediaProbe` has accepted, opened into a job's folder.
package struct VerifiedRecording: Sendable {
    /// A file inside `folder`.
    package var path: String
    /// The job's own (0700), and the only one that a child process may see.
    package var folder: String
    /// The media type that the probe accepted; it fixes the demuxer.
    package var contentType: String
    /// What the probe measured.
    package var durationSeconds: Double

    package init(path: String, folder: String, contentType: String, durationSeconds: Double) {
        self.path = path
        self.folder = folder
        self.contentType = contentType
        self.durationSeconds = durationSeconds
    }
}

/// What a worker's result replaces, kept in the write of the result.
package struct ReplacedTexts: Sendable, Equatable {
    package var revisions: [SealedRevision] = []
    /// The version of the owner's corrections that the result takes into account, 0 when there were none: of a recognition those among
    /// `revisions`, of a cleaning those in its text. The write is refused when they have changed since. nil: any.
    package var corrections: Int64? = nil
    /// The version of the owner's part that `corrections` were read with: while the entry has it, they have not changed. nil: not known.
    /// Without `corrections` the result was made of that part, and the write is refused when it has another version.
    package var personal: Int64? = nil

    package init(revisions: [SealedRevision] = [], corrections: Int64? = nil, personal: Int64? = nil) {
        self.revisions = revisions
        self.corrections = corrections
        self.personal = personal
    }

    /// What a first result replaces.
    package static let nothing = ReplacedTexts()
}
