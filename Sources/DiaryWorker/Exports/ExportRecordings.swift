import DiaryCore
import DiaryCrypto
import ZipArchive

/// Finds the recordings of an export in the object store.
struct ExportRecordings: Sendable {
    struct Found: Sendable {
        var filename: String
        /// Bytes.
        var size: Int64
        var sha256: [UInt8]
        var isCopy: Bool
        /// Reads it when the archive is written.
        var source: AsyncMemberSource
    }

    let vault: Vault
    let objects: any ObjectStore

    /// - Returns: why there is none, when there is no verified recording (yet).
    /// - Throws: `unavailable` for one that was verified and is missing: an export without it would look complete.
    func find(_ exported: ExportedEntry) async throws -> Result<Found, ExportGap.Reason> {
        let facts = exported.entry.facts
        guard facts.audioRemovedAt == nil, let recording = exported.recording else { return .failure(.removed) }
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
            throw ObjectStoreError.unavailable(full: false)
        }
        let sha256 = if let known = recording.sha256 { known } else { try await digest(key, stored.size) }
        return .success(
            Found(
                filename: recording.filename, size: stored.size, sha256: sha256, isCopy: exported.copy != nil,
                source: source(key, size: stored.size)))
    }

    private func source(_ key: ObjectKey, size: Int64) -> AsyncMemberSource {
        let (objects, dataKey) = (objects, vault.key)
        return AsyncMemberSource {
            try Failpoint.exportMidZip.hit()
            guard size > 0 else { return { nil } }
            let stream = try await objects.read(key, range: 0..<size, openedBy: dataKey)
            return { try await stream.next() }
        }
    }

    private func digest(_ key: ObjectKey, _ size: Int64) async throws -> [UInt8] {
        var hash = SHA256Stream()
        guard size > 0 else { return hash.finish() }
        let stream = try await objects.read(key, range: 0..<size, openedBy: vault.key)
        while let piece = try await stream.next() { hash.update(piece) }
        return hash.finish()
    }
}
