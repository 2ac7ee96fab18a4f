import DiaryCore
import HTTPTypes
import WireFormats

/// Where somebody is signed in, and how to end it.
struct SessionRoutes: Sendable {
    let life: AccountLife
    let policies: RatePolicies

    /// Which session stays when all others end.
    enum Keep: String, CaseIterable { case current, none }

    var routes: [Route] {
        [
            Route(.get, "/v1/sessions", limits: policies.reads) { (context: MemberContext) in
                let sessions = try await life.sessions.run(context.member)
                return Reply.json { w in
                    w.array("sessions", sessions) { w, session in w.object { SessionViewPayload.write(session, to: &$0) } }
                }
            },
            Route(.delete, "/v1/sessions", limits: policies.writes) { (context: MemberContext) in
                var query = context.query()
                let keep = query.choice("keep", of: Keep.self) ?? .current
                try query.finish()
                try await life.endSessions.all(keepingOwn: keep == .current, by: context.member, from: context.origin)
                return .noContent
            },
            Route(.delete, "/v1/sessions/{id}", limits: policies.writes) { (context: MemberContext) in
                try await life.endSessions.one(try context.id(), by: context.member, from: context.origin)
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
