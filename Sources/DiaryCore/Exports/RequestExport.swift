import DiaryCrypto

/// Requests a zip of a range of days. Its link is mailed to the account's own verified address and no other (decision D11); the signed-in
/// owner can download it without a mail (decision D20).
package struct RequestExport: Sendable {
    package struct Form: Sendable {
        package var from: CalendarDay
        package var to: CalendarDay
        package var includeAudio: Bool
        /// When given it must be the account's own verified address.
        package var email: MailAddress?
        /// nil: when the account has a verified address.
        package var mail: Bool?
        package var idempotencyKey: String?

        package init(
            from: CalendarDay, to: CalendarDay, includeAudio: Bool, email: MailAddress?, mail: Bool?, idempotencyKey: String?
        ) {
            self.from = from
            self.to = to
            self.includeAudio = includeAudio
            self.email = email
            self.mail = mail
            self.idempotencyKey = idempotencyKey
        }

        /// A keyed hash of the request without its idempotency key: a retry must have the same.
        func requestHash(_ serviceKeys: ServiceKeys) -> [UInt8] {
            var canon = CanonicalBytes()
            // The third was a time zone once.
            for member in [from.description, to.description, nil, includeAudio ? "audio" : "text", email?.normalised] { canon.add(member) }
            canon.add("mail", mail.map { $0 ? "true" : "false" })
            return HMACSHA256.code(canon.bytes, key: serviceKeys.requestHash)
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
            guard form.mail != false else { throw .invalid("/mail", "must not be false with an address") }
            let own = try await profile.run(member)
            guard own.stored.emailVerified, own.email.flatMap({ MailAddress($0) })?.normalised == email.normalised else {
                throw .invalid("/email", "must be the account's own verified address")
            }
        }
        let now = clock.now()
        let new = NewExport(
            id: ExportID(UUIDv7.make(at: now)), from: form.from, to: form.to, includeAudio: form.includeAudio,
            maxDownloads: limits.exportDownloads, job: NewJob(.export, id: JobID(UUIDv7.make(at: now))),
            requestHash: form.requestHash(serviceKeys),
            idempotencyHash: form.idempotencyKey.map { serviceKeys.keyHash($0) }, requestID: origin.requestID,
            mail: form.email == nil ? form.mail : true, mayCreate: mayCreate)
        switch try await exports.create(new, by: member) {
        case .created(let export):
            jobSignals.jobCommitted(new.job.kind)
            return (export, false)
        case .replayed(let export): return (export, true)
        case .keyReused: throw DiaryError.keyReused
        case .addressNotVerified: throw DiaryError(.addressNotVerified)
        }
    }
}
