package import FoundationEssentials

package struct Export: Sendable, Equatable {
    package var id: ExportID
    package var selection: ExportSelection
    /// The tags of the selection, until `opened(by:)` has opened them; nil without any.
    package var sealedTags: [UInt8]?
    /// Keyed hashes of the opened tags.
    package private(set) var tagHashes: [Int64] = []
    /// The earlier export after whose snapshot the selected entries have changed.
    package var since: ExportID?
    /// The account's change number in the snapshot that the zip was made of; nil before there is one.
    package var changesUpto: Int64?
    /// The account's when the export was asked for: the zone of times on its page and in its mail. Days are those of the entries.
    package var timeZone: String
    package var contents: ExportContents
    package var status: ExportStatus
    package var code: ProcessingCode?
    package var mailStatus: ExportMailStatus
    package var sizeBytes: Int64?
    package var entryCount: Int?
    package var createdAt: Date
    package var readyAt: Date?
    package var expiresAt: Date?
    package var downloads: Int
    package var maxDownloads: Int
    package var revokedAt: Date?
    package var revokedReason: ExportRevokedReason?
    /// The schedule that it was made by, and the time that its run was due; nil of a run that its owner asked for.
    package var schedule: ExportScheduleID?
    package var period: Date?
    /// Of a schedule's export of changes: from the day of the export before it to its own. It selects by the changes alone.
    package var covered: ClosedRange<CalendarDay>?
    /// The account's, as its page and its mail are written; read with a linked export only.
    package var locale: String?
    /// The zips of a finished export: one, or several where it is larger than a part may be. Empty until it is ready.
    package var parts: [ExportPart] = []
    /// While it is built.
    package var progress: ExportProgress?

    package init(
        id: ExportID, selection: ExportSelection, timeZone: String, contents: ExportContents, status: ExportStatus, code: ProcessingCode?,
        mailStatus: ExportMailStatus, sizeBytes: Int64?, entryCount: Int?, createdAt: Date, readyAt: Date?, expiresAt: Date?,
        downloads: Int, maxDownloads: Int, revokedAt: Date?
    ) {
        self.id = id
        self.selection = selection
        self.timeZone = timeZone
        self.contents = contents
        self.status = status
        self.code = code
        self.mailStatus = mailStatus
        self.sizeBytes = sizeBytes
        self.entryCount = entryCount
        self.createdAt = createdAt
        self.readyAt = readyAt
        self.expiresAt = expiresAt
        self.downloads = downloads
        self.maxDownloads = maxDownloads
        self.revokedAt = revokedAt
    }
}

extension Export {
    /// The days that it is said to be of.
    package var from: CalendarDay { covered?.lowerBound ?? selection.from }
    package var to: CalendarDay { covered?.upperBound ?? selection.to }
    /// nil: from the first entry on.
    package var firstDay: CalendarDay? { from == CalendarDay.all.lowerBound ? nil : from }
    /// nil: to the last entry.
    package var lastDay: CalendarDay? { to == CalendarDay.all.upperBound ? nil : to }

    /// With its tags opened.
    package func opened(by vault: Vault) throws(DiaryError) -> Export {
        guard let sealedTags else { return self }
        var export = self
        export.selection.tags = try vault.open([String].self, sealedTags, as: .exportTags, row: vault.owner.user.uuid)
        export.tagHashes = vault.hashes(of: export.selection.labels)
        export.sealedTags = nil
        return export
    }

    /// Whether an entry that the store found by hashes has the tags. None has, while they are sealed; a damaged part has none that can be read.
    package func confirms(_ entry: Entry) -> Bool {
        guard sealedTags == nil else { return false }
        return selection.tags.isEmpty || selection.labels.isSubset(of: entry.personal.labels)
    }
}

package enum Exports {}
package typealias ExportID = ID<Exports>

/// `revoked` and `expired` are what the row's times say, whatever else it was.
package enum ExportStatus: String, Sendable, CaseIterable { case queued, building, ready, failed, revoked, expired }

/// Why an export ended before its time. Stored and on the wire; raw values never change.
package enum ExportRevokedReason: String, Sendable, CaseIterable {
    case owner
    /// An entry that it may hold was deleted.
    case entryDeleted = "entry_deleted"
    /// The account's address or password changed, or sessions were ended.
    case accessEnded = "access_ended"
    /// By a newer export of its schedule.
    case replaced
}

package enum ExportMailStatus: String, Sendable, CaseIterable {
    /// No mail was asked for.
    case notAsked = "none"
    case waiting, sent, failed
}

/// How far the building of an export is.
package struct ExportProgress: Sendable, Equatable {
    package var entries: Int
    package var entriesTotal: Int
    /// Bytes of the files of entries, before they are packed.
    package var bytes: Int64
    package var bytesTotal: Int64
    /// Seconds for what is left, by the speed until now; nil before there is one.
    package var estimatedSeconds: Int?

    package init(entries: Int, entriesTotal: Int, bytes: Int64, bytesTotal: Int64, estimatedSeconds: Int?) {
        self.entries = entries
        self.entriesTotal = entriesTotal
        self.bytes = bytes
        self.bytesTotal = bytesTotal
        self.estimatedSeconds = estimatedSeconds
    }

    /// From 0 to 100, of the bytes; of the entries where there are no bytes.
    package var percent: Int {
        let (done, total) = bytesTotal > 0 ? (Double(bytes), Double(bytesTotal)) : (Double(entries), Double(entriesTotal))
        return total > 0 ? Int(min(max(done / total, 0), 1) * 100) : 0
    }
}
