import DiaryCrypto
import FoundationEssentials

/// Changes a member's profile and preferences.
package struct EditProfile: Sendable {
    let profiles: any ProfileStore
    let keys: DataKeys
    let engines: any EngineDirectory
    let tenants: any TenantStore
    let jobSignals: any JobSignals

    /// - Parameter versions: of which the profile must have one; nil for any.
    package func run(
        _ patch: ProfilePatch, matching versions: [Int64]?, by member: Member
    ) async throws(DiaryError) -> ProfileChange<Profile> {
        try await check(patch, of: member.tenant)
        let vault = try await keys.vault(of: member)
        let sealed: Patch<[UInt8]>
        switch patch.name {
        case .absent: sealed = .absent
        case .clear: sealed = .clear
        case .set(let name): sealed = .set(try vault.seal(Array(name.utf8), .name, row: member.user.uuid))
        }
        var words = Patch<[UInt8]>.absent
        if let vocabulary = patch.vocabulary { words = try vault.sealed(vocabulary: vocabulary).map { .set($0) } ?? .clear }
        let reminder: Patch<[UInt8]>
        switch patch.reminder {
        case .absent: reminder = .absent
        case .clear: reminder = .clear
        case .set(let value): reminder = .set(try vault.sealed(reminder: value))
        }
        var key: UUID?
        if case .set = sealed { key = vault.key.id }
        if case .set = words { key = vault.key.id }
        if case .set = reminder { key = vault.key.id }
        let changed = try await profiles.change(
            StoredProfilePatch(nameSealed: sealed, rest: patch, vocabularySealed: words, reminderSealed: reminder), matching: versions,
            keyID: key, by: member)
        // What waited for the consent was queued, if there was something.
        if patch.hostedProcessingConsent == true, case .changed = changed {
            for kind in [JobKind.transcribe, JobKind.clean] { jobSignals.jobCommitted(kind) }
        }
        return try changed.map { stored throws(DiaryError) in try Profile(stored, opened: vault) }
    }

    /// Only engines of the app's chains can be chosen, and days of keeping recordings only where the app leaves them to its members.
    private func check(_ patch: ProfilePatch, of tenant: TenantID) async throws(DiaryError) {
        var offer: EngineOffer?
        var faults: [DiaryError.Field] = []
        for (member, stage, given) in [("speech_engine", EngineStage.speech, patch.speechEngine), ("text_engine", .text, patch.textEngine)]
        {
            guard case .set(let name) = given else { continue }
            let known = if let offer { offer } else { try await engines.offer(of: tenant) }
            offer = known
            let names = known.options(of: stage).map(\.name)
            if !names.contains(name) { faults.append(.init("/\(member)", FieldFault.notOne(of: names))) }
        }
        if case .set = patch.recordingsRetentionDays, try await !tenants.configuration(of: tenant).allowsOwnRetention {
            faults.append(.init("/recordings_retention_days", "is set by the app"))
        }
        if !faults.isEmpty { throw DiaryError(.invalidFields, fields: faults) }
    }
}

/// A member's changes to their own account. Clearing a field that must have a value restores its default; a time zone can only be set.
package struct ProfilePatch: Sendable {
    package var name = Patch<String>.absent
    package var locale = Patch<String>.absent
    package var timeZone: String?
    package var dayEndsMinute: Int?
    package var languages: [String]?
    /// Given anew while it stands, it keeps its time.
    package var hostedProcessingConsent: Bool?
    package var speechEngine = Patch<String>.absent
    package var textEngine = Patch<String>.absent
    package var vocabulary: [String]?
    package var recordingsRetentionDays = Patch<Int>.absent
    package var reminder = Patch<Reminder>.absent

    /// Changes nothing.
    package static let unchanged = ProfilePatch()
}
