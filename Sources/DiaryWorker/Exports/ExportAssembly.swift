import DiaryCore
import DiaryCrypto
import FoundationEssentials
import WireFormats
import ZipArchive

/// Collects the members of one zip, entry by entry: texts, manifest and index in unlinked temporary files, recordings read from the store when
/// the archive is written. Only names, lengths and the index's order stay in memory.
actor ExportAssembly {
    private let frame: ExportFrame
    private let part: ExportPartNumber
    private let vault: Vault
    private let recordings: ExportRecordings
    private let texts: UnlinkedTempFile
    private let articles: UnlinkedTempFile
    private let manifest: UnlinkedTempFile
    private let zip: UnlinkedTempFile
    private let writer: ZipWriter
    private var names: ExportNames
    private var index: ExportIndex
    private var sources: [AsyncMemberSource] = []
    private(set) var count = 0
    /// Of all members so far, not compressed; without manifest and index.
    private(set) var bytes: Int64 = 0
    private var snapshot: ExportSnapshot?
    private var deleted: [DeletedEntry] = []

    /// - Parameter folder: for temporary files: about twice the texts, and the zip.
    init(_ frame: ExportFrame, part: ExportPartNumber = .only, vault: Vault, objects: any ObjectStore, folder: String) async throws {
        self.frame = frame
        self.part = part
        self.vault = vault
        recordings = ExportRecordings(vault: vault, objects: objects)
        names = ExportNames(part: part.number)
        index = ExportIndex(frame)
        let files = try await BlockingWork.run { try (0..<4).map { _ in try UnlinkedTempFile(folder: folder) } }
        (texts, articles, manifest, zip) = (files[0], files[1], files[2], files[3])
        writer = ZipWriter(file: zip)
        let (head, file) = (ExportManifest.head(frame), manifest)
        try await BlockingWork.run { _ = try file.append(head) }
    }

    /// Of the snapshot that is read.
    var changesUpto: Int64 { snapshot?.changesUpto ?? 0 }

    func begin(_ snapshot: ExportSnapshot) { self.snapshot = snapshot }

    func add(deleted page: [DeletedEntry]) { deleted += page }

    /// Candidates; those are added that the export selects.
    func add(_ page: [StoredExportEntry]) async throws {
        for entry in try vault.open(page, locale: frame.locale) where frame.export.confirms(entry.entry) {
            try Task.checkCancellation()
            try await add(entry)
        }
    }

    func add(_ exported: ExportedEntry) async throws {
        let (contents, facts) = (frame.export.contents, exported.entry.facts)
        let made = ExportedTexts(exported, contents)
        var gaps = ExportGap.damaged(exported) + made.gaps
        var files: [ExportFileFacts] = []
        if !made.files.isEmpty {
            let stem = names.stem(facts)
            for file in made.files { files.append(try await add(file, stem: stem, of: facts)) }
        }
        if contents.includeAudio, facts.kind == .voice {
            switch try await recordings.find(exported) {
            case .success(let recording): files.append(try add(recording, of: facts))
            case .failure(let reason): gaps.append(ExportGap(.audio, reason))
            }
        }
        let line = ExportManifest.line(ExportManifest.entry(exported, files: files, gaps: gaps), isFirst: count == 0)
        let article = Array(index.article.html(exported, files: files, gaps: gaps).utf8)
        let (manifest, articles) = (manifest, articles)
        let offset = try await BlockingWork.run {
            _ = try manifest.append(line)
            return try articles.append(article)
        }
        index.add(facts, hasRecording: files.contains { $0.role == .audio }, offset: offset, length: Int64(article.count))
        count += 1
    }

    private func add(_ file: ExportedTexts.File, stem: String, of facts: EntryFacts) async throws -> ExportFileFacts {
        let (texts, bytes) = (texts, file.bytes)
        let offset = try await BlockingWork.run { try texts.append(bytes) }
        let (path, length) = (ExportNames.text(file.role, stem: stem, of: facts), Int64(bytes.count))
        try writer.add(
            ZipMember(
                path: path, modified: ZipTimestamp(facts.localTime), method: .deflated, length: length,
                source: MidZipSource(TempFileSlice(file: texts, offset: offset, length: length))))
        self.bytes += length
        return ExportFileFacts(
            path: path, role: file.role, size: length, sha256: Hex.encode(SHA256.digest(bytes)), layer: file.layer)
    }

    private func add(_ recording: ExportRecordings.Found, of facts: EntryFacts) throws -> ExportFileFacts {
        let path = names.audio(recording.filename, of: facts)
        sources.append(recording.source)
        try writer.add(
            ZipMember(
                path: path, modified: ZipTimestamp(facts.localTime), method: .stored, length: recording.size, source: recording.source))
        bytes += recording.size
        return ExportFileFacts(
            path: path, role: .audio, size: recording.size, sha256: Hex.encode(recording.sha256),
            source: recording.isCopy ? .copy : .original)
    }

    /// Writes the archive: every member, the index and the manifest last. Recordings are read here.
    /// - Parameter count: of the parts, where it was not known when the part was begun.
    /// - Returns: the zip, at its start, and its size.
    func finish(of count: Int? = nil) async throws -> (file: UnlinkedTempFile, size: Int64) {
        let part = ExportPartNumber(number: part.number, count: count ?? part.count)
        let page = ComposedFile(index.pieces(part: part), of: articles)
        let (manifest, entries, snapshot) = (manifest, self.count, snapshot)
        let deleted = frame.export.selection.changedAfter == nil ? nil : deleted
        let length = try await BlockingWork.run {
            let index = ExportFileFacts(
                path: ExportIndex.path, role: .index, size: page.length, sha256: Hex.encode(try page.digest()))
            _ = try manifest.append(ExportManifest.tail(count: entries, part: part, files: [index], snapshot: snapshot, deleted: deleted))
            return try manifest.size
        }
        try writer.add(
            ZipMember(path: ExportIndex.path, modified: frame.now, method: .deflated, length: page.length, source: page))
        try writer.add(
            ZipMember(
                path: ExportManifest.path, modified: frame.now, method: .deflated, length: length,
                source: MidZipSource(TempFileSlice(file: manifest, offset: 0, length: length))))
        let (writer, sources) = (writer, sources)
        let size = try await withTaskCancellationHandler {
            try await writer.finish()
        } onCancel: {
            // A read that waits for the object store would block the archive's thread.
            for source in sources { source.cancel() }
        }
        return (zip, size)
    }
}

extension ZipTimestamp {
    fileprivate init(_ time: LocalTime) {
        self.init(year: time.year, month: time.month, day: time.day, hour: time.hour, minute: time.minute, second: time.second)
    }
}
