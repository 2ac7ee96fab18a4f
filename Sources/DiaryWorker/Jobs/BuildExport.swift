package import DiaryCore
import DiaryCrypto
import FoundationEssentials
import ZipArchive

/// Builds the zip of a range of days and queues the mail that links to it, where one was asked for.
package struct BuildExport: Job {
    package let kind = JobKind.export
    let store: any ExportBuildStore
    let objects: any ObjectStore
    let keys: DataKeys
    let folders: JobFolders
    let tenants: any TenantStore
    let limits: Limits
    var clock = WallClock.system

    package func run(_ job: LeasedJob) async throws(JobStop) -> JobKind? {
        let stored: Export
        do throws(WorkError) { (stored, _) = try await store.beginExport(job) } catch { throw JobStop(beginning: error) }
        try Failpoint.exportClaimed.pass()
        let vault = Vault(key: try await keys.open(job.owner), owner: job.owner)
        let export: Export
        do throws(DiaryError) { export = try stored.opened(by: vault) } catch { throw JobStop(any: error) }
        let linkSeconds: Int
        do throws(DiaryError) {
            linkSeconds = try await tenants.configuration(of: job.owner.tenant).exportLinkSeconds(within: limits)
        } catch { throw JobStop(error) }
        let mail = QueuedMail(
            id: MailID(UUIDv7.make(at: clock.now())), kind: .exportReady, payload: [], keyID: vault.key.id, subject: export.id.uuid)

        let key = ObjectKey(kind: .export, owner: job.owner, object: UUIDv7.make(at: clock.now()))
        let built = try await folders.withFolder(of: job) { folder async throws(JobStop) in
            let built = try await build(export, vault, in: folder)
            try Failpoint.exportZipClosed.pass()
            do {
                _ = try await objects.put(key, from: TempFileStream(built.file), length: built.size, sha256: nil, sealedBy: vault.key)
            } catch {
                throw JobStop(any: error)
            }
            return built
        }
        try Failpoint.exportStored.pass()
        let now = clock.now()
        return try await ResultWriting(keys: keys, owner: job.owner).run { () async throws(WorkError) in
            try await store.finishExport(
                job, object: key.object, keyID: vault.key.id, size: built.size, entryCount: built.count, changesUpto: built.changesUpto,
                expiresAt: now.addingTimeInterval(Double(linkSeconds)), mail: mail)
        } refused: {
            // No row names the zip. Where that is not certain it stays, and the sweeper collects it if it is an orphan.
            try? await objects.delete(key)
        }
    }

    private struct Built: Sendable {
        let file: UnlinkedTempFile
        let size: Int64
        let count: Int
        let changesUpto: Int64
    }

    private func build(_ export: Export, _ vault: Vault, in folder: String) async throws(JobStop) -> Built {
        do {
            let assembly = try await ExportAssembly(export, vault: vault, objects: objects, folder: folder, now: clock.now())
            try await store.readExport(export, of: vault.owner) {
                await assembly.begin($0)
            } deleted: {
                await assembly.add(deleted: $0)
            } page: {
                try await assembly.add($0)
            }
            let (file, size) = try await assembly.finish()
            return Built(file: file, size: size, count: await assembly.count, changesUpto: await assembly.changesUpto)
        } catch let error as ZipError {
            throw JobStop(error)
        } catch {
            throw JobStop(any: error)
        }
    }
}

extension JobStop {
    init(_ error: ZipError) {
        switch error {
        // A recording was deleted after the snapshot and before it was read: the next try takes a new snapshot, without the entry.
        case .memberFailed(let cause): self.init(any: cause)
        case .file, .library: self = .retry(.storageUnavailable, cause: error.description)
        default: self = .retry(.unexpected, cause: error.description)
        }
    }
}
