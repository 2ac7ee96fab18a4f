import DiaryCore
import DiaryCrypto
import FoundationEssentials
import Logging

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

    /// Seconds before the next try when the store lacks a recording or a piece of it: a delayed store, or the restore of a backup, takes
    /// minutes.
    static let patience = 300.0

    let vault: Vault
    let objects: any ObjectStore
    /// The next try has another snapshot, without what was deleted meanwhile: it need not wait.
    let isFirstTry: Bool
    /// Whether a missing or incomplete recording becomes a gap of the export; otherwise the try fails.
    let leavesOut: Bool
    let logger: Logger

    /// Asks the store for the recordings of a page at once.
    func facts(of page: [ExportedEntry]) async throws -> [UUID: ObjectFacts] {
        let wanted = page.compactMap { $0.recording?.object }
        guard !wanted.isEmpty else { return [:] }
        let found = try await objects.facts(of: wanted.map { ObjectKey(kind: .audio, owner: vault.owner, object: $0) })
        var stored: [UUID: ObjectFacts] = [:]
        for (object, facts) in zip(wanted, found) { stored[object] = try facts.get() }
        return stored
    }

    /// - Parameters:
    ///   - stored: by `facts(of:)`.
    ///   - lost: of an earlier plan.
    /// - Returns: why there is none.
    /// - Throws: a `JobStop` for one that was verified and that the store does not have whole, unless it is left out; `unavailable` when the store
    ///   is down.
    func find(
        _ exported: ExportedEntry, _ stored: [UUID: ObjectFacts], without lost: LostRecordings
    ) async throws -> Result<Found, ExportGap.Reason> {
        let facts = exported.entry.facts
        if facts.isOnDevice { return .failure(.onDevice) }
        guard facts.audioRemovedAt == nil, let recording = exported.recording else { return .failure(.removed) }
        guard facts.status != .awaitingUpload else { return .failure(.notArrived) }
        // Expired or refused: it was never verified, although the app may have announced a duration.
        if facts.status == .failed, facts.processing?.stage == .verify { return .failure(.refused) }
        // One that was imported, or restored from the trash, lies at its final key before its check.
        if facts.status == .uploaded, facts.processing.map({ $0.stage == .verify }) ?? true { return .failure(.notArrived) }
        let known = stored[recording.object]?.size
        if known == nil, facts.durationSeconds == nil { return .failure(.notArrived) }
        if let reason = lost.reasons[recording.object] {
            return try await original(of: exported, stored, without: lost) ?? .failure(leftOut(exported, reason))
        }
        do {
            // `facts(of:)` does not distinguish missing from damaged.
            let size = if let known { known } else { try await objects.facts(key(recording.object)).size }
            let sha256 = if let digest = recording.sha256 { digest } else { try await digest(recording.object, size) }
            return .success(
                Found(
                    filename: recording.filename, size: size, sha256: sha256, isCopy: exported.copy != nil, object: recording.object))
        } catch {
            guard let reason = ExportGap.Reason(recording: error) else { throw error }
            if let original = try await original(of: exported, stored, without: lost) { return original }
            guard leavesOut else {
                let wait = isFirstTry ? nil : Self.patience
                throw JobStop(outcome: .retry(.storageUnavailable, after: wait), cause: "object store: \(error)")
            }
            return .failure(leftOut(exported, reason))
        }
    }

    /// Looks for the original in place of a copy that cannot be read.
    /// - Returns: nil where there is none.
    private func original(
        of exported: ExportedEntry, _ stored: [UUID: ObjectFacts], without lost: LostRecordings
    ) async throws -> Result<Found, ExportGap.Reason>? {
        guard exported.copy != nil, let original = exported.original else { return nil }
        var other = exported
        (other.recording, other.copy) = (original, nil)
        return try await find(other, stored, without: lost)
    }

    /// Reads every recording of a plan to its end.
    func lost(of plan: ExportPlan) async throws -> LostRecordings {
        var lost = LostRecordings()
        for part in plan.parts {
            let records = try await plan.records(of: part)
            var recordings: [(object: UUID, length: Int64)] = []
            try PlannedMember.forEach(in: records) { member in
                if case .recording(let object) = member.content { recordings.append((object, member.length)) }
            }
            for (object, length) in recordings {
                do {
                    _ = try await digest(object, length)
                } catch {
                    guard let reason = ExportGap.Reason(recording: error) else { throw error }
                    lost.reasons[object] = reason
                }
            }
        }
        return lost
    }

    /// Logged for the operator: the recording may still be in a backup.
    private func leftOut(_ exported: ExportedEntry, _ reason: ExportGap.Reason) -> ExportGap.Reason {
        logger.error(
            "recording left out of an export",
            metadata: ["entry": "\(exported.entry.facts.id)", "tenant": "\(vault.owner.tenant)", "reason": "\(reason.rawValue)"])
        return reason
    }

    private func digest(_ object: UUID, _ size: Int64) async throws -> [UInt8] {
        var hash = SHA256Stream()
        guard size > 0 else { return hash.finish() }
        let stream = try await objects.read(key(object), range: 0..<size, openedBy: vault.key)
        while let piece = try await stream.next() { hash.update(piece) }
        return hash.finish()
    }

    private func key(_ object: UUID) -> ObjectKey { ObjectKey(kind: .audio, owner: vault.owner, object: object) }
}
