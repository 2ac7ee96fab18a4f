import DiaryCore
import DiaryCrypto
import ZipArchive

/// Prepares entries page by page, apart from the order of the zip.
struct ExportPreparation: Sendable {
    let context: ExportContext
    let vault: Vault
    let recordings: ExportRecordings
    /// Recordings that are left out.
    let lost: LostRecordings

    /// - Parameter page: candidates; those are prepared that the export selects.
    func entries(of page: [StoredExportEntry]) async throws -> [PreparedExportEntry] {
        let contents = context.export.contents
        let entries = try vault.open(page, locale: context.locale).filter { context.export.confirms($0.entry) }
        let stored = contents.includeAudio ? try await recordings.facts(of: entries) : [:]
        let deflater = try Deflater()
        var prepared: [PreparedExportEntry] = []
        prepared.reserveCapacity(entries.count)
        for exported in entries {
            try Task.checkCancellation()
            var entry = PreparedExportEntry(exported: exported)
            let made = ExportedTexts(exported, contents)
            entry.gaps = ExportGap.damaged(exported) + made.gaps
            for file in made.files {
                let (packed, facts) = try deflater.pack(file.bytes)
                entry.texts.append(
                    .init(role: file.role, layer: file.layer, sha256: SHA256.digest(file.bytes), packed: packed, facts: facts))
            }
            if contents.includeAudio, exported.entry.facts.kind == .voice {
                entry.recording = try await recordings.find(exported, stored, without: lost)
            }
            prepared.append(entry)
        }
        return prepared
    }
}
