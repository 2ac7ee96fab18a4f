import DiaryCrypto
import FoundationEssentials

/// Makes a second entry with the recording and the words of one: what a user keeps beside a version that another device has written.
///
/// The recording is sealed anew as an object of its own, so that neither entry's end is the other's, and it is stored and counted twice. As after an
/// import it is checked again; an entry that has words is not transcribed again. Earlier texts stay with the one that they belong to.
package struct CopyEntry: Sendable {
    let entries: any EntryStore
    let whole: any WholeEntryStore
    let objects: any ObjectStore
    let keys: DataKeys
    let tenants: any TenantStore
    let jobSignals: any JobSignals
    let writes: IdempotentWrites
    let clock: WallClock
    /// So that copies of one account that fit one by one, but not together, are not all stored before they are counted.
    let turns: AccountTurns

    package func run(
        _ id: EntryID, key: RequestKey = .none, by member: Member
    ) async throws(DiaryError) -> (value: Entry, replayed: Bool) {
        let made = EntryID(UUIDv7.make(at: clock.now()))
        return try await writes.run(.copy, key, request: [id.description], subject: made.uuid, by: member) { claim throws(DiaryError) in
            try await turns.run(of: member.owner) { () async throws(DiaryError) -> Entry in
                try await make(id, as: made, claim, by: member)
            }
        } replay: { known throws(DiaryError) in
            guard let stored = try await entries.entry(EntryID(known.subject), of: member) else { throw DiaryError(.entryDeleted) }
            return try await keys.vault(of: member).open(stored)
        }
    }

    private func make(_ id: EntryID, as made: EntryID, _ claim: KeyClaim?, by member: Member) async throws(DiaryError) -> Entry {
        guard let found = try await whole.whole(id, of: member) else { throw .notFound }
        let source = found.stored
        let vault = try await keys.vault(of: member)
        let entry = try vault.open(source.entry)
        guard !entry.isDamaged else { throw DiaryError(.entryDamaged) }
        let facts = entry.facts
        guard facts.kind == .text || facts.audioRemovedAt != nil || facts.isOnDevice || facts.isPlayable else {
            throw .notPlayable(facts)
        }
        var twin = try Self.words(of: source, entry, as: made, vault)
        twin.claim = claim
        if facts.audioRemovedAt == nil, let recording = source.recording.original ?? source.recording.playable {
            let most = try await tenants.configuration(of: member.tenant).usageLimits.storageBytes
            twin.storageLimit = most
            let room = most.map { DiaryError.Storage(bytes: found.storedBytes, maxBytes: $0) }
            let isOriginal = source.recording.original != nil
            twin.recording = try await stored(recording, contentType: isOriginal ? facts.contentType : nil, within: room, with: vault)
        }
        do throws(DiaryError) {
            guard let inserted = try await whole.copy(twin, by: member) else { throw DiaryError.notFound }
            if let job = twin.recording?.job { jobSignals.jobCommitted(job.kind) }
            return try vault.open(inserted)
        } catch {
            // After another failure a row may name it; if none does, it is swept.
            if let object = twin.recording?.object, error.code.status < 500 {
                try? await objects.delete(ObjectKey(kind: .audio, owner: member.owner, object: object))
            }
            throw error
        }
    }

    private static func words(
        of source: StoredExportEntry, _ entry: Entry, as made: EntryID, _ vault: Vault
    ) throws(DiaryError) -> NewEntryCopy {
        let row = entry.facts.id.uuid
        func resealed(_ column: SealedColumn?, _ part: Vault.Part) throws(DiaryError) -> [UInt8]? {
            guard let column else { return nil }
            return try vault.seal(vault.open(column.bytes, part, row: row, version: column.version), part, row: made.uuid)
        }
        // Those of other segments belong to no words any more.
        let corrections = source.corrections.flatMap { $0.segmentsVersion == source.segments?.version ? $0 : nil }
        var speakers: Set<UUID> = []
        if let segments = source.segments {
            speakers = Set(try vault.open(corrections: corrections, of: segments, entry.facts.id).profiles.values)
        }
        return NewEntryCopy(
            id: made, source: entry.facts.id, keyID: vault.key.id,
            personal: try vault.seal(entry.personal, as: .personal, row: made.uuid), labelHashes: vault.hashes(of: entry.personal.labels),
            machine: try resealed(source.entry.machine, .machine), segments: try resealed(source.segments, .segments),
            corrections: try resealed(corrections?.sealed, .corrections), speakers: Array(speakers))
    }

    /// - Parameters:
    ///   - contentType: nil: that of playable copies.
    ///   - room: nil without a limit.
    private func stored(
        _ recording: PlayableRecording, contentType: String?, within room: DiaryError.Storage?, with vault: Vault
    ) async throws(DiaryError) -> NewEntryCopy.Recording {
        let source = ObjectKey(kind: .audio, owner: vault.owner, object: recording.object)
        let target = ObjectKey(kind: .audio, owner: vault.owner, object: UUIDv7.make(at: clock.now()))
        do {
            let size = try await objects.facts(source).size
            // Before it is written. What comes meanwhile is counted when the entry is made.
            if let room, size > room.maxBytes - room.bytes { throw DiaryError.full(room) }
            let body = try await objects.read(source, range: 0..<size, openedBy: vault.key)
            let digest = try await objects.put(target, from: body, length: size, sha256: recording.sha256, sealedBy: vault.key)
            let job = NewJob(.verify, id: JobID(UUIDv7.make(at: clock.now())), cost: JobCost.verify(bytes: size))
            return NewEntryCopy.Recording(
                object: target.object, sizeBytes: size, contentType: contentType ?? PlayableCopy.format.rawValue, sha256: digest, job: job)
        } catch let error as DiaryError {
            throw error
        } catch let error as ObjectStoreError {
            switch error {
            // The entry is there: `not_found` would say that it is gone.
            case .missing, .unavailable: throw DiaryError(storing: error)
            default: throw DiaryError(.internalError, cause: "a recording was not copied: \(error)")
            }
        } catch {
            throw DiaryError.unavailable(cause: "a recording was not copied")
        }
    }
}

extension DiaryError {
    /// The recording has not been checked, or failed its check.
    static func notPlayable(_ facts: EntryFacts) -> DiaryError {
        DiaryError(.audioNotReady, retryAfter: facts.status == .failed ? nil : 2)
    }

    fileprivate static func full(_ storage: Storage) -> DiaryError {
        var error = DiaryError(.storageExceeded)
        error.storage = storage
        return error
    }
}
