import DiaryCrypto

/// Requests a zip of a range of days, whose link is mailed to the account's own verified address (decision D11).
package struct RequestExport: Sendable {
    package struct Form: Sendable {
        package var from: CalendarDay
        package var to: CalendarDay
        package var includeAudio: Bool
        /// When given it must be the account's own verified address.
        package var email: MailAddress?
        package var idempotencyKey: String?

        package init(
            from: CalendarDay, to: CalendarDay, includeAudio: Bool, email: MailAddress?, idempotencyKey: String?
        ) {
            self.from = from
            self.to = to
            self.includeAudio = includeAudio
            self.email = email
            self.idempotencyKey = idempotencyKey
        }
    }

    let exports: any ExportStore
    let profile: ReadProfile
    let serviceKeys: ServiceKeys
    let jobSignals: any JobSignals
    let limits: Limits
    let clock: WallClock

    /// - Parameter mayCreate: false for a request over its limits: `rateLimited` unless it repeats an earlier one with the same key.
    package func run(
        _ form: Form, by member: Member, from origin: RequestOrigin, mayCreate: Bool = true
    ) async throws(DiaryError) -> (export: Export, replayed: Bool) {
        guard form.from <= form.to else { throw .invalid("/to", "must not be before from") }
        if let email = form.email {
            let own = try await profile.run(member)
            guard own.stored.emailVerified, own.email.flatMap({ MailAddress($0) })?.normalised == email.normalised else {
                throw .invalid("/email", "must be the account's own verified address")
            }
        }
        var canon = CanonicalBytes()
        // The third was a time zone once: a retry of a request that an earlier version accepted has the same hash.
        for field in [form.from.description, form.to.description, nil, form.includeAudio ? "audio" : "text", form.email?.normalised] {
            canon.add(field)
        }
        let now = clock.now()
        let new = NewExport(
            id: ExportID(UUIDv7.make(at: now)), from: form.from, to: form.to, includeAudio: form.includeAudio,
            maxDownloads: limits.exportDownloads, job: NewJob(.export, id: JobID(UUIDv7.make(at: now))),
            requestHash: HMACSHA256.code(canon.bytes, key: serviceKeys.requestHash),
            idempotencyHash: form.idempotencyKey.map { EntryDraft.idempotencyHash($0, serviceKeys) }, requestID: origin.requestID,
            mayCreate: mayCreate)
        switch try await exports.create(new, by: member) {
        case .created(let export):
            jobSignals.jobCommitted(new.job.kind)
            return (export, false)
        case .replayed(let export): return (export, true)
        case .keyReused: throw DiaryError(.idempotencyMismatch, fields: [.init("header/Idempotency-Key", "was used for another request")])
        case .addressNotVerified: throw DiaryError(.addressNotVerified)
        }
    }
}
