import DiaryCore
import HTTPTypes
import WireFormats

/// The flags of an app alone, where clients of PostgREST look for them: it calls functions below `/rpc`, by GET or by a POST whose body is
/// not read here.
struct FlagRoutes: Sendable {
    let apps: AppLookup

    var routes: [Route] {
        [Route(.get, "/rpc/app_config", handler: flags), Route(.post, "/rpc/app_config", handler: flags)]
    }

    private func flags(_ context: AnonymousContext) async throws -> Reply {
        let own = try await apps.tenantIfAny(of: context)?.configuration ?? TenantConfiguration()
        return Reply.json { AppPayload.writeFlags(own, to: &$0) }
    }
}
