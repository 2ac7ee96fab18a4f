package import DiaryCore
import DiaryCrypto
package import Logging

/// Recordings of entries in the trash that no worker has checked, and of others whose check failed. In a bucket they would lie in staging, plain and
/// before its lifecycle, for as long as their entries keep them: they are sealed at their final keys, where the check finds them after a restoration
/// or a retry.
package struct TrashedUploads: Sendable {
    let store: any RetentionSweepStore
    let objects: any ObjectStore
    let keys: DataKeys
    let logger: Logger

    static let batch = 1_000
    /// In a round: each is read and stored again.
    static let sealed = 8

    package init(store: any RetentionSweepStore, objects: any ObjectStore, keys: DataKeys, logger: Logger) {
        self.store = store
        self.objects = objects
        self.keys = keys
        self.logger = logger
    }

    /// A page of entries.
    func seal(_ walk: inout SweepWalk<EntryID>, _ isStopping: () -> Bool) async throws {
        guard walk.isUnderWay else { return }
        let page = try await store.uncheckedTrash(after: walk.place, limit: Self.batch)
        walk.reached(page.count < Self.batch ? nil : page.last?.entry)
        guard !page.isEmpty else { return }
        let found = try await objects.facts(of: page.map { ObjectKey(kind: .staging, owner: $0.owner, object: $0.object) })
        var lookups = FailedLookups()
        let unread = lookups.note(found)
        if unread > 0 { logger.warning("trashed uploads not looked at", metadata: ["uploads": .stringConvertible(unread)]) }
        var left = Self.sealed
        for (upload, facts) in zip(page, found) where (try? facts.get())?.size == upload.size {
            if isStopping() { throw CancellationError() }
            do { try await seal(upload) } catch let error as WorkError {
                if error.isOutage { throw error }
            } catch let error as ObjectStoreError {
                logger.warning("not swept", metadata: ["error": "object store: \(error)"])
                if case .unavailable = error {
                    // The next round goes on after it: one that is never served does not hide the others.
                    walk.reached(upload.entry)
                    throw error
                }
            }
            left -= 1
            if left == 0 {
                walk.reached(upload.entry)
                break
            }
        }
        try lookups.check()
    }

    private func seal(_ upload: AwaitingUpload) async throws {
        let key: DataKey
        do throws(DiaryError) { key = try await keys.key(of: upload.owner) } catch {
            guard error.code != .notFound else { return }
            throw WorkError.unavailable(error)
        }
        let staging = ObjectKey(kind: .staging, owner: upload.owner, object: upload.object)
        do {
            let digest = try await digest(of: staging, upload.size, openedBy: key)
            // Before the promotion, after which the next round would not find the object in staging.
            try await store.arrivedInTrash(upload)
            try await objects.promote(
                staging, to: ObjectKey(kind: .audio, owner: upload.owner, object: upload.object), sealedBy: key, sha256: digest)
        } catch ObjectStoreError.missing {
            // Ended, or restored and checked, meanwhile.
        }
    }

    /// Promoting deletes the plain original, and a plain object does not reveal a wrong read. So the bytes are read twice and must agree.
    private func digest(of staging: ObjectKey, _ size: Int64, openedBy key: DataKey) async throws -> [UInt8] {
        let stream = try await objects.read(staging, range: 0..<size, openedBy: key)
        var hash = SHA256Stream()
        while let piece = try await stream.next() { hash.update(piece) }
        return hash.finish()
    }
}
