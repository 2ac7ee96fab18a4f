package import DiaryCore
import FoundationEssentials

/// Sends one queued mail. A crash between the server's OK and the commit repeats the mail, under the same Message-ID (P36).
package struct SendMail: Job {
    package let kind = JobKind.mail
    let store: any MailQueueStore
    let exports: any ExportStore
    let tenants: any TenantStore
    let keys: DataKeys
    let serviceKeys: ServiceKeys
    let composer: any MailComposer
    let routing: any MailRouting
    let links: any LinkSigning
    let publicURL: String
    let limits: Limits
    var clock = WallClock.system

    package func work(_ job: LeasedJob) async throws -> JobKind? {
        let mail = try await beginning { try await store.beginMail(job) }
        let (message, app) = try await compose(mail, job)
        try Failpoint.mailBeforeSend.hit()
        try await routing.transport(for: app).send(message)
        try Failpoint.mailAfterSend.hit()
        let next = try await ResultWriting(keys: keys, owner: job.owner).run { try await store.finishMail(job) }
        try Failpoint.mailAfterMark.hit()
        return next
    }

    private func compose(_ mail: QueuedMail, _ job: LeasedJob) async throws -> (OutgoingMessage, Tenant) {
        // No address of the account is verified any more (decision D11).
        guard mail.kind != .exportReady || mail.addressSealed != nil else { throw JobStop.discard(.mailRefused) }
        // The code has run out while the mail server was away, and its owner has asked for another, or gone.
        if mail.kind.isRequestedCode, let made = mail.createdAt, clock.now().timeIntervalSince(made) > Double(limits.codeSeconds) {
            throw JobStop.discard(job.errors > 0 ? .mailUnavailable : .gone)
        }
        let vault = Vault(key: try await keys.key(of: job.owner), owner: job.owner)
        let payload = try vault.payload(of: mail)
        let account = try mail.accountSealed.map { try vault.address($0) }
        guard let tenant = try await tenants.tenant(id: job.owner.tenant) else { throw JobStop.discard(.gone) }
        let locales = MailLocale.chain(mail.locale, app: tenant.configuration.text(.mailLocale))
        let prepared = try await prepare(mail, to: payload.to, account: account, locales, job)
        let export = mail.kind == .exportReady ? try await readyExport(mail, tenant.configuration, job) : nil
        let content = MailContent(
            kind: mail.kind, payload: payload, mail: mail.id, tenant: tenant, export: export, locales: locales,
            words: prepared.words)
        return (try composer.compose(content), tenant)
    }

    /// Reads the reports about the address and the app's own words, and stops a mail whose address takes none.
    /// - Parameter account: the account's present address. A notice that was queued before a change of address goes to the earlier one.
    private func prepare(
        _ mail: QueuedMail, to address: String, account: String?, _ locales: [String], _ job: LeasedJob
    ) async throws -> PreparedMail {
        guard let to = MailAddress(address) else { throw JobStop.discard(.mailRefused) }
        let hash = serviceKeys.addressHash(to.normalised, tenant: job.owner.tenant)
        let isAccountAddress = account.flatMap { MailAddress($0) }?.normalised == to.normalised
        let prepared = try await beginning {
            try await store.prepareMail(job, addressHash: hash, isAccountAddress: isAccountAddress, locales: locales)
        }
        guard prepared.bounce?.holdsBack(mail.kind) != true else { throw JobStop.discard(.addressSuppressed) }
        return prepared
    }

    /// A link ends with its zip, and before where a schedule keeps the zip: a mail may be read by others later.
    private func readyExport(
        _ mail: QueuedMail, _ app: TenantConfiguration, _ job: LeasedJob
    ) async throws -> ReadyExport {
        guard let subject = mail.subject else { throw JobStop.discard(.unexpected) }
        // Revoked, or expired while the mail server was unavailable: an invalid link is not mailed.
        guard let export = try await exports.linkedExport(ExportID(subject), of: job.owner), let end = export.expiresAt else {
            throw JobStop.discard(job.errors > 0 ? .mailUnavailable : .gone)
        }
        let expiresAt = min(end, clock.now().addingTimeInterval(Double(app.exportLinkSeconds(within: limits))))
        let link = ExportLink(owner: job.owner, export: export.id, expiresAt: expiresAt, links: links)
        return ReadyExport(
            link: "\(publicURL)/exports/\(link.token)", from: export.from, to: export.to, expiresAt: expiresAt, timeZone: export.timeZone,
            locale: export.locale,
            unsubscribe: export.schedule.map { ScheduleMailLink(owner: job.owner, schedule: $0, links: links).url(publicURL) },
            entries: export.entryCount)
    }
}

extension Vault {
    fileprivate func payload(of mail: QueuedMail) throws(DiaryError) -> MailPayload {
        guard let sealed = mail.addressSealed else { return try open(MailPayload.self, mail.payload, as: .payload, row: mail.id.uuid) }
        return MailPayload(to: try address(sealed), code: nil)
    }

    fileprivate func address(_ sealed: [UInt8]) throws(DiaryError) -> String {
        String(decoding: try open(sealed, .email, row: owner.user.uuid), as: UTF8.self)
    }
}

extension JobStop {
    /// A misconfigured provider is retried like one that is unavailable, so that no mail is lost while an operator replaces a key.
    init(_ failure: MailFailure) {
        let outcome: JobOutcome =
            switch failure {
            case .unavailable(_, let seconds): .retry(.mailUnavailable, after: seconds)
            case .misconfigured: .retry(.mailUnavailable, after: nil)
            case .refused: .discard(.mailRefused)
            }
        self.init(outcome: outcome, cause: failure.description)
    }
}
