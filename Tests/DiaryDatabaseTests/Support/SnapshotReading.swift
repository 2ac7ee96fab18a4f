import DiaryCore
import Foundation
import Synchronization

@testable import DiaryDatabase

/// What one reading of an export's snapshot gave.
final class SnapshotReading: Sendable {
    private let began = Mutex<[ExportSnapshot]>([])
    private let gone = Mutex<[DeletedEntry]>([])
    private let pages = Pages()

    static func of(
        _ selection: ExportSelection, tagged hashes: SealedTags? = nil, vault: Vault? = nil, _ builds: PostgresExportBuildStore,
        _ owner: Owner
    ) async throws -> SnapshotReading {
        var export = Export(
            id: ExportID(UUIDv7.make()), selection: selection, timeZone: "UTC", contents: ExportContents(), status: .building, code: nil,
            mailStatus: .notAsked, sizeBytes: nil, entryCount: nil, createdAt: .now, readyAt: nil, expiresAt: nil,
            downloads: 0,
            maxDownloads: 1, revokedAt: nil)
        export.sealedTags = hashes?.sealed
        if let vault { export = try export.opened(by: vault) }
        let reading = SnapshotReading()
        try await builds.readExport(export, of: owner) { snapshot in
            reading.began.withLock { $0.append(snapshot) }
        } deleted: { page in
            reading.gone.withLock { $0 += page }
        } page: {
            reading.pages.append($0)
        }
        return reading
    }

    /// Nil unless there was exactly one.
    var snapshot: ExportSnapshot? { began.withLock { $0.count == 1 ? $0.first : nil } }
    var deleted: [EntryID] { gone.withLock { $0.map(\.id) } }
    var entries: [EntryID] { pages.entries.map(\.facts.id) }
}
