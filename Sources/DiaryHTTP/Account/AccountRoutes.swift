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
                Self.profile(try await account.profile(of: context.member), context).unlessKept(by: context.exchange)
            },
            Route(.patch, "/v1/me", limits: policies.writes, handler: change),
            Route(.get, "/v1/me/stats", limits: policies.reads, handler: statistics),
            Route(.get, "/v1/me/events", limits: policies.reads, handler: events),
        ]
    }

    /// Without `If-Match` the last writer wins, member by member: a merge patch leaves the others alone.
    private func change(_ context: MemberContext) async throws -> Reply {
        let condition = try context.ifMatch()
        var f = try await context.mergePatch()
        let patch = ProfileFields.patch(&f)
        try f.finish()
        let versions: [Int64]? = if case .versions(let versions)? = condition { versions } else { nil }
        switch try await account.editProfile.run(patch, matching: versions, by: context.member) {
        case .changed(let profile): return Self.profile(profile, context)
        case .otherVersion(let profile):
            return Problem.reply(DiaryError(.preconditionFailed), to: context.exchange) { w in
                w.member("current_profile") { ProfilePayload.write(profile, of: context.member.user, to: &$0) }
            }
            .with(.eTag, VersionTag.text(profile.stored.version))
        }
    }

    private static func profile(_ profile: Profile, _ context: MemberContext) -> Reply {
        Reply.json { ProfilePayload.write(profile, of: context.member.user, to: &$0) }
            .with(.eTag, VersionTag.text(profile.stored.version))
    }

    private func statistics(_ context: MemberContext) async throws -> Reply {
        let own = try await account.statistics(of: context.member)
        return Reply.json(capacity: 512 + own.months.count * 96) { w in
            Self.write(own.total, to: &w)
            w.array("months", own.months) { w, month in
                w.object { w in
                    w.member("month", month.name)
                    Self.write(month.counts, to: &w)
                }
            }
            w.member("streak") { w in
                w.member("current", own.streak.current)
                w.member("longest", own.streak.longest)
            }
            w.member("quota") { w in
                w.member("entries_per_day", Self.daily(context.limits(policies.entries)))
                w.member("exports_per_day", Self.daily(context.limits(policies.exports)))
            }
            w.member("usage") { UsagePayload.write(own.usage, within: own.limits, to: &$0) }
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
        let kind = query.choice("kind", of: AuditEvent.Kind.self)
        let asked = try ListFields.page(&query)
        let page = try await account.readEvents.run(kind, before: asked.before, limit: asked.limit, of: context.member)
        return Reply.json(capacity: 512 + page.items.count * 256) { w in
            w.page(page.items, next: page.next) { event, w in
                w.member("id", event.id)
                w.member("at", event.at)
                w.member("kind", event.kind.rawValue)
                w.member("actor", event.actor.rawValue)
                w.member("session_id", event.session)
                w.member("request_id", event.requestID)
            }
        }
    }
}

/// What an account has used today (UTC) and stores, each beside its limit; null where there is none.
enum UsagePayload {
    static func write(_ usage: AccountUsage, within limits: UsageLimits, to w: inout JSONWriter) {
        w.member("day", usage.day)
        w.member("engine_seconds", usage.today.audioSeconds)
        w.member("engine_minutes_per_day", limits.minutesPerDay)
        w.member("engine_tokens", usage.today.tokens)
        w.member("engine_tokens_per_day", limits.tokensPerDay)
        w.member("engine_cost", usage.today.cost)
        w.member("engine_cost_per_day", limits.costPerDay)
        w.member("storage_bytes", usage.storedBytes)
        w.member("storage_max_bytes", limits.storageBytes)
    }
}
