import DiaryCrypto
import FoundationEssentials

/// A fresh URL for the same entry, because iOS may upload hours later (decision D10). An entry that has expired, or whose recording was refused
/// because other bytes were stored than announced, waits again.
package struct ReissueUpload: Sendable {
    let entries: any EntryStore
    let keys: DataKeys
    let uploads: UploadURLs
    let tenants: any TenantStore
    let limits: Limits
    let clock: WallClock

    /// - Parameter admit: called before a failed entry is reopened: its recording makes the work of a new entry.
    package func run(
        _ id: EntryID, by member: Member, admit: () async throws(DiaryError) -> Void
    ) async throws(DiaryError) -> (entry: Entry, upload: UploadTarget) {
        guard let stored = try await entries.entry(id, of: member) else { throw .notFound }
        guard stored.facts.kind == .voice else { throw DiaryError(.notAVoiceEntry) }
        guard !stored.facts.isOnDevice else { throw DiaryError(.audioOnDevice) }
        let now = clock.now()
        let vault = try await keys.vault(of: member)
        let tenant = try await tenants.configuration(of: member.tenant)
        if let end = stored.facts.uploadExpiresAt, end > now.addingTimeInterval(uploads.lifetime(in: tenant)) {
            return try answer(stored, vault, member, tenant, now)
        }
        // A URL never outlives the window: the sweeper could fail the entry during the PUT.
        let isFailed = stored.facts.status == .failed
        guard stored.facts.status == .awaitingUpload || isFailed && Self.reopens(stored.facts) else { throw DiaryError(.uploadFinished) }
        if isFailed { try await admit() }
        let reopening = UploadReopening(
            keyID: vault.key.id, windowSeconds: tenant.uploadWindowSeconds(within: limits), object: UUIDv7.make(at: now),
            storageLimit: tenant.usageLimits.storageBytes)
        guard let reopened = try await entries.reopenUpload(id, reopening, by: member) else { throw DiaryError(.uploadFinished) }
        return try answer(reopened, vault, member, tenant, now)
    }

    /// Whether a window may be opened again, as the store decides too, which is asked last.
    static func reopens(_ facts: EntryFacts) -> Bool {
        guard let processing = facts.processing, let code = processing.code else { return false }
        if code == .uploadExpired { return true }
        guard processing.stage == .verify else { return false }
        return code.allowsUpload(hasDigest: facts.sha256 != nil)
    }

    private func answer(
        _ stored: StoredEntry, _ vault: Vault, _ member: Member, _ tenant: TenantConfiguration, _ now: Date
    ) throws(DiaryError) -> (entry: Entry, upload: UploadTarget) {
        guard let target = uploads.target(for: stored.facts, of: member.owner, in: tenant, at: now) else {
            throw DiaryError(.uploadFinished)
        }
        return (try vault.open(stored), target)
    }
}
