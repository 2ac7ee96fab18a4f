package import DiaryCore
import DiaryCrypto
import FoundationEssentials
package import Logging
import WireFormats
import ZipArchive

/// Makes the zip of one entry while it is read, as `ExportBuild` lays out that of an export: texts, recording, index, manifest. Only the
/// recording is not in memory. Earlier texts are not in it: it is what a user shares. As in an export, the manifest and the index say of a
/// recording that the store lacks, or that does not open, that it is missing.
package struct ExportBundler: EntryBundler {
    private let objects: any ObjectStore
    /// Without a slash at its end.
    private let publicURL: String
    private let clock: WallClock
    private let logger: Logger

    package init(objects: any ObjectStore, publicURL: String, clock: WallClock, logger: Logger) {
        self.objects = objects
        self.publicURL = publicURL
        self.clock = clock
        self.logger = logger
    }

    package func bundle(_ entry: WholeEntry, in tenant: Tenant?, with vault: Vault) async throws(DiaryError) -> EntryBundle {
        let facts = entry.stored.entry.facts
        do {
            let zip = try StreamedZip(try await members(of: entry, context(of: entry, tenant), vault))
            return EntryBundle(filename: "\(facts.stem).zip", sizeBytes: zip.size, body: BundleStream(zip))
        } catch let error as DiaryError {
            throw error
        } catch let error as ObjectStoreError {
            throw DiaryError(reading: error)
        } catch {
            throw DiaryError.unavailable(cause: "the zip of an entry was not made: \(type(of: error))")
        }
    }

    private func context(of entry: WholeEntry, _ tenant: Tenant?) -> ExportContext {
        let (facts, now) = (entry.stored.entry.facts, clock.now())
        let export = Export(
            id: ExportID(UUIDv7.make(at: now)), selection: ExportSelection(from: facts.day, to: facts.day, entries: [facts.id]),
            timeZone: entry.timeZone, contents: ExportContents(formats: [.txt, .metadataJSON]), status: .building, code: nil,
            mailStatus: .notAsked, sizeBytes: nil, entryCount: nil, createdAt: now, readyAt: nil, expiresAt: nil, downloads: 0,
            maxDownloads: 0, revokedAt: nil)
        return ExportContext(
            export: export, locale: entry.locale,
            language: WrittenLanguage.of(account: entry.locale, app: tenant?.configuration.text(.mailLocale)),
            brand: tenant.map { AppBrand($0) } ?? AppBrand(), publicURL: publicURL, now: now)
    }

    private func members(
        of whole: WholeEntry, _ context: ExportContext, _ vault: Vault
    ) async throws -> [StreamedZip.Member] {
        let recordings = ExportRecordings(vault: vault, objects: objects, isFirstTry: true, leavesOut: true, logger: logger)
        let preparation = ExportPreparation(
            context: context, vault: vault, recordings: recordings, lost: LostRecordings(),
            profiles: whole.profiles.map { vault.open($0) })
        guard let entry = try await preparation.entries(of: [whole.stored]).first else { throw DiaryError.notFound }
        var (names, index) = (ExportNames(), ExportIndex(context))
        let files = ExportedFiles(of: entry, named: &names, in: index)
        let facts = entry.exported.entry.facts
        let modified = ZipTimestamp(facts.localTime)
        var members = zip(files.facts, entry.texts).map { file, text in
            StreamedZip.Member(path: file.path, modified: modified, content: .packed(text.packed, text.facts))
        }
        if case .success(let found) = entry.recording, let file = files.facts.last {
            members.append(StreamedZip.Member(path: file.path, modified: modified, content: sound(of: found, vault)))
        }

        index.add(
            facts, hasRecording: files.facts.contains { $0.role == .audio }, offset: 0, length: Int64(files.article.count))
        // The one article is the only range of a file in it.
        let page = index.pieces(part: .only).flatMap { piece in
            switch piece {
            case .bytes(let bytes): bytes
            case .range: files.article
            }
        }
        let about = ExportFileFacts(
            path: ExportIndex.path, role: .index, size: Int64(page.count), sha256: Hex.encode(SHA256.digest(page)))
        let manifest =
            ExportManifest.head(context) + ExportManifest.line(files.line, isFirst: true)
            + ExportManifest.tail(count: 1, part: .only, files: [about], snapshot: nil, deleted: nil)
        let deflater = try Deflater()
        for (path, bytes) in [(ExportIndex.path, page), (ExportManifest.path, manifest)] {
            let (packed, facts) = try deflater.pack(bytes)
            members.append(StreamedZip.Member(path: path, modified: context.zipTime, content: .packed(packed, facts)))
        }
        return members
    }

    /// Opened when the reader has come to it.
    private func sound(of found: ExportRecordings.Found, _ vault: Vault) -> StreamedZip.Member.Content {
        let key = ObjectKey(kind: .audio, owner: vault.owner, object: found.object)
        let store = objects
        let start: @Sendable () async throws -> StreamedZip.Pieces = {
            guard found.size > 0 else { return { nil } }
            let stream = try await store.read(key, range: 0..<found.size, openedBy: vault.key)
            return { try await stream.next() }
        }
        return .streamed(length: found.size, start: start)
    }
}

/// A zip as a body.
private final class BundleStream: ByteStream {
    private let zip: StreamedZip

    init(_ zip: StreamedZip) { self.zip = zip }

    func next() async throws -> [UInt8]? {
        try Task.checkCancellation()
        return try await zip.next()
    }
}
