import DiaryCore
import HTTPTypes
import WireFormats

/// The sessions of an account, and logout.
struct SessionRoutes: Sendable {
    let account: AccountFeature
    let policies: RatePolicies

    /// The session that stays when all others end.
    enum Keep: String, CaseIterable { case current, none }

    var routes: [Route] {
        [
            Route(.get, "/v1/sessions", limits: policies.reads) { (context: MemberContext) in
                let sessions = try await account.listSessions.run(context.member)
                return Reply.json { $0.page(sessions, SessionViewPayload.write) }
            },
            Route(.delete, "/v1/sessions", limits: policies.writes) { (context: MemberContext) in
                var query = context.query()
                let keep = query.choice("keep", of: Keep.self) ?? .current
                try query.finish()
                try await account.endSessions(keepingOwn: keep == .current, by: context.member, from: context.origin)
                return .noContent
            },
            Route(.post, "/v1/auth/logout", limits: policies.writes) { (context: MemberContext) in
                try await account.endOwnSession(context.member, from: context.origin)
                return .noContent
            },
            Route(.delete, "/v1/sessions/{id}", limits: policies.writes) { (context: MemberContext) in
                try await account.endSession(try context.id(), by: context.member, from: context.origin)
                return .noContent
            },
        ]
    }
}

enum SessionViewPayload {
    static func write(_ session: SessionView, to w: inout JSONWriter) {
        w.member("id", session.id)
        w.member("device", session.device)
        w.member("place", session.place)
        w.member("created_at", session.createdAt)
        w.member("last_used_at", session.lastUsedAt)
        w.member("current", session.isCurrent)
    }
}
