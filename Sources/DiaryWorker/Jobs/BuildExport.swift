package import DiaryCore
import DiaryCrypto
import FoundationEssentials
import Logging
import ZipArchive

/// Builds the zips of a range of days and queues the mail that links to them, where one was asked for.
///
/// One snapshot determines the contents of all parts. Of several parts, the snapshot and each finished part are kept, so that a try after a
/// crash builds only the remaining ones (decision 0052).
package struct BuildExport: Job {
    package let kind = JobKind.export
    let store: any ExportBuildStore
    let objects: any ObjectStore
    let keys: DataKeys
    let folders: JobFolders
    let tenants: any TenantStore
    let limits: Limits
    /// Without a slash at its end.
    let publicURL: String
    let logger: Logger
    var clock = WallClock.system

    package func work(_ job: LeasedJob) async throws -> JobKind? {
        let (stored, profile) = try await beginning { try await store.beginExport(job) }
        try Failpoint.exportClaimed.hit()
        let vault = Vault(key: try await keys.key(of: job.owner), owner: job.owner)
        let export = try stored.opened(by: vault)
        let tenant = try await tenants.tenant(id: job.owner.tenant)
        let app = tenant?.configuration ?? TenantConfiguration()
        let chosen = export.selection
        let isOfDays = chosen.tags.isEmpty && chosen.kind == nil && chosen.entries.isEmpty
        let tags = isOfDays ? try await store.coloredTags(of: job.owner).compactMap { vault.opened($0) } : []
        let context = ExportContext(
            export: export, locale: profile.locale, language: WrittenLanguage.of(account: profile.locale, app: app.text(.mailLocale)),
            brand: tenant.map { AppBrand($0) } ?? AppBrand(), isOfDays: isOfDays, tags: tags, publicURL: publicURL, now: clock.now())
        let build = ExportBuild(
            job: job, context: context, vault: vault, store: store, objects: objects, keys: keys, partBytes: limits.exportPartBytes,
            clock: clock, logger: logger)
        let built = try await folders.withFolder(of: job) { try await build.run(in: $0) }
        try Failpoint.exportStored.hit()
        let now = clock.now()
        let linkSeconds = app.exportLinkSeconds(within: limits)
        let kept = app.exportKeepDays.map {
            KeptZip(until: now.addingTimeInterval(Double($0) * 86_400), releasedSeconds: linkSeconds)
        }
        let mail = QueuedMail(
            id: MailID(UUIDv7.make(at: now)), kind: .exportReady, payload: [], keyID: vault.key.id, subject: export.id.uuid)
        return try await ResultWriting(keys: keys, owner: job.owner).run {
            try await store.finishExport(
                job, keyID: vault.key.id, size: built.size, entryCount: built.entries, changesUpto: built.changesUpto,
                expiresAt: now.addingTimeInterval(Double(linkSeconds)), kept: kept, mail: mail)
        }
    }
}

extension JobStop {
    init(_ error: ZipError) {
        switch error {
        case .memberFailed(let cause): self.init(any: cause)
        case .file(let code): self = .retry(.storageUnavailable, cause: "temporary folder: error \(code)")
        case .library: self = .retry(.storageUnavailable, cause: error.description)
        default: self = .retry(.unexpected, cause: error.description)
        }
    }
}
