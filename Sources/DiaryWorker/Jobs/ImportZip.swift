package import DiaryCore
import DiaryCrypto
import FoundationEssentials
import ZipArchive

/// Reads an uploaded zip, an export of this service or of Day One, and makes entries of what is in it. What cannot be kept is reported.
package struct ImportZip: Job {
    package let kind = JobKind.importing
    let store: any ImportRunStore
    let objects: any ObjectStore
    let keys: DataKeys
    let folders: JobFolders
    let tenants: any TenantStore
    let limits: Limits
    var clock = WallClock.system

    package func run(_ job: LeasedJob) async throws(JobStop) -> JobKind? {
        let (found, reported): (Import, Int)
        do throws(WorkError) { (found, reported) = try await store.beginImport(job) } catch { throw JobStop(beginning: error) }
        try Failpoint.importClaimed.hitAsJobStop()
        guard let object = found.object else { throw .discard(.uploadMissing) }
        let vault = Vault(key: try await keys.open(job.owner), owner: job.owner)
        let tenant: TenantConfiguration
        do { tenant = try await tenants.configuration(of: job.owner.tenant) } catch { throw JobStop(error) }
        try await folders.withFolder(of: job) { folder async throws(JobStop) in
            let file = try await fetch(found, object, vault, into: folder)
            let most = tenant.maxImportEntries(within: limits)
            let archive: ImportArchive
            do {
                archive = try await ImportWork.run { stop in try ImportArchive(file, maximumEntries: most, stop: stop) }
            } catch let refusal as ImportArchive.Refusal {
                throw JobStop(outcome: .discard(refusal.code), cause: refusal.cause)
            } catch {
                throw JobStop(any: error)
            }
            do throws(WorkError) { try await store.noteContents(job, source: archive.source, total: archive.total) } catch {
                throw JobStop(finishing: error)
            }
            try await ImportRun(
                store: store, objects: objects, keys: keys, vault: vault, job: job, importRow: found, reported: reported, archive: archive,
                tenant: tenant, limits: limits, clock: clock
            ).run()
        }
        return try await ResultWriting(keys: keys, owner: job.owner).run { () async throws(WorkError) in
            try await store.finishImport(job)
        }
    }

    /// The zip in a file without a name: members lie all over it, and it is read twice. It leaves staging, where it is plain in a bucket.
    private func fetch(_ found: Import, _ object: UUID, _ vault: Vault, into folder: String) async throws(JobStop) -> UnlinkedTempFile {
        let staging = ObjectKey(kind: .staging, owner: vault.owner, object: object)
        let final = ObjectKey(kind: .imported, owner: vault.owner, object: object)
        let (key, size) = try await locate([final, staging])
        guard size == found.sizeBytes else { throw .discard(.uploadSizeMismatch) }
        try await TempSpace.require(size, in: folder)
        var hash = SHA256Stream()
        let file: UnlinkedTempFile
        do {
            file = try await BlockingWork.run { try UnlinkedTempFile(folder: folder) }
            let stream = try await objects.read(key, range: 0..<size, openedBy: vault.key)
            while let piece = try await stream.next() {
                try Task.checkCancellation()
                hash.update(piece)
                let file = file
                _ = try await BlockingWork.run { try file.append(piece) }
            }
        } catch let error as ZipError {
            throw .retry(.storageUnavailable, cause: error.description)
        } catch {
            throw JobStop(any: error)
        }
        let digest = hash.finish()
        guard found.sha256 == nil || found.sha256 == digest else { throw .discard(.uploadHashMismatch) }
        guard key == staging else { return file }
        do { try await objects.promote(staging, to: final, sealedBy: vault.key, sha256: digest) } catch { throw JobStop(error) }
        return file
    }

    private func locate(_ places: [ObjectKey]) async throws(JobStop) -> (ObjectKey, Int64) {
        for key in places {
            do throws(ObjectStoreError) {
                return (key, try await objects.facts(key).size)
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
