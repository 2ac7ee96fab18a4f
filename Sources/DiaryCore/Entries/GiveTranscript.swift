import DiaryCrypto
import FoundationEssentials

/// Takes the words of a recording that its client has recognised itself, also while the recording is still to come. What they replace is kept
/// as revisions, and what the owner has written stays.
///
/// With `always` they stand in until the service has heard the recording: words of its own stay. With `never` they take the place of others
/// and of the work that is under way, and are cleaned.
package struct GiveTranscript: Sendable {
    let entries: any EntryStore
    let keys: DataKeys
    let jobSignals: any JobSignals

    /// - Parameter admit: called before work on other words of a client begins again.
    package func run(
        _ id: EntryID, _ words: ClientTranscript, recognise: Recognition, by member: Member, admit: () async throws(DiaryError) -> Void
    ) async throws(DiaryError) -> Entry {
        var isAdmitted = false
        let vault = try await keys.vault(of: member)
        for _ in 0..<3 {
            guard let stored = try await entries.transcript(id, timed: true, of: member) else { throw .notFound }
            let entry = try vault.open(stored.entry)
            guard entry.facts.kind == .voice else { throw DiaryError(.notAVoiceEntry) }
            guard !entry.isDamaged else { throw DiaryError(.entryDamaged) }
            guard let write = try Self.write(of: words, recognise, over: stored, entry, vault) else { return entry }
            if write.beginsAgain, !isAdmitted {
                try await admit()
                isAdmitted = true
            }
            switch try await entries.giveTranscript(write, keyID: vault.key.id, by: member) {
            case .written(let stored):
                if let next = write.next { jobSignals.jobCommitted(next) }
                return try vault.open(stored)
            case .missing: throw .notFound
            // A worker or another device was first.
            case .conflict: continue
            }
        }
        throw DiaryError(.concurrentChange, retryAfter: 1)
    }

    /// - Returns: nil when the entry stays as it is.
    private static func write(
        of words: ClientTranscript, _ recognise: Recognition, over stored: StoredTranscript, _ entry: Entry, _ vault: Vault
    ) throws(DiaryError) -> TranscriptWrite? {
        let (facts, old) = (entry.facts, entry.machine)
        let isClients = old.speechEngine?.isClient == true
        if recognise == .always, old.raw != nil, !isClients { return nil }
        let heard: [SpeechSegment]? =
            if let sealed = stored.segments { try vault.open(segments: sealed, of: facts.id) } else { nil }
        let spoken = words.spoken
        let version = (stored.entry.machine?.version ?? 0) + 1
        var machine = words.machine(version: version)
        // Sent again after a lost answer: corrections and cleaned words stay.
        let isSame = isClients && old.raw == words.text && old.speechEngine == machine.speechEngine && heard == spoken
        let stage = facts.processing?.stage
        let next = Self.next(after: facts, recognise)
        if isSame, next != nil, recognise == .always || stage != .transcribe { return nil }
        if isSame { machine = old }
        var write = TranscriptWrite(
            id: facts.id,
            machine: SealedColumn(bytes: try vault.seal(machine, as: .machine, row: facts.id.uuid, version: version), version: version),
            language: words.language, recognise: recognise, personalVersion: stored.entry.version, status: facts.status,
            stage: stage, next: next)
        guard !isSame else { return write }
        write.replacesSegments = true
        write.beginsAgain = isClients && next != nil
        if let spoken { write.segments = try vault.seal(spoken, as: .segments, row: facts.id.uuid, version: version) }
        if let sealed = stored.entry.machine {
            write.replaced = try vault.revisions(
                of: old, version: sealed.version, replacedBy: words.text, stored.segments, stored.corrections, of: facts.id)
        }
        return write
    }

    /// The stage that begins with the words; nil while the recording has not passed its check, which decides then.
    private static func next(after facts: EntryFacts, _ recognise: Recognition) -> JobKind? {
        let stage = facts.processing?.stage
        switch facts.status {
        case .awaitingUpload: return nil
        case .uploaded where stage != .transcribe: return nil
        case .failed where stage == .verify: return nil
        case .uploaded, .transcribing: return recognise == .always ? .transcribe : .clean
        case .cleaning, .transcribed, .failed: return .clean
        }
    }
}

/// Words of a client to be written over what was read: nothing is written when the entry has changed since.
package struct TranscriptWrite: Sendable {
    package var id: EntryID
    /// Its version follows the one that was read.
    package var machine: SealedColumn
    /// nil: as it was.
    package var language: String?
    package var recognise: Recognition
    package var personalVersion: Int64
    package var status: EntryStatus
    package var stage: JobKind?
    /// Takes the place of the entry's jobs; nil: these stay.
    package var next: JobKind?
    /// Counts as a new entry: what begins `next` replaces other words of a client.
    package var beginsAgain = false
    /// Corrections go with the segments that they are of.
    package var replacesSegments = false
    /// Of the machine part's version; nil: without times.
    package var segments: [UInt8]?
    package var replaced: [SealedRevision] = []
}
