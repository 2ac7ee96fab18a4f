import DiaryCrypto
import FoundationEssentials

/// Completes the upload of a zip that the client reports: looks for it in the store, joins its parts, and enqueues the job that reads it.
/// After the upload window it returns the import as it ended; the zip has been deleted, or will be.
package struct CompleteImport: Sendable {
    let imports: any ImportStore
    let objects: any ObjectStore
    let parts: any UploadParts
    let keys: DataKeys
    let jobSignals: any JobSignals

    package func run(_ id: ImportID, by member: Member) async throws(DiaryError) -> Import {
        guard let found = try await imports.find(id, of: member) else { throw .notFound }
        guard found.status == .awaitingUpload, let object = found.object else { return found }
        let dataKey = try await keys.key(of: member)
        let key = ObjectKey(kind: .staging, owner: member.owner, object: object)
        let size: Int64
        do {
            let stored = try await objects.facts(key).size
            try await objects.confirmDurable(key)
            size = stored
        } catch .missing {
            guard let joined = try await join(id, dataKey, member) else {
                guard let now = try await imports.find(id, of: member) else { throw .notFound }
                guard now.status == .awaitingUpload else { return now }
                throw DiaryError(.uploadIncomplete, detail: "The zip has not arrived.")
            }
            size = joined
        } catch {
            throw DiaryError(storing: error)
        }
        guard size == found.sizeBytes else { throw DiaryError(.uploadSizeMismatch) }
        let job = NewJob(.importing, cost: JobCost.import(bytes: size))
        switch try await imports.complete(id, keyID: dataKey.id, job: job, by: member) {
        case .enqueued(let made, let hasParts):
            jobSignals.jobCommitted(job.kind)
            // After a crash before this line the sweeper discards the parts.
            if hasParts { try? await parts.discard(key, id: nil) }
            return made
        case .already(let made): return made
        case .missing: throw .notFound
        }
    }

    /// - Returns: its size; nil when parts are missing.
    private func join(_ id: ImportID, _ key: DataKey, _ member: Member) async throws(DiaryError) -> Int64? {
        guard let upload = try await imports.partUpload(of: id, by: member)?.upload else { return nil }
        do {
            let arrived = try await parts.arrived(upload)
            guard upload.isComplete(arrived) else { return nil }
            try await parts.join(upload, of: arrived, sealedBy: key)
        } catch .missing {
            return nil
        } catch .alreadyExists {
            // Another call has joined them.
        } catch {
            throw DiaryError(storing: error)
        }
        return upload.size
    }
}
