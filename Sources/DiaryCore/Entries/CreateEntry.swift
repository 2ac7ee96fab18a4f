import DiaryCrypto
package import FoundationEssentials

/// Creates an entry: a recording with its signed PUT URL, or a finished text. One round trip; a retry gets the first answer (A7).
package struct CreateEntry: Sendable {
    let entries: any EntryStore
    let keys: DataKeys
    let serviceKeys: ServiceKeys
    let uploads: UploadURLs
    let tenants: any TenantStore
    let jobSignals: any JobSignals
    let limits: Limits
    let clock: WallClock

    /// - Parameter mayCreate: false for a request over its limits: `rateLimited` unless it repeats an earlier one with the same key.
    package func run(_ draft: EntryDraft, by member: Member, mayCreate: Bool = true) async throws(DiaryError) -> StartedEntry {
        let tenant = try await tenants.configuration(of: member.tenant)
        if draft.facts.kind == .voice { try check(draft, in: tenant) }
        let now = clock.now()
        let vault = try await keys.vault(of: member)
        var entry = try entry(draft, draft.id ?? EntryID(UUIDv7.make(at: now)), vault, in: tenant, at: now)
        entry.mayCreate = mayCreate
        try Failpoint.createBeforeCommit.hitAsDiaryError()
        let outcome = try await entries.create(entry, by: member)
        try Failpoint.createAfterCommit.hitAsDiaryError()
        if case .created = outcome { signal([entry]) }
        return try started(outcome, draft, vault, of: member, in: tenant, at: now)
    }

    /// After the commit.
    func signal(_ entries: [NewEntry]) {
        if entries.contains(where: { $0.describing != nil }) { jobSignals.jobCommitted(.clean) }
    }

    func entry(
        _ draft: EntryDraft, _ id: EntryID, _ vault: Vault, in tenant: TenantConfiguration, at now: Date
    ) throws(DiaryError) -> NewEntry {
        var facts = draft.facts
        facts.contentType = facts.contentType.flatMap { AudioFormat(contentType: $0)?.rawValue }
        facts.language = facts.language ?? draft.transcript?.language
        let isUploaded = facts.kind == .voice && !draft.isOnDevice
        var (machine, segments): ([UInt8]?, [UInt8]?) = (nil, nil)
        // Words of a recording that is still to come are cleaned after its check.
        var isCleaned = facts.kind == .text && tenant.describesTexts
        if let words = draft.transcript {
            machine = try vault.seal(words.machine(version: 1), as: .machine, row: id.uuid)
            if let spoken = words.spoken { segments = try vault.seal(spoken, as: .segments, row: id.uuid) }
            isCleaned = draft.isOnDevice && tenant.cleansTranscripts && !words.text.isEmpty
        }
        let named = draft.recordedAt == nil ? draft.personal.metadata[FileNameTime.key].flatMap(FileNameTime.read) : nil
        return NewEntry(
            id: id, recordedAt: draft.recordedAt ?? (named?.isUTC == true ? named?.wallClock : nil) ?? now,
            wallClock: named?.isUTC == false ? named?.wallClock : nil, facts: facts,
            object: isUploaded ? UUIDv7.make(at: now) : nil, keyID: vault.key.id,
            personal: try vault.seal(draft.personal, as: .personal, row: id.uuid, version: 1),
            labelHashes: vault.hashes(of: draft.personal.labels), requestHash: draft.requestHash(serviceKeys),
            idempotencyHash: draft.idempotencyKey.map { serviceKeys.keyHash($0) },
            uploadWindowSeconds: tenant.uploadWindowSeconds(within: limits),
            storageLimit: isUploaded ? tenant.usageLimits.storageBytes : nil,
            uniqueDigest: isUploaded && !draft.allowsDuplicate ? facts.sha256 : nil,
            describing: isCleaned ? JobID(UUIDv7.make(at: now)) : nil, machine: machine, segments: segments,
            recognise: draft.recognise ?? (draft.transcript == nil ? nil : .always), isOnDevice: draft.isOnDevice)
    }

    func started(
        _ outcome: CreateOutcome, _ draft: EntryDraft, _ vault: Vault, of member: Member, in tenant: TenantConfiguration, at now: Date
    ) throws(DiaryError) -> StartedEntry {
        switch outcome {
        case .created(let stored):
            let machine = draft.transcript?.machine(version: 1) ?? MachinePart()
            let entry = Entry(facts: stored.facts, personal: draft.personal, machine: machine, version: stored.version)
            return StartedEntry(
                entry: entry,
                upload: uploads.target(for: stored.facts, of: member.owner, in: tenant, at: now, inParts: draft.wantsParts),
                replayed: false)
        case .replayed(let stored):
            return repeated(try vault.open(stored), of: member, in: tenant, at: now, inParts: draft.wantsParts)
        case .keyReused:
            throw DiaryError.keyReused
        case .idTaken:
            throw DiaryError(.entryIDTaken, fields: [.init("/id", "belongs to another entry")])
        case .deleted: throw DiaryError(.entryDeleted, detail: "An earlier request made it; a new entry needs another id and another key.")
        }
    }

    /// The answer to a repeated request, whose entry exists already.
    func repeated(
        _ entry: Entry, of member: Member, in tenant: TenantConfiguration, at now: Date, inParts: Bool
    ) -> StartedEntry {
        StartedEntry(
            entry: entry, upload: uploads.target(for: entry.facts, of: member.owner, in: tenant, at: now, inParts: inParts),
            replayed: true)
    }

    /// Refuses a recording whose values the app does not allow, with all of its faults.
    func check(_ draft: EntryDraft, in tenant: TenantConfiguration) throws(DiaryError) {
        let maxBytes = tenant.maxAudioBytes(within: limits)
        let maxSeconds = tenant.maxAudioSeconds(within: limits)
        var fields: [DiaryError.Field] = []
        switch draft.facts.sizeBytes {
        case nil where draft.isOnDevice: break
        case nil: fields.append(.init("/size_bytes", "is required for a recording"))
        case .some(let size) where size < 1: fields.append(.init("/size_bytes", "must be at least 1"))
        case .some(let size) where size > maxBytes:
            fields.append(.init("/size_bytes", maxBytes > 0 ? "must be at most \(maxBytes)" : "cannot be: this app takes no recordings"))
        default: break
        }
        if let type = draft.facts.contentType {
            if AudioFormat(contentType: type) == nil { fields.append(.init("/content_type", "is not a supported recording format")) }
        } else if !draft.isOnDevice {
            fields.append(.init("/content_type", "is required for a recording"))
        }
        if let seconds = draft.facts.durationSeconds, !(seconds >= 0 && seconds <= maxSeconds) {
            fields.append(.init("/duration_s", "must be between 0 and \(Int(maxSeconds))"))
        }
        if !fields.isEmpty { throw DiaryError(.invalidFields, fields: fields) }
    }
}

