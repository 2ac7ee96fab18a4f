import DiaryCore
import DiaryCrypto
import FoundationEssentials
import WireFormats
import ZipArchive

/// Collects what an export holds, entry by entry: texts, and for each part its manifest and index, in unlinked temporary files, recordings by their
/// objects. Only names and the index's order stay in memory.
actor ExportAssembly {
    /// What an entry puts into a part.
    private struct Files {
        var facts: [ExportFileFacts] = []
        var gaps: [ExportGap] = []
        var line: [UInt8]
        var article: [UInt8]
    }

    private struct Part {
        var index: ExportIndex
        /// Of the manifest.
        var lines: Range<Int64>
    }

    private let context: ExportContext
    private let vault: Vault
    private let recordings: ExportRecordings
    private let lost: LostRecordings
    private let planner: ExportPlanner
    private let articles: AppendedFile
    private let lines: AppendedFile
    private var names = ExportNames()
    private var parts: [Part] = []
    private var snapshot: ExportSnapshot?
    private var deleted: [DeletedEntry] = []

    /// - Parameters:
    ///   - lost: recordings that are left out.
    ///   - folder: for temporary files: about twice the texts.
    init(
        _ context: ExportContext, partBytes: Int64, vault: Vault, recordings: ExportRecordings, without lost: LostRecordings, folder: String
    ) async throws {
        self.context = context
        self.vault = vault
        self.recordings = recordings
        self.lost = lost
        planner = try await ExportPlanner(limit: partBytes, folder: folder)
        articles = try await AppendedFile(folder: folder)
        lines = try await AppendedFile(folder: folder)
        parts = [Part(index: ExportIndex(context), lines: 0..<0)]
    }

    func begin(_ snapshot: ExportSnapshot) { self.snapshot = snapshot }

    func add(deleted page: [DeletedEntry]) { deleted += page }

    /// Candidates; those are added that the export selects.
    func add(_ page: [StoredExportEntry]) async throws {
        let entries = try vault.open(page, locale: context.locale).filter { context.export.confirms($0.entry) }
        let stored = context.export.contents.includeAudio ? try await recordings.facts(of: entries) : [:]
        for entry in entries {
            try Task.checkCancellation()
            try await add(entry, stored)
        }
    }

    private func add(_ exported: ExportedEntry, _ stored: [UUID: ObjectFacts]) async throws {
        let facts = exported.entry.facts
        let made = ExportedTexts(exported, context.export.contents)
        var recording: Result<ExportRecordings.Found, ExportGap.Reason>?
        if context.export.contents.includeAudio, facts.kind == .voice {
            recording = try await recordings.find(exported, stored, without: lost)
        }
        // Taken, not copied: a copy would be as long as the export, for each entry.
        var names = self.names
        self.names = ExportNames()
        var files = files(of: exported, made, recording, &names)
        let isFirst = try await planner.begin(files: files.facts.map(\.size), lines: files.line.count + files.article.count)
        if isFirst, parts.last?.index.isEmpty == false {
            parts.append(Part(index: ExportIndex(context), lines: await lines.size..<(await lines.size)))
            // Names are those of the part.
            names = ExportNames(part: parts.count)
            files = self.files(of: exported, made, recording, &names)
        }
        self.names = names
        let modified = ZipTimestamp(facts.localTime)
        for (file, text) in zip(files.facts, made.files) { try await planner.add(text: text.bytes, path: file.path, modified: modified) }
        if case .success(let found) = recording, let file = files.facts.last {
            try await planner.add(recording: found.object, length: found.size, path: file.path, modified: modified)
        }
        try await lines.append(ExportManifest.line(files.line, isFirst: isFirst))
        let offset = try await articles.append(files.article)
        parts[parts.count - 1].index.add(
            facts, hasRecording: files.facts.contains { $0.role == .audio }, offset: offset, length: Int64(files.article.count))
        parts[parts.count - 1].lines = parts[parts.count - 1].lines.lowerBound..<(await lines.size)
    }

    /// The texts in the order of `made`, then the recording.
    private func files(
        of exported: ExportedEntry, _ made: ExportedTexts, _ recording: Result<ExportRecordings.Found, ExportGap.Reason>?,
        _ names: inout ExportNames
    ) -> Files {
        let facts = exported.entry.facts
        var gaps = ExportGap.damaged(exported) + made.gaps
        var files: [ExportFileFacts] = []
        if !made.files.isEmpty {
            let stem = names.stem(facts)
            files = made.files.map { file in
                ExportFileFacts(
                    path: ExportNames.text(file.role, stem: stem, of: facts), role: file.role, size: Int64(file.bytes.count),
                    sha256: Hex.encode(SHA256.digest(file.bytes)), layer: file.layer)
            }
        }
        switch recording {
        case .success(let found):
            files.append(
                ExportFileFacts(
                    path: names.audio(found.filename, of: facts), role: .audio, size: found.size, sha256: Hex.encode(found.sha256),
                    source: found.isCopy ? .copy : .original))
        case .failure(let reason): gaps.append(ExportGap(.audio, reason))
        case nil: break
        }
        let article = parts[parts.count - 1].index.article.html(exported, files: files, gaps: gaps)
        return Files(
            facts: files, gaps: gaps, line: ExportManifest.entry(exported, files: files, gaps: gaps), article: Array(article.utf8))
    }

    /// Writes each part's index and manifest, which come last.
    func finish() async throws -> ExportPlan {
        let counts = try await planner.end()
        try await articles.flush()
        try await lines.flush()
        let deleted = context.export.selection.changedAfter == nil ? nil : deleted
        let modified = context.zipTime
        for (index, (part, count)) in zip(parts, counts).enumerated() {
            let number = ExportPartNumber(number: index + 1, count: counts.count)
            let page = ComposedFile(part.index.pieces(part: number), of: articles.file)
            let digest = try await BlockingWork.run { try page.digest() }
            try await planner.add(document: page, path: ExportIndex.path, modified: modified, toPart: index)
            let facts = ExportFileFacts(path: ExportIndex.path, role: .index, size: page.length, sha256: Hex.encode(digest))
            let tail = ExportManifest.tail(count: count, part: number, files: [facts], snapshot: snapshot, deleted: deleted)
            let manifest = ComposedFile(
                [.bytes(ExportManifest.head(context)), .range(part.lines), .bytes(tail)], of: lines.file)
            try await planner.add(document: manifest, path: ExportManifest.path, modified: modified, toPart: index)
        }
        return try await planner.plan(changesUpto: snapshot?.changesUpto ?? 0, late: parts.reduce(0) { $0 + $1.index.late })
    }
}

extension ZipTimestamp {
    fileprivate init(_ time: LocalTime) {
        self.init(year: time.year, month: time.month, day: time.day, hour: time.hour, minute: time.minute, second: time.second)
    }
}
