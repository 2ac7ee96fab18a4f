import DiaryCore
import DiaryCrypto
import FoundationEssentials

/// Finds the recordings of an export in the object store.
struct ExportRecordings: Sendable {
    struct Found: Sendable {
        var filename: String
        /// Bytes.
        var size: Int64
        var sha256: [UInt8]
        var isCopy: Bool
        var object: UUID
    }

    let vault: Vault
    let objects: any ObjectStore

    /// Asks the store for the recordings of a page at once.
    func facts(of page: [ExportedEntry]) async throws -> [UUID: ObjectFacts] {
        let wanted = page.compactMap { $0.recording?.object }
        guard !wanted.isEmpty else { return [:] }
        let found = try await objects.facts(of: wanted.map { ObjectKey(kind: .audio, owner: vault.owner, object: $0) })
        var stored: [UUID: ObjectFacts] = [:]
        for (object, facts) in zip(wanted, found) { stored[object] = try facts.get() }
        return stored
    }

    /// - Parameter stored: by `facts(of:)`.
    /// - Returns: why there is none, when there is no verified recording (yet).
    /// - Throws: `unavailable` for one that was verified and is missing: an export without it would look complete.
    func find(_ exported: ExportedEntry, _ stored: [UUID: ObjectFacts]) async throws -> Result<Found, ExportGap.Reason> {
        let facts = exported.entry.facts
        guard facts.audioRemovedAt == nil, let recording = exported.recording else { return .failure(.removed) }
        guard facts.status != .awaitingUpload else { return .failure(.notArrived) }
        // Expired or refused: it was never verified, although the app may have announced a duration.
        if facts.status == .failed, facts.processing?.stage == .verify { return .failure(.refused) }
        // One that was imported, or restored from the trash, lies at its final key before its check.
        if facts.status == .uploaded, facts.processing?.stage == .verify { return .failure(.notArrived) }
        guard let size = stored[recording.object]?.size else {
            if facts.status == .uploaded || facts.durationSeconds == nil { return .failure(.notArrived) }
            throw ObjectStoreError.unavailable(full: false)
        }
        let sha256 = if let known = recording.sha256 { known } else { try await digest(recording.object, size) }
        return .success(
            Found(
                filename: recording.filename, size: size, sha256: sha256, isCopy: exported.copy != nil, object: recording.object))
    }

    private func digest(_ object: UUID, _ size: Int64) async throws -> [UInt8] {
        var hash = SHA256Stream()
        guard size > 0 else { return hash.finish() }
        let key = ObjectKey(kind: .audio, owner: vault.owner, object: object)
        let stream = try await objects.read(key, range: 0..<size, openedBy: vault.key)
        while let piece = try await stream.next() { hash.update(piece) }
        return hash.finish()
    }
}
