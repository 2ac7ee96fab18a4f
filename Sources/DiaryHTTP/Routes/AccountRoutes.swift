import DiaryCore
import HTTPTypes

/// The account, for its owner.
struct AccountRoutes: Sendable {
    let profile: ReadProfile
    let policies: RatePolicies

    var routes: [Route] {
        [
            Route(.get, "/v1/me", limits: policies.reads) { (context: MemberContext) in
                let own = try await profile.run(context.member)
                return Reply.json { ProfilePayload.write(own, of: context.member, to: &$0) }
            }
        ]
    }
}
