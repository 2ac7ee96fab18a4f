import DiaryCore
import DiaryCrypto
import FoundationEssentials
import WireFormats
import ZipArchive

/// Collects what an export holds, entry by entry: texts, and for each part its manifest and index, in unlinked temporary files, recordings by their
/// objects. Only names and the index's order stay in memory.
actor ExportAssembly {
    private struct Part {
        var index: ExportIndex
        /// Of the manifest.
        var lines: Range<Int64>
    }

    private let context: ExportContext
    private var preparation: ExportPreparation
    private let planner: ExportPlanner
    private let folder: String
    private let articles: AppendedFile
    private let lines: AppendedFile
    private var names = ExportNames()
    private var parts: [Part] = []
    private var snapshot: ExportSnapshot?
    private var deleted: [DeletedEntry] = []
    /// The last page, which is not yet added.
    private var prepared: [PreparedExportEntry] = []

    /// - Parameters:
    ///   - lost: recordings that are left out.
    ///   - folder: for temporary files: about twice the texts.
    init(
        _ context: ExportContext, partBytes: Int64, vault: Vault, recordings: ExportRecordings, without lost: LostRecordings, folder: String
    ) async throws {
        self.context = context
        self.folder = folder
        preparation = ExportPreparation(context: context, vault: vault, recordings: recordings, lost: lost)
        planner = try await ExportPlanner(limit: partBytes, folder: folder)
        articles = try await AppendedFile(folder: folder)
        lines = try await AppendedFile(folder: folder)
        parts = [Part(index: ExportIndex(context), lines: 0..<0)]
    }

    func begin(_ snapshot: ExportSnapshot) {
        self.snapshot = snapshot
        preparation.profiles = snapshot.profiles.map { preparation.vault.open($0) }
    }

    func add(deleted page: [DeletedEntry]) { deleted += page }

    /// Prepares a page of candidates while the one before it is added.
    func add(_ page: [StoredExportEntry]) async throws {
        let present = preparation
        async let next = present.entries(of: page)
        try await addPrepared()
        prepared = try await next
    }

    private func addPrepared() async throws {
        let page = prepared
        prepared = []
        for entry in page {
            try Task.checkCancellation()
            try await add(entry)
        }
    }

    private func add(_ entry: PreparedExportEntry) async throws {
        let facts = entry.exported.entry.facts
        // Taken, not copied: a copy would be as long as the export, for each entry.
        var names = self.names
        self.names = ExportNames()
        var files = files(of: entry, &names)
        let isFirst = try await planner.begin(files: files.facts.map(\.size), lines: files.line.count + files.article.count)
        if isFirst, parts.last?.index.isEmpty == false {
            parts.append(Part(index: ExportIndex(context), lines: await lines.size..<(await lines.size)))
            // Names are those of the part.
            names = ExportNames(part: parts.count)
            files = self.files(of: entry, &names)
        }
        self.names = names
        let modified = ZipTimestamp(facts.localTime)
        for (file, text) in zip(files.facts, entry.texts) {
            try await planner.add(packed: text.packed, text.facts, path: file.path, modified: modified)
        }
        if case .success(let found) = entry.recording, let file = files.facts.last {
            try await planner.add(recording: found.object, length: found.size, path: file.path, modified: modified)
        }
        try await lines.append(ExportManifest.line(files.line, isFirst: isFirst))
        let offset = try await articles.append(files.article)
        parts[parts.count - 1].index.add(
            facts, hasRecording: files.facts.contains { $0.role == .audio }, offset: offset, length: Int64(files.article.count))
        parts[parts.count - 1].lines = parts[parts.count - 1].lines.lowerBound..<(await lines.size)
    }

    private func files(of entry: PreparedExportEntry, _ names: inout ExportNames) -> ExportedFiles {
        ExportedFiles(of: entry, named: &names, in: parts[parts.count - 1].index)
    }

    /// Writes each part's index and manifest, which come last.
    func finish() async throws -> ExportPlan {
        try await addPrepared()
        let counts = try await planner.end()
        try await articles.flush()
        try await lines.flush()
        let deleted = context.export.selection.changedAfter == nil ? nil : deleted
        let modified = context.zipTime
        for (index, (part, count)) in zip(parts, counts).enumerated() {
            let number = ExportPartNumber(number: index + 1, count: counts.count)
            let page = ComposedFile(part.index.pieces(part: number), of: articles.file)
            let digest = try await BlockingWork.run { try page.digest() }
            let facts = ExportFileFacts(path: ExportIndex.path, role: .index, size: page.length, sha256: Hex.encode(digest))
            let tail = ExportManifest.tail(count: count, part: number, files: [facts], snapshot: snapshot, deleted: deleted)
            let manifest = ComposedFile(
                [.bytes(ExportManifest.head(context, speakers: preparation.profiles)), .range(part.lines), .bytes(tail)], of: lines.file)
            async let packedPage = PackedDocument(page, in: folder)
            let packedManifest = try await PackedDocument(manifest, in: folder)
            try await planner.add(packedPage, path: ExportIndex.path, modified: modified, toPart: index)
            try await planner.add(packedManifest, path: ExportManifest.path, modified: modified, toPart: index)
        }
        return try await planner.plan(changesUpto: snapshot?.changesUpto ?? 0)
    }
}

extension ZipTimestamp {
    init(_ time: LocalTime) {
        self.init(year: time.year, month: time.month, day: time.day, hour: time.hour, minute: time.minute, second: time.second)
    }
}
