import DiaryCrypto

/// Requests a zip of all entries or of some. Its link is mailed to the account's own verified address and no other (decision D11); the signed-in
/// owner can download it without a mail (decision D20).
package struct RequestExport: Sendable {
    package struct Form: Sendable {
        package var selection: RequestedSelection
        package var contents: ExportContents
        /// When given it must be the account's own address; whether that is verified, the store says, as of every mail that is asked for.
        package var email: MailAddress?
        /// nil: when the account has a verified address.
        package var mail: Bool?
        package var idempotencyKey: String?

        package init(selection: RequestedSelection, contents: ExportContents, email: MailAddress?, mail: Bool?, idempotencyKey: String?) {
            self.selection = selection
            self.contents = contents
            self.email = email
            self.mail = mail
            self.idempotencyKey = idempotencyKey
        }

        /// A keyed hash of the request without its idempotency key: a retry must have the same.
        func requestHash(_ serviceKeys: ServiceKeys) -> [UInt8] {
            var canon = CanonicalBytes()
            for member in [
                selection.from?.description, selection.to?.description, contents.includeAudio ? "audio" : "text", email?.normalised,
            ] {
                canon.add(member)
            }
            canon.add("mail", mail.map { $0 ? "true" : "false" })
            let usual = ExportContents()
            canon.add("formats", contents.formats == usual.formats ? nil : contents.formats.map(\.rawValue).sorted().joined(separator: " "))
            canon.add("layer", contents.layer == usual.layer ? nil : contents.layer.rawValue)
            for tag in selection.tags { canon.add("tag", tag) }
            canon.add("kind", selection.kind?.rawValue)
            for entry in selection.entries { canon.add("entry_ids", entry.description) }
            canon.add("since_export", selection.since?.description)
            return HMACSHA256.code(canon.bytes, key: serviceKeys.requestHash)
        }
    }

    let exports: any ExportStore
    let profiles: any ProfileStore
    let keys: DataKeys
    let serviceKeys: ServiceKeys
    let jobSignals: any JobSignals
    let limits: Limits
    let clock: WallClock

    /// - Parameter mayCreate: false for a request over its limits: `rateLimited` unless it repeats an earlier one with the same key.
    package func run(
        _ form: Form, by member: Member, from origin: RequestOrigin, mayCreate: Bool = true
    ) async throws(DiaryError) -> (export: Export, replayed: Bool) {
        try form.selection.check()
        if let email = form.email {
            guard form.mail != false else { throw .invalid("/mail", "must not be false with an address") }
            let own = try await profiles.profile(of: member, opening: keys)
            guard own.email.flatMap({ MailAddress($0) })?.normalised == email.normalised else {
                throw .invalid("/email", "must be the account's own address")
            }
        }
        let now = clock.now()
        let tags = form.selection.tags.isEmpty ? nil : try SealedTags(form.selection.tags, try await keys.vault(of: member))
        let new = NewExport(
            id: ExportID(UUIDv7.make(at: now)), selection: form.selection, tags: tags, contents: form.contents,
            maxDownloads: limits.exportDownloads, job: NewJob(.export, id: JobID(UUIDv7.make(at: now))),
            requestHash: form.requestHash(serviceKeys),
            idempotencyHash: form.idempotencyKey.map { serviceKeys.keyHash($0) }, requestID: origin.requestID,
            mail: form.email == nil ? form.mail : true, mayCreate: mayCreate)
        switch try await exports.create(new, by: member) {
        case .created(let export):
            jobSignals.jobCommitted(new.job.kind)
            return (try await export.opened(for: member, keys), false)
        case .replayed(let export): return (try await export.opened(for: member, keys), true)
        case .keyReused: throw DiaryError.keyReused
        case .addressNotVerified: throw DiaryError(.addressNotVerified)
        case .refused(let fault): throw DiaryError(fault)
        }
    }
}

extension Export {
    /// With its tags opened, for its owner to see; only an export that has some needs the account's key. Tags that cannot be read stay
    /// sealed: a damaged row must not make the list of exports unreadable.
    func opened(for member: Member, _ keys: DataKeys) async throws(DiaryError) -> Export {
        guard sealedTags != nil else { return self }
        let vault = try await keys.vault(of: member)
        return (try? opened(by: vault)) ?? self
    }
}
