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
    /// Of the account's speakers.
    var profiles: [SpeakerProfile] = []

    /// - Parameter page: candidates; those are prepared that the export selects.
    func entries(of page: [StoredExportEntry]) async throws -> [PreparedExportEntry] {
        let contents = context.export.contents
        let entries = try vault.open(page, locale: context.locale, language: context.language, profiles: profiles)
            .filter { context.export.confirms($0.entry) }
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

/// An entry of an export with what is made of it alone. Its names and its place in a zip depend on the entries before it.
struct PreparedExportEntry: Sendable {
    struct Text: Sendable {
        var role: ExportFileFacts.Role
        var layer: TextLayer?
        /// Before it was packed.
        var sha256: [UInt8]
        var packed: [UInt8]
        var facts: PackedFacts
    }

    var exported: ExportedEntry
    var texts: [Text] = []
    var gaps: [ExportGap] = []
    /// nil when none was asked for.
    var recording: Result<ExportRecordings.Found, ExportGap.Reason>?
}

/// A document of a part, packed in a temporary file of its own, so that several are packed at once.
struct PackedDocument: Sendable {
    let file: UnlinkedTempFile
    let facts: PackedFacts

    init(_ document: ComposedFile, in folder: String) async throws {
        let packed = try await AppendedFile(folder: folder)
        let deflater = try Deflater()
        while true {
            let bytes = try await BlockingWork.run { try document.read(max: 1 << 20) }
            if bytes.isEmpty { break }
            try await packed.append(try deflater.append(bytes))
        }
        let (rest, facts) = try deflater.finish()
        try await packed.append(rest)
        try await packed.flush()
        file = packed.file
        self.facts = facts
    }
}
