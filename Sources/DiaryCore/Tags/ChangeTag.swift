import DiaryCrypto
import FoundationEssentials

/// Renames a tag in all entries, which merges it with one that has the new name, gives it a colour, or takes it off everywhere.
///
/// Entries are rewritten a batch at a time, each by the compare-and-set of a client's edit: a client that was offline meanwhile is answered 412
/// for them. A call that is interrupted leaves some entries with the old name, and the same call again goes on there. A rename of a tag that
/// is gone is answered as one that was done, so that a lost answer does no harm.
package struct ChangeTag: Sendable {
    let store: any TagStore
    let schedules: any ExportScheduleStore
    let editSchedule: EditExportSchedule
    let keys: DataKeys
    let read: ReadTags
    /// A change may rewrite every entry of an account.
    private let turns = AccountTurns(of: "changes of tags", most: 4)

    /// Entries of a transaction, which holds the account's lock.
    static let batch = 100
    /// Rounds over the entries: others change them meanwhile.
    private static let rounds = 16

    package func run(_ name: String, _ patch: TagPatch, by member: Member) async throws(DiaryError) -> LabelSummary {
        try await turns.run(of: member.owner) { () throws(DiaryError) in try await change(name, patch, member) }
    }

    private func change(_ name: String, _ patch: TagPatch, _ member: Member) async throws(DiaryError) -> LabelSummary {
        let vault = try await keys.vault(of: member)
        if let renamed = patch.name {
            try await rewrite(EntryLabel(.tag, name), as: renamed, vault, member)
            try await rename(EntryLabel(.tag, name), to: renamed, inSchedulesOf: member)
        }
        let present = try await read.one(patch.name ?? name, vault, member)
        // After the entries: what was interrupted still finds the colour under the old name.
        let color = try await recolor(name, as: patch.name ?? present?.name ?? name, patch.color, vault, member)
        guard present != nil || color != nil else { throw .notFound }
        var tag = present ?? LabelSummary(name: patch.name ?? name, count: 0, lastUsedAt: nil, color: nil)
        tag.color = color
        return tag
    }

    /// Done also when no entry has it. Schedules that name it keep it: without it they would export more.
    package func remove(_ name: String, by member: Member) async throws(DiaryError) {
        try await turns.run(of: member.owner) { () throws(DiaryError) in
            let vault = try await keys.vault(of: member)
            try await rewrite(EntryLabel(.tag, name), as: nil, vault, member)
            _ = try await recolor(name, as: name, .clear, vault, member)
        }
    }

    /// - Parameter name: nil takes it off.
    private func rewrite(_ label: EntryLabel, as name: String?, _ vault: Vault, _ member: Member) async throws(DiaryError) {
        guard let hash = vault.hashes(inOrderOf: [label]).first else { return }
        for _ in 0..<Self.rounds {
            var isWhole = true
            var after: EntryID?
            var more = true
            while more {
                let page = try await store.labelled(hash, after: after, limit: Self.batch, of: member)
                var rewrites: [PersonalRewrite] = []
                for entry in try vault.open(page.entries) {
                    if let rewrite = try Self.rewrite(of: entry, label, as: name, vault) { rewrites.append(rewrite) }
                }
                if !rewrites.isEmpty {
                    let written = try await store.relabel(rewrites, keyID: vault.key.id, by: member)
                    isWhole = isWhole && written == rewrites.count
                    try Failpoint.tagBatchWritten.hitAsDiaryError()
                }
                more = page.more
                after = page.last?.facts.id
            }
            if isWhole { return }
        }
        throw DiaryError(.concurrentChange, retryAfter: 1)
    }

    /// nil for an entry that is as it should be, and for one that cannot be read: writing over it would destroy what might still be recovered.
    private static func rewrite(
        of entry: Entry, _ label: EntryLabel, as name: String?, _ vault: Vault
    ) throws(DiaryError) -> PersonalRewrite? {
        guard !entry.damage.contains(.personal) else { return nil }
        var personal = entry.personal
        personal.tags = PersonalPart.tidied(personal.tags.compactMap { EntryLabel(.tag, $0) == label ? name : $0 })
        guard personal.plainBytes != entry.personal.plainBytes else { return nil }
        return try vault.rewrite(personal, of: entry.facts.id, over: entry.version)
    }

    private func rename(_ label: EntryLabel, to name: String, inSchedulesOf member: Member) async throws(DiaryError) {
        for stored in try await schedules.schedules(before: nil, limit: CreateExportSchedule.most, of: member) {
            try await rename(label, to: name, in: try await stored.opened(for: member, keys), member)
        }
    }

    /// Over the version that was read: another device may have given it other tags meanwhile.
    private func rename(
        _ label: EntryLabel, to name: String, in read: ExportSchedule, _ member: Member
    ) async throws(DiaryError) {
        var schedule = read
        for _ in 0..<Self.rounds {
            let tags = schedule.terms.tags
            var form = ScheduleForm()
            form.tags = PersonalPart.tidied(tags.map { EntryLabel(.tag, $0) == label ? name : $0 })
            guard form.tags != tags else { return }
            do throws(DiaryError) {
                switch try await editSchedule.run(schedule.id, form, matching: [schedule.version], by: member) {
                case .changed: return
                case .otherVersion(let present): schedule = present
                }
            } catch {
                // It was deleted meanwhile.
                guard error.code == .notFound else { throw error }
                return
            }
        }
        throw DiaryError(.concurrentChange, retryAfter: 1)
    }

    /// Of two tags that become one, the colour of the new name stays.
    /// - Returns: the colour of the new name.
    private func recolor(
        _ old: String, as new: String, _ patch: Patch<TagColor>, _ vault: Vault, _ member: Member
    ) async throws(DiaryError) -> TagColor? {
        let hashes = [vault.hash(ofTag: new), vault.hash(ofTag: old)]
        var colors: [TagColor] = []
        var isColored = false
        for hash in hashes {
            for row in try await store.labelUses(.tag, hash: hash, most: 1, of: member).colored {
                isColored = true
                if let found = vault.opened(row) { colors.append(found.color) }
            }
        }
        let color = patch.applied(to: colors.first)
        guard color != nil || isColored else { return nil }
        var row: StoredTag?
        if let color { row = try vault.sealed(ColoredTag(name: new, color: color)) }
        guard try await store.writeTag(row, replacing: hashes, most: ColoredTag.most, keyID: vault.key.id, by: member) else {
            throw .invalid("/color", "at most \(ColoredTag.most) tags have a colour")
        }
        return color
    }
}
