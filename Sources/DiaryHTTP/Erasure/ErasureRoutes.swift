import DiaryCore
import HTTPTypes
import WireFormats

/// The erasure of an account, and the receipt that shows its progress.
struct ErasureRoutes: Sendable {
    let erasure: ErasureFeature
    let policies: RatePolicies
    let prefix: PublicPrefix

    var routes: [Route] {
        [
            Route(.delete, "/v1/me", limits: policies.erasure, handler: request),
            Route(.get, "/v1/deletions/{receipt}", limits: policies.links) { (context: AnonymousContext) in
                let found = try await erasure.deletion(try context.parameter("receipt"))
                return Reply.json { DeletionPayload.write(found, to: &$0) }
            },
        ]
    }

    private func request(_ context: MemberContext) async throws -> Reply {
        var f = try await context.fieldsOrNone()
        let password = f.text("password", max: SignInFields.passwordLength, min: 1)
        try f.finish()
        let (receipt, deletion) = try await erasure.erase.run(password: password, by: context.member, origin: context.origin)
        return Reply.json(.accepted) { w in
            w.member("receipt", receipt.text)
            w.member("deletion") { DeletionPayload.write(deletion, to: &$0) }
        }
        .with(.location, prefix.path("/v1/deletions/\(receipt.text)"))
    }
}

extension AccessContext {
    /// The same as `fields()` for operations whose body may be left out.
    fileprivate func fieldsOrNone() async throws -> Fields {
        guard exchange.headers[values: .contentType].isEmpty else { return try await fields() }
        try refuseQuery()
        guard try await body.collect().isEmpty else { throw DiaryError(.unsupportedMediaType) }
        return Fields(.object([:]))
    }
}

enum DeletionPayload {
    static func write(_ deletion: Deletion, to w: inout JSONWriter) {
        w.member("status", deletion.erasedAt == nil ? "erasing" : "erased")
        w.member("requested_at", deletion.requestedAt)
        w.member("key_destroyed_at", deletion.keyDestroyedAt)
        w.member("erased_at", deletion.erasedAt)
        w.member("swept_at", deletion.sweptAt)
        w.member("counts") { w in
            w.member("entries", deletion.counts.entries)
            w.member("objects", deletion.counts.objects)
            w.member("exports", deletion.counts.exports)
            w.member("mails", deletion.counts.mails)
            w.member("sessions", deletion.counts.sessions)
            w.member("keys", deletion.counts.keys)
        }
    }
}
