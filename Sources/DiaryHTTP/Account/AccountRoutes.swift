import DiaryCore
import HTTPTypes
import WireFormats

/// The account, for its owner.
struct AccountRoutes: Sendable {
    let account: AccountFeature
    let policies: RatePolicies

    var routes: [Route] {
        [
            Route(.get, "/v1/me", limits: policies.reads) { (context: MemberContext) in
                Self.profile(try await account.readProfile.run(context.member), context)
            },
            Route(.patch, "/v1/me", limits: policies.writes) { (context: MemberContext) in
                var f = try await context.mergePatch()
                let patch = ProfileFields.patch(&f)
                try f.finish()
                return Self.profile(try await account.editProfile.run(patch, by: context.member), context)
            },
            Route(.get, "/v1/me/stats", limits: policies.reads, handler: statistics),
            Route(.get, "/v1/me/events", limits: policies.reads, handler: events),
        ]
    }

    private static func profile(_ profile: Profile, _ context: MemberContext) -> Reply {
        Reply.json { ProfilePayload.write(profile, of: context.member, to: &$0) }
    }

    private func statistics(_ context: MemberContext) async throws -> Reply {
        let own = try await account.readStatistics.run(context.member)
        return Reply.json(capacity: 512 + own.months.count * 96) { w in
            Self.write(own.total, to: &w)
            w.array("months", own.months) { w, month in
                w.object { w in
                    w.member("month", month.name)
                    Self.write(month.counts, to: &w)
                }
            }
            w.member("quota") { w in
                w.member("entries_per_day", Self.daily(context.limits(policies.entries)))
                w.member("exports_per_day", Self.daily(context.limits(policies.exports)))
            }
        }
    }

    private static func write(_ counts: AccountStatistics.Counts, to w: inout JSONWriter) {
        w.member("entries", counts.entries)
        w.member("recordings", counts.recordings)
        w.member("texts", counts.texts)
        w.member("duration_s", counts.durationSeconds)
        w.member("size_bytes", counts.sizeBytes)
    }

    /// The number of calls that a daily quota allows; nil where there is none.
    private static func daily(_ policies: [RatePolicy]) -> Int? {
        for policy in policies { if case .quota(let limit, 86_400) = policy.shape { return limit } }
        return nil
    }

    private func events(_ context: MemberContext) async throws -> Reply {
        var query = context.query()
        let limit = query.integer("limit", in: PageFields.limit) ?? PageFields.usualLimit
        let cursor = query.text("cursor", max: 64)
        let position = cursor.flatMap { EventPosition(parsing: $0) }
        if cursor != nil, position == nil { query.refuse("cursor", "is not a cursor of this listing") }
        try query.finish()
        let page = try await account.readEvents.run(before: position, limit: limit, of: context.member)
        return Reply.json(capacity: 512 + page.events.count * 256) { w in
            w.array("events", page.events) { w, event in
                w.object { w in
                    w.member("id", event.id)
                    w.member("at", event.at)
                    w.member("kind", event.kind.rawValue)
                    w.member("actor", event.actor.rawValue)
                    w.member("session_id", event.session)
                    w.member("request_id", event.requestID)
                }
            }
            w.member("next_cursor", page.next?.text)
        }
    }
}
