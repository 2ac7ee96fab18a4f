package import DiaryCore
import DiaryCrypto
import FoundationEssentials

/// Checks an uploaded recording: size, hash, media, length. Then moves it to a key that no upload URL covers (decision D10).
package struct VerifyRecording: Job {
    package let kind = JobKind.verify
    let store: any TranscriptionStore
    let objects: any ObjectStore
    let keys: DataKeys
    let probe: any MediaProbe
    let folders: JobFolders
    let tenants: any TenantStore
    let limits: Limits

    package func run(_ job: LeasedJob) async throws(JobStop) -> JobKind? {
        let entry = try await store.begin(job)
        guard let object = entry.facts.object, let contentType = entry.facts.contentType else { throw .discard(.uploadMissing) }
        let staging = ObjectKey(kind: .staging, owner: job.owner, object: object)
        let final = ObjectKey(kind: .audio, owner: job.owner, object: object)
        let (arrived, facts) = try await locate(staging, final)
        if let declared = entry.facts.sizeBytes, declared != facts.size { throw .discard(.uploadSizeMismatch) }

        let dataKey = try await keys.open(job.owner)
        let declaredHash = entry.facts.sha256
        let (media, recording) = try await folders.withFolder(of: job) { folder async throws(JobStop) in
            let recording = try await RecordingFile.open(arrived, facts, from: objects, with: dataKey, in: folder)
            guard recording.size == facts.size else { throw .retry(.storageUnavailable, cause: "short read") }
            if let declaredHash, declaredHash != recording.sha256 { throw .discard(.uploadHashMismatch) }
            do throws(ProviderFailure) {
                return (try await probe.inspect(recording.path, contentType: contentType, folder: folder), recording)
            } catch {
                throw JobStop(error)
            }
        }
        guard media.durationSeconds.isFinite, media.durationSeconds >= 0 else { throw .discard(.mediaUnreadable) }
        let tenant: TenantConfiguration
        do { tenant = try await tenants.configuration(of: job.owner.tenant) } catch { throw JobStop(error) }
        guard media.durationSeconds <= tenant.maxAudioSeconds(within: limits) else { throw .discard(.mediaTooLong) }

        do throws(ObjectStoreError) {
            if arrived == staging { try await objects.promote(staging, to: final, sealedBy: dataKey) }
        } catch {
            throw JobStop(error)
        }
        return try await ResultWriting(keys: keys, owner: job.owner).run { () async throws(WorkError) in
            try await store.finishVerify(job, facts: media, size: recording.size, sha256: recording.sha256)
        }
    }

    /// The final key first: an earlier try may have crashed after the move, and what a late upload put into staging since does not count.
    private func locate(_ staging: ObjectKey, _ final: ObjectKey) async throws(JobStop) -> (ObjectKey, ObjectFacts) {
        for key in [final, staging] {
            do throws(ObjectStoreError) {
                return (key, try await objects.facts(key))
            } catch .missing {
                continue
            } catch {
                throw JobStop(error)
            }
        }
        // The job was inserted when the upload was seen, so the store does not find it at the moment.
        throw .retry(.storageUnavailable, cause: "upload missing")
    }
}
