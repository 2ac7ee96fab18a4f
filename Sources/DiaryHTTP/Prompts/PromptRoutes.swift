import DiaryCore
import HTTPTypes
import WireFormats

/// The app's prompt of the day.
struct PromptRoutes: Sendable {
    let prompts: PromptFeature
    let policies: RatePolicies

    var routes: [Route] {
        [
            Route(.get, "/v1/prompts/today", limits: policies.reads) { (context: MemberContext) in
                let today = try await prompts.today(of: context.member)
                return Reply.json { w in
                    w.member("local_date", today.day)
                    w.member("language", today.language)
                    w.member("prompt", today.text)
                }
            }
        ]
    }
}
