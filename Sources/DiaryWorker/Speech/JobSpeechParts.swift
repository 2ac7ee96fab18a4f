import DiaryCore
import DiaryCrypto
import FoundationEssentials
import Synchronization

/// The speech parts of one job: what its engines recognised of a long recording, sealed under the owner's key, written under the job's
/// lease.
final class JobSpeechParts: SpeechParts {
    private let store: any SpeechPartStore
    private let keys: DataKeys
    private let vault: Vault
    private let job: LeasedJob
    private let entry: EntryID
    private let object: UUID
    private let stopped = Mutex<JobStop?>(nil)

    init(store: any SpeechPartStore, keys: DataKeys, vault: Vault, job: LeasedJob, entry: EntryID, object: UUID) {
        self.store = store
        self.keys = keys
        self.vault = vault
        self.job = job
        self.entry = entry
        self.object = object
    }

    /// Why the job must end now, however the engine chain treats the failure: its lease was lost, or the database is down.
    var stop: JobStop? { stopped.withLock { $0 } }

    /// A part that was altered in the database, or belongs to another place, is not used.
    func kept(by engine: EngineReference) async throws(ProviderFailure) -> [SpeechPart] {
        let stored: [StoredSpeechPart]
        do throws(WorkError) {
            stored = try await store.parts(of: entry, object: object, engine: engine.text, of: job.owner)
        } catch {
            throw end(JobStop(beginning: error))
        }
        return stored.compactMap { part in
            guard
                let content = try? vault.open(
                    SealedSpeechPart.self, part.sealed, as: .speechPart, row: entry.uuid, version: Int64(part.index) + 1),
                content.object == object, content.engine == engine.text, content.part.index == part.index
            else { return nil }
            return content.part
        }
    }

    /// Tries again while the database is unavailable: the part has been paid for.
    func keep(_ part: SpeechPart, by engine: EngineReference, used: UsageAmount) async throws(ProviderFailure) {
        do {
            let sealed = try vault.seal(
                SealedSpeechPart(object: object, engine: engine.text, part: part), as: .speechPart, row: entry.uuid,
                version: Int64(part.index) + 1)
            let stored = StoredSpeechPart(
                index: part.index, fromMilliseconds: Self.milliseconds(part.start), toMilliseconds: Self.milliseconds(part.end),
                sealed: sealed)
            try await ResultWriting(keys: keys, owner: job.owner).run {
                try await store.keep(stored, used: used, keyID: vault.key.id, object: object, engine: engine.text, job)
            }
        } catch {
            throw end(JobStop(any: error))
        }
    }

    private func end(_ stop: JobStop) -> ProviderFailure {
        stopped.withLock { $0 = $0 ?? stop }
        return ProviderFailure(.retry, code: .unexpected, cause: "the part of a recording was not stored")
    }

    private static func milliseconds(_ seconds: Double) -> Int64 { Int64(exactly: (seconds * 1_000).rounded()) ?? 0 }
}

/// What is sealed: the part with its place, which its additional data does not name.
private struct SealedSpeechPart: Codable {
    var object: UUID
    var engine: String
    var part: SpeechPart
}
