import DiaryCore
import DiaryCrypto
import FoundationEssentials
import WireFormats
import ZipArchive

/// Collects what an export holds, page by page: texts and the lines of manifests in unlinked temporary files, recordings by their objects. Only names
/// stay in memory.
actor ExportAssembly {
    private enum Content {
        case text([UInt8])
        case recording(UUID)
    }

    private struct File {
        var content: Content
        var facts: ExportManifest.File
    }

    private let export: Export
    private let vault: Vault
    private let objects: any ObjectStore
    private let planner: ExportPlanner
    private let now: Date
    private var names = ExportNames()
    /// Of the snapshot that is read.
    private var changesUpto: Int64 = 0
    private var deleted: [DeletedEntry] = []

    init(_ export: Export, vault: Vault, objects: any ObjectStore, partBytes: Int64, folder: String, now: Date) async throws {
        self.export = export
        self.vault = vault
        self.objects = objects
        self.now = now
        planner = try await ExportPlanner(
            documents: [.init(path: ExportManifest.path, separator: Array(",".utf8))], limit: partBytes, folder: folder)
    }

    func begin(_ snapshot: ExportSnapshot) { changesUpto = snapshot.changesUpto }

    func add(deleted page: [DeletedEntry]) { deleted += page }

    func add(_ page: [StoredEntry]) async throws {
        let recordings = try await stored(page)
        for (entry, stored) in Swift.zip(try vault.open(page), page) where export.confirms(entry) {
            try Task.checkCancellation()
            try await add(entry, stored.playable, recordings)
        }
    }

    /// Asks the store for a page's recordings at once.
    private func stored(_ page: [StoredEntry]) async throws -> [UUID: ObjectFacts] {
        let wanted = export.contents.includeAudio ? page.compactMap { $0.playable?.object } : []
        guard !wanted.isEmpty else { return [:] }
        let found = try await objects.facts(of: wanted.map { ObjectKey(kind: .audio, owner: vault.owner, object: $0) })
        var stored: [UUID: ObjectFacts] = [:]
        for (object, facts) in Swift.zip(wanted, found) { stored[object] = try facts.get() }
        return stored
    }

    private func add(_ entry: Entry, _ recording: PlayableRecording?, _ stored: [UUID: ObjectFacts]) async throws {
        var files: [File] = []
        if let text = Self.text(of: entry) {
            let facts = ExportManifest.File(
                path: names.text(entry.facts), size: Int64(text.count), sha256: Hex.encode(SHA256.digest(text)))
            files.append(File(content: .text(text), facts: facts))
        }
        var missing: ExportManifest.MissingAudio?
        if export.contents.includeAudio, entry.facts.kind == .voice {
            switch try await recordingFile(recording, of: entry.facts, stored) {
            case .success(let file): files.append(file)
            case .failure(let reason): missing = reason
            }
        }
        let line = try ExportManifest.line(entry, files: files.map(\.facts), audioMissing: missing)
        _ = try await planner.begin(files: files.map { ($0.facts.path.utf8.count, $0.facts.size) }, lines: line.count)
        let modified = ZipTimestamp(entry.facts.localTime)
        for file in files {
            switch file.content {
            case .text(let text): try await planner.add(text: text, path: file.facts.path, modified: modified)
            case .recording(let object):
                try await planner.add(recording: object, length: file.facts.size, path: file.facts.path, modified: modified)
            }
        }
        try await planner.end([line])
    }

    /// - Returns: why there is none, when there is no verified recording (yet).
    private func recordingFile(
        _ recording: PlayableRecording?, of facts: EntryFacts, _ stored: [UUID: ObjectFacts]
    ) async throws -> Result<File, ExportManifest.MissingAudio> {
        guard facts.audioRemovedAt == nil, let recording else { return .failure(.removed) }
        guard facts.status != .awaitingUpload else { return .failure(.notArrived) }
        // Expired or refused: it was never verified, although the app may have announced a duration.
        if facts.status == .failed, facts.processing?.stage == .verify { return .failure(.refused) }
        guard let size = stored[recording.object]?.size else {
            if facts.status == .uploaded || facts.durationSeconds == nil { return .failure(.notArrived) }
            // Verified, but missing: an export without it would look complete.
            throw ObjectStoreError.unavailable(full: false)
        }
        let path = names.audio(recording.filename, of: facts)
        let sha256 = if let known = recording.sha256 { known } else { try await digest(recording.object, size) }
        return .success(
            File(content: .recording(recording.object), facts: .init(path: path, size: size, sha256: Hex.encode(sha256))))
    }

    private func digest(_ object: UUID, _ size: Int64) async throws -> [UInt8] {
        var hash = SHA256Stream()
        guard size > 0 else { return hash.finish() }
        let stream = try await objects.read(
            ObjectKey(kind: .audio, owner: vault.owner, object: object), range: 0..<size, openedBy: vault.key)
        while let piece = try await stream.next() { hash.update(piece) }
        return hash.finish()
    }

    /// Each part with its own manifest, which comes last.
    func finish() async throws -> ExportPlan {
        let (export, now) = (export, now)
        return try await planner.finish(modified: now, changesUpto: changesUpto) { _, part, of, entries in
            (try ExportManifest.head(export, at: now, part: part, of: of), ExportManifest.tail(count: entries))
        }
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
