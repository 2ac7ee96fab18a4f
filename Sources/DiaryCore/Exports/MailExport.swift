/// Mails the link of an export to the account's verified address, again or for the first time. While a mail waits, a repetition adds none.
package struct MailExport: Sendable {
    let exports: any ExportStore
    let keys: DataKeys
    let jobSignals: any JobSignals
    let clock: WallClock
    let writes: IdempotentWrites

    package func run(
        _ id: ExportID, key: RequestKey = .none, by member: Member
    ) async throws(DiaryError) -> (value: Export, replayed: Bool) {
        let mailed = try await writes.run(.exportMail, key, request: [id.description], subject: id.uuid, by: member) {
            claim throws(DiaryError) in
            try await mail(id, claim, by: member)
        } replay: { _ throws(DiaryError) in
            guard let export = try await exports.export(id, of: member) else { throw .notFound }
            return export
        }
        return (try await mailed.value.opened(for: member, keys), mailed.replayed)
    }

    private func mail(_ id: ExportID, _ claim: KeyClaim?, by member: Member) async throws(DiaryError) -> Export {
        let now = clock.now()
        let request = ExportMailRequest(
            export: id, mail: MailID(UUIDv7.make(at: now)), job: NewJob(.mail, id: JobID(UUIDv7.make(at: now))), claim: claim)
        guard let outcome = try await exports.mail(request, by: member) else { throw .notFound }
        if outcome.isQueued { jobSignals.jobCommitted(request.job.kind) }
        switch outcome.export.status {
        case .failed, .revoked, .expired: throw outcome.export.notThere
        case .queued, .building, .ready: break
        }
        guard outcome.addressIsProved else { throw DiaryError(.addressNotVerified) }
        return outcome.export
    }
}
