import DiaryCrypto
import DiaryTesting
import FoundationEssentials
import TestSupport

@testable import DiaryCore
@testable import DiaryWorker

/// A job whose work a test writes.
struct ScriptedJob: Job {
    let kind: JobKind
    /// The kind that its end commits.
    var next: JobKind?
    let body: @Sendable (LeasedJob) async throws(JobStop) -> Void

    func work(_ job: LeasedJob) async throws -> JobKind? {
        try await body(job)
        return next
    }
}

extension JobCatalogue {
    /// These kinds alone: `transcribe` in the queue for speech, the others in the one for texts. Three tries, almost without waits.
    static func of(_ kinds: [JobKind]) -> JobCatalogue {
        JobCatalogue(
            kinds.map { kind in
                JobDescriptor(
                    kind:
                        kind, queue: kind == .transcribe ? .speech : .text, subject: .mail,
                    retries: { _ in RetryPolicy(maxTries: 3, baseSeconds: 0.01, capSeconds: 0.02) })
            })
    }
}

/// A user with a key.
struct Person: Sendable {
    let owner = Owner.someone
    let keys: DataKeys
    let vault: Vault

    init() async throws {
        keys = DataKeys(store: MemoryKeyStore(), ring: try MasterKeyRing(current: "k1", keys: ["k1": .random(32)]))
        vault = Vault(key: try await keys.make(for: owner), owner: owner)
    }

    func key(_ kind: ObjectKey.Kind, _ object: UUID) -> ObjectKey { ObjectKey(kind: kind, owner: owner, object: object) }
}

extension EntryFacts {
    static func make(
        _ kind: EntryKind = .voice, id: EntryID = EntryID(UUIDv7.make()), status: EntryStatus = .transcribed, at recordedAt: Date = .now,
        local: LocalTime = LocalTime(year: 2026, month: 3, day: 7, hour: 18, minute: 30, second: 5), size: Int64? = nil,
        seconds: Double? = 12.5, sha256: [UInt8]? = nil, object: UUID? = nil, processing: Processing? = nil, language: String? = "en",
        favorite: Bool = false, audioRemovedAt: Date? = nil
    ) -> EntryFacts {
        EntryFacts(
            id: id, kind: kind, status: status, processing: processing, recordedAt: recordedAt, timeZone: "Europe/Berlin", localTime: local,
            day: CalendarDay(local), createdAt: recordedAt,
            updatedAt: recordedAt, deletedAt: nil, durationSeconds: seconds, sizeBytes: size,
            contentType: kind == .voice ? "audio/mp4" : nil,
            sha256: sha256,
            language: language, object: object, changeNumber: 1, favorite: favorite, audioRemovedAt: audioRemovedAt)
    }
}

extension Vault {
    func entry(_ facts: EntryFacts, _ personal: PersonalPart = PersonalPart(), _ machine: MachinePart? = nil) throws -> StoredEntry {
        StoredEntry(
            facts: facts, personal: SealedColumn(bytes: try seal(personal, as: .personal, row: facts.id.uuid, version: 1), version: 1),
            machine: try machine.map { SealedColumn(bytes: try seal($0, as: .machine, row: facts.id.uuid, version: 1), version: 1) })
    }
}

struct Scratch: ~Copyable {
    let folders: JobFolders

    init() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "worker-\(UUID())").path
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        folders = JobFolders(root: root)
    }

    deinit { try? FileManager.default.removeItem(atPath: folders.root) }
}
