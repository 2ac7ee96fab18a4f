package import FoundationEssentials

/// An export that is made again and again.
package struct ExportSchedule: Sendable, Equatable {
    package var id: ExportScheduleID
    package var terms: ScheduleTerms
    /// The tags of its terms, until `opened(by:)` has opened them; nil without any.
    package var sealedTags: [UInt8]?
    package var version: Int64
    package var createdAt: Date
    package var updatedAt: Date
    /// nil: it is paused.
    package var nextAt: Date?
    /// When the last of its exports that became ready was asked for. The next one has what came since.
    package var lastAt: Date?

    package init(
        id: ExportScheduleID, terms: ScheduleTerms, sealedTags: [UInt8]?, version: Int64, createdAt: Date, updatedAt: Date, nextAt: Date?,
        lastAt: Date?
    ) {
        self.id = id
        self.terms = terms
        self.sealedTags = sealedTags
        self.version = version
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.nextAt = nextAt
        self.lastAt = lastAt
    }

    /// With its tags opened.
    func opened(by vault: Vault) throws(DiaryError) -> ExportSchedule {
        guard let sealedTags else { return self }
        var schedule = self
        schedule.terms.tags = try vault.open([String].self, sealedTags, as: .exportTags, row: vault.owner.user.uuid)
        schedule.sealedTags = nil
        return schedule
    }

    /// Only a schedule with tags needs the account's key. Tags that cannot be read stay sealed, so that a damaged row does not make the
    /// list unreadable.
    func opened(for member: Member, _ keys: DataKeys) async throws(DiaryError) -> ExportSchedule {
        guard sealedTags != nil else { return self }
        let vault = try await keys.vault(of: member)
        return (try? opened(by: vault)) ?? self
    }
}

/// What the owner of a schedule decides.
package struct ScheduleTerms: Sendable, Equatable {
    package var timing: ScheduleTiming
    package var covers: ScheduleCoverage
    package var contents: ExportContents
    /// nil: both.
    package var kind: EntryKind?
    /// Tags that an entry must have, all of them.
    package var tags: [String]
    /// How many of its exports stay when a newer one becomes ready; nil: as long as any export does.
    package var keepLast: Int?
    package var mail: Bool

    package init(
        timing: ScheduleTiming, covers: ScheduleCoverage, contents: ExportContents, kind: EntryKind?, tags: [String], keepLast: Int?,
        mail: Bool
    ) {
        self.timing = timing
        self.covers = covers
        self.contents = contents
        self.kind = kind
        self.tags = tags
        self.keepLast = keepLast
        self.mail = mail
    }
}

/// The entries of a run of a schedule. Stored; raw values never change.
package enum ScheduleCoverage: String, Sendable, CaseIterable {
    case all
    /// Entries that have changed since the snapshot of the schedule's last export that became ready.
    case changes
}

package enum ExportSchedules {}
package typealias ExportScheduleID = ID<ExportSchedules>