/// An entry to be inserted, its text already sealed.
package struct NewEntry: Sendable {
    package var id: EntryID
    package var recordedAt: Date
    /// Before `recordedAt`: the clock in the entry's zone when it was recorded, read as if it were UTC.
    package var wallClock: Date?
    package var facts: GivenFacts
    package var object: UUID?
    package var keyID: UUID
    /// Content version 1.
    package var personal: [UInt8]
    /// Keyed hashes of its labels (`Vault.hashes`).
    package var labelHashes: [Int64] = []
    /// Keyed hash of the request; a retry has the same.
    package var requestHash: [UInt8]
    /// Keyed hash of the `Idempotency-Key`, when one was sent.
    package var idempotencyHash: [UInt8]?
    /// The length of the upload window.
    package var uploadWindowSeconds = Limits().uploadWindowSeconds
    /// What the account may store; nil without a limit.
    package var storageLimit: Int64?
    /// Refused when the account has a recording with this digest (`duplicateRecording`); nil: not compared.
    package var uniqueDigest: [UInt8]?
    /// The job that describes a typed text, where the app wants it, or cleans the words of a recording that stays on the device.
    package var describing: JobID?
    /// Words that the client has recognised itself. Content version 1, as are their segments.
    package var machine: [UInt8]?
    package var segments: [UInt8]?
    package var recognise: Recognition?
    package var isOnDevice = false
    /// False for a request over its limits: only a repetition is answered, with the entry of the earlier request.
    package var mayCreate = true
}

/// The answer to a request that creates an entry, as the contract names it.
package struct StartedEntry: Sendable {
    package var entry: Entry
    /// For a recording that has not arrived yet.
    package var upload: UploadTarget?
    package var replayed: Bool
}
