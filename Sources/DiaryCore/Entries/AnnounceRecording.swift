import DiaryCrypto
package import FoundationEssentials

/// Begins the upload of a recording that stayed on the device until now: the entry waits for it as a new one does, and keeps its words. May be
/// repeated until the recording has passed its check: with the same facts for the same object, with others for another one.
package struct AnnounceRecording: Sendable {
    let create: CreateEntry
    let entries: any EntryStore
    let keys: DataKeys

    /// - Parameter admit: called before the upload of another recording takes the place of one that was announced or refused.
    package func run(
        _ id: EntryID, _ recording: AnnouncedRecording, by member: Member, admit: () async throws(DiaryError) -> Void
    ) async throws(DiaryError) -> (entry: Entry, upload: UploadTarget) {
        guard let stored = try await entries.entry(id, of: member) else { throw .notFound }
        let facts = stored.facts
        guard facts.kind == .voice else { throw DiaryError(.notAVoiceEntry) }
        let tenant = try await create.tenants.configuration(of: member.tenant)
        var given = GivenFacts(
            kind: .voice, durationSeconds: recording.durationSeconds, sizeBytes: recording.sizeBytes, contentType: recording.contentType)
        try create.check(
            EntryDraft(id: nil, idempotencyKey: nil, recordedAt: nil, facts: given, personal: PersonalPart()), in: tenant)
        given.contentType = given.contentType.flatMap { AudioFormat(contentType: $0)?.rawValue }
        given.sha256 = recording.sha256
        guard facts.status != .cleaning || !facts.isOnDevice else { throw DiaryError(.alreadyProcessing, retryAfter: 2) }
        let isRefused = facts.status == .failed && facts.processing?.stage == .verify
        guard facts.isOnDevice || facts.status == .awaitingUpload || isRefused else { throw DiaryError(.uploadFinished) }
        // What has been sent to the object before stays in the store for a while, and counts to no limit.
        if isRefused || facts.status == .awaitingUpload && !Self.isSame(facts, given) { try await admit() }
        let now = create.clock.now()
        let vault = try await keys.vault(of: member)
        let opening = DeviceUpload(
            facts: given, object: UUIDv7.make(at: now), keyID: vault.key.id,
            windowSeconds: tenant.uploadWindowSeconds(within: create.limits), storageLimit: tenant.usageLimits.storageBytes,
            uniqueDigest: recording.allowsDuplicate ? nil : recording.sha256)
        guard let opened = try await entries.openDeviceUpload(id, opening, by: member),
            let target = create.uploads.target(
                for: opened.facts, of: member.owner, in: tenant, at: now, inParts: recording.wantsParts)
        else { throw DiaryError(.uploadFinished) }
        return (try vault.open(opened), target)
    }

    private static func isSame(_ facts: EntryFacts, _ given: GivenFacts) -> Bool {
        facts.sizeBytes == given.sizeBytes && facts.contentType == given.contentType && facts.sha256 == given.sha256
    }
}

/// What a client says of a recording that it will send.
package struct AnnouncedRecording: Sendable {
    package var sizeBytes: Int64
    package var contentType: String
    package var durationSeconds: Double?
    package var sha256: [UInt8]?
    package var allowsDuplicate: Bool
    package var wantsParts: Bool

    package init(
        sizeBytes: Int64, contentType: String, durationSeconds: Double? = nil, sha256: [UInt8]? = nil, allowsDuplicate: Bool = false,
        wantsParts: Bool = false
    ) {
        self.sizeBytes = sizeBytes
        self.contentType = contentType
        self.durationSeconds = durationSeconds
        self.sha256 = sha256
        self.allowsDuplicate = allowsDuplicate
        self.wantsParts = wantsParts
    }
}

/// An upload of a recording that was on the device, as it is stored.
package struct DeviceUpload: Sendable {
    package var facts: GivenFacts
    package var object: UUID
    package var keyID: UUID
    package var windowSeconds: Int
    /// What the account may store; nil without a limit.
    package var storageLimit: Int64?
    /// As `NewEntry.uniqueDigest`.
    package var uniqueDigest: [UInt8]?
}
