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

    package func work(_ job: LeasedJob) async throws -> JobKind? {
        let (found, reported) = try await beginning { try await store.beginImport(job) }
        try Failpoint.importClaimed.hit()
        guard let object = found.object else { throw JobStop.discard(.uploadMissing) }
        let vault = Vault(key: try await keys.key(of: job.owner), owner: job.owner)
        let tenant = try await tenants.configuration(of: job.owner.tenant)
        try await folders.withFolder(of: job) { folder in
            let file = try await fetch(found, object, vault, into: folder)
            let most = tenant.maxImportEntries(within: limits)
            let archive = try await ImportWork.run { stop in try ImportArchive(file, maximumEntries: most, stop: stop) }
            try await store.noteContents(job, source: archive.source, total: archive.total)
            try await ImportRun(
                store: store, objects: objects, keys: keys, vault: vault, job: job, importRow: found, reported: reported, archive: archive,
                tenant: tenant, limits: limits, clock: clock
            ).run()
        }
        return try await ResultWriting(keys: keys, owner: job.owner).run { try await store.finishImport(job) }
    }

    /// The zip in a file without a name: members lie all over it, and it is read twice. It leaves staging, where it is plain in a bucket.
    private func fetch(_ found: Import, _ object: UUID, _ vault: Vault, into folder: String) async throws -> UnlinkedTempFile {
        let staging = ObjectKey(kind: .staging, owner: vault.owner, object: object)
        let final = ObjectKey(kind: .imported, owner: vault.owner, object: object)
        let (key, facts) = try await objects.locate([final, staging])
        let size = facts.size
        guard size == found.sizeBytes else { throw JobStop.discard(.uploadSizeMismatch) }
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
            throw JobStop.retry(.storageUnavailable, cause: error.description)
        }
        let digest = hash.finish()
        guard found.sha256 == nil || found.sha256 == digest else { throw JobStop.discard(.uploadHashMismatch) }
        if key == staging { try await objects.promote(staging, to: final, sealedBy: vault.key, sha256: digest) }
        return file
    }
}
