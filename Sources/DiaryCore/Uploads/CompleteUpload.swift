import DiaryCrypto
import FoundationEssentials

/// Completes an upload that the app reports: looks for the object in the store, whichever server received it, joins its parts if it came in
/// parts, and enqueues the job `verify` (decision D10). A recording that is found is accepted even when its entry has expired.
package struct CompleteUpload: Sendable {
    let entries: any EntryStore
    let objects: any ObjectStore
    let uploads: any PartUploadStore
    let parts: any UploadParts
    let keys: DataKeys
    let jobSignals: any JobSignals

    package func run(_ id: EntryID, by member: Member) async throws(DiaryError) -> Entry {
        guard let stored = try await entries.entry(id, of: member) else { throw .notFound }
        guard stored.facts.kind == .voice else { throw DiaryError(.notAVoiceEntry) }
        let vault = try await keys.vault(of: member)
        // A recording that was removed has no object.
        guard Self.lacksRecording(stored.facts), let object = stored.facts.object else { return try vault.open(stored) }
        let key = ObjectKey(kind: .staging, owner: member.owner, object: object)
        let size: Int64
        do {
            let found = try await objects.facts(key).size
            try await objects.confirmDurable(key)
            size = found
        } catch .missing {
            // Not uploaded; or, since the entry was read, a sweeper completed it and a worker promoted it, or the account was deleted.
            guard let now = try await entries.entry(id, of: member) else { throw .notFound }
            guard Self.lacksRecording(now.facts) else { return try vault.open(now) }
            if let verified = try await verifiedSize(object, announced: stored.facts.sizeBytes, member) {
                size = verified
            } else {
                switch try await join(id, vault, member) {
                case .joined(let joined): size = joined
                case let outcome:
                    // Another call may have joined them, and removed the parts.
                    if let later = try await entries.entry(id, of: member), !Self.lacksRecording(later.facts) {
                        return try vault.open(later)
                    }
                    if now.facts.isExpired { return try vault.open(now) }
                    throw DiaryError(.uploadIncomplete, detail: outcome == .lacksParts ? "Some of its parts have not arrived." : nil)
                }
            }
        } catch {
            throw DiaryError(storing: error)
        }
        guard size == stored.facts.sizeBytes else { throw DiaryError(.uploadSizeMismatch) }
        try Failpoint.completeAfterHead.hitAsDiaryError()
        let job = NewJob(.verify, cost: JobCost.verify(bytes: size))
        let (outcome, hasParts) = try await entries.completeUpload(
            id, object: object, size: size, keyID: vault.key.id, job: job, by: member)
        switch outcome {
        case .enqueued(let stored):
            try Failpoint.completeAfterCommit.hitAsDiaryError()
            jobSignals.jobCommitted(job.kind)
            // The parts are not needed any more. After a crash before this line the sweeper discards them.
            if hasParts { try? await parts.discard(key, id: nil) }
            try Failpoint.completeAfterSignal.hitAsDiaryError()
            return try vault.open(stored)
        case .already(let stored):
            // Another request reopened the upload, for another object than the one that was found.
            guard !Self.lacksRecording(stored.facts) else { throw DiaryError(.uploadIncomplete) }
            return try vault.open(stored)
        case .missing: throw .notFound
        }
    }

    /// The size of a recording that is at its final key already, as after a restore of an older database. Where the app keeps no originals,
    /// the playable copy shows that it was verified, and the announced size is taken.
    private func verifiedSize(_ object: UUID, announced: Int64?, _ member: Member) async throws(DiaryError) -> Int64? {
        let keys = [object, PlayableCopy.object(of: object)].map {
            ObjectKey(kind: .audio, owner: member.owner, object: $0)
        }
        do {
            let found = try await objects.facts(of: keys)
            guard found.count == 2 else { return nil }
            if let recording = try found[0].get() { return recording.size }
            return try found[1].get() == nil ? nil : announced
        } catch .missing {
            return nil
        } catch {
            // An app that is told that its upload is incomplete would send it again.
            throw DiaryError(storing: error)
        }
    }

    private enum Joining: Equatable {
        case joined(Int64)
        case lacksParts
        case noParts
    }

    private func join(_ id: EntryID, _ vault: Vault, _ member: Member) async throws(DiaryError) -> Joining {
        guard let upload = try await uploads.partUpload(of: id, by: member)?.upload else { return .noParts }
        do {
            let arrived = try await parts.arrived(upload)
            guard upload.isComplete(arrived) else { return .lacksParts }
            try await parts.join(upload, of: arrived, sealedBy: vault.key)
        } catch .missing {
            return .lacksParts
        } catch .alreadyExists {
            // Another call has joined them.
        } catch {
            throw DiaryError(storing: error)
        }
        return .joined(upload.size)
    }

    private static func lacksRecording(_ facts: EntryFacts) -> Bool { facts.status == .awaitingUpload || facts.isExpired }
}
