import DiaryCore
import DiaryCrypto
import FoundationEssentials
import WireFormats
import ZipArchive

/// Collects an export's members page by page: texts and manifest in unlinked temporary files, recordings read from the store. Only names
/// and lengths stay in memory.
actor ExportAssembly {
    private let export: Export
    private let vault: Vault
    private let objects: any ObjectStore
    private let texts: UnlinkedTempFile
    private let manifest: UnlinkedTempFile
    private let zip: UnlinkedTempFile
    private let writer: ZipWriter
    private let now: Date
    private var names = ExportNames()
    private var recordings: [AsyncMemberSource] = []
    private(set) var count = 0
    /// Of the snapshot that is read.
    private(set) var changesUpto: Int64 = 0
    private var deleted: [DeletedEntry] = []

    init(_ export: Export, vault: Vault, objects: any ObjectStore, folder: String, now: Date) async throws {
        self.export = export
        self.vault = vault
        self.objects = objects
        self.now = now
        (texts, manifest, zip) = try await BlockingWork.run {
            (try UnlinkedTempFile(folder: folder), try UnlinkedTempFile(folder: folder), try UnlinkedTempFile(folder: folder))
        }
        writer = ZipWriter(file: zip)
        let head = try ExportManifest.head(export, at: now)
        let file = manifest
        try await BlockingWork.run { _ = try file.append(head) }
    }

    func begin(_ snapshot: ExportSnapshot) { changesUpto = snapshot.changesUpto }

    func add(deleted page: [DeletedEntry]) { deleted += page }

    func add(_ page: [StoredEntry]) async throws {
        for (entry, stored) in Swift.zip(try vault.open(page), page) where export.confirms(entry) {
            try Task.checkCancellation()
            try await add(entry, stored.playable)
        }
    }

    private func add(_ entry: Entry, _ recording: PlayableRecording?) async throws {
        var files: [ExportManifest.File] = []
        if let text = Self.text(of: entry) { files.append(try await add(text, of: entry.facts)) }
        var missing: ExportManifest.MissingAudio?
        if export.contents.includeAudio, entry.facts.kind == .voice {
            switch try await addRecording(recording, of: entry.facts) {
            case .success(let file): files.append(file)
            case .failure(let reason): missing = reason
            }
        }
        let line = try ExportManifest.line(entry, files: files, audioMissing: missing, isFirst: count == 0)
        let manifest = manifest
        try await BlockingWork.run { _ = try manifest.append(line) }
        count += 1
    }

    private func add(_ text: [UInt8], of facts: EntryFacts) async throws -> ExportManifest.File {
        let texts = texts
        let offset = try await BlockingWork.run { try texts.append(text) }
        let path = names.text(facts)
        let length = Int64(text.count)
        try writer.add(
            ZipMember(
                path: path, modified: ZipTimestamp(facts.localTime), method: .deflated, length: length,
                source: MidZipSource(TempFileSlice(file: texts, offset: offset, length: length))))
        return .init(path: path, size: length, sha256: Hex.encode(SHA256.digest(text)))
    }

    /// - Returns: why there is none, when there is no verified recording (yet).
    private func addRecording(
        _ recording: PlayableRecording?, of facts: EntryFacts
    ) async throws -> Result<ExportManifest.File, ExportManifest.MissingAudio> {
        guard facts.audioRemovedAt == nil, let recording else { return .failure(.removed) }
        guard facts.status != .awaitingUpload else { return .failure(.notArrived) }
        // Expired or refused: it was never verified, although the app may have announced a duration.
        if facts.status == .failed, facts.processing?.stage == .verify { return .failure(.refused) }
        let key = ObjectKey(kind: .audio, owner: vault.owner, object: recording.object)
        let stored: ObjectFacts
        do throws(ObjectStoreError) { stored = try await objects.facts(key) } catch .missing
            where facts.status == .uploaded || facts.durationSeconds == nil
        {
            return .failure(.notArrived)
        } catch .missing {
            // Verified, but missing: an export without it would look complete.
            throw ObjectStoreError.unavailable(full: false)
        }
        let path = names.audio(recording.filename, of: facts)
        let sha256 = if let known = recording.sha256 { known } else { try await digest(key, stored.size) }
        let (objects, dataKey, size) = (objects, vault.key, stored.size)
        let source = AsyncMemberSource {
            try Failpoint.exportMidZip.hit()
            guard size > 0 else { return { nil } }
            let stream = try await objects.read(key, range: 0..<size, openedBy: dataKey)
            return { try await stream.next() }
        }
        recordings.append(source)
        try writer.add(ZipMember(path: path, modified: ZipTimestamp(facts.localTime), method: .stored, length: size, source: source))
        return .success(.init(path: path, size: size, sha256: Hex.encode(sha256)))
    }

    private func digest(_ key: ObjectKey, _ size: Int64) async throws -> [UInt8] {
        var hash = SHA256Stream()
        guard size > 0 else { return hash.finish() }
        let stream = try await objects.read(key, range: 0..<size, openedBy: vault.key)
        while let piece = try await stream.next() { hash.update(piece) }
        return hash.finish()
    }

    /// Writes the archive: every member, the manifest last.
    /// - Returns: the zip, at its start, and its size.
    func finish() async throws -> (file: UnlinkedTempFile, size: Int64) {
        let (manifest, tail) = (manifest, ExportManifest.tail(count: count))
        let length = try await BlockingWork.run {
            _ = try manifest.append(tail)
            return try manifest.size
        }
        try writer.add(
            ZipMember(
                path: ExportManifest.path, modified: now, method: .deflated, length: length,
                source: MidZipSource(TempFileSlice(file: manifest, offset: 0, length: length))))
        let (writer, recordings) = (writer, recordings)
        let size = try await withTaskCancellationHandler {
            try await writer.finish()
        } onCancel: {
            // A read that waits for the object store would block the archive's thread.
            for recording in recordings { recording.cancel() }
        }
        return (zip, size)
    }

    /// Title, blank line, words. nil while there are no words.
    static func text(of entry: Entry) -> [UInt8]? {
        guard let words = entry.text else { return nil }
        var text = ""
        if let title = entry.personal.title, !title.isEmpty { text = "\(title)\n\n" }
        text += words
        if !text.hasSuffix("\n") { text += "\n" }
        return Array(text.utf8)
    }
}

extension ZipTimestamp {
    fileprivate init(_ time: LocalTime) {
        self.init(year: time.year, month: time.month, day: time.day, hour: time.hour, minute: time.minute, second: time.second)
    }
}
