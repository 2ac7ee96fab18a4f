import DiaryCore
import HTTPTypes
import WireFormats

/// API tokens of an account, for its devices and scripts.
struct APITokenRoutes: Sendable {
    let tokens: APITokenFeature
    let policies: RatePolicies

    var routes: [Route] {
        [
            Route(.get, "/v1/me/tokens", limits: policies.reads) { (context: MemberContext) in
                let listed = try await tokens.list(of: context.member)
                return Reply.json(capacity: 256 + listed.count * 256) { $0.page(listed, APITokenPayload.write) }
            },
            Route(.post, "/v1/me/tokens", limits: policies.credentials, handler: create),
            Route(.delete, "/v1/me/tokens/{id}", limits: policies.writes) { (context: MemberContext) in
                try await tokens.revoke(try context.id(), by: context.member, from: context.origin)
                return .noContent
            },
        ]
    }

    private func create(_ context: MemberContext) async throws -> Reply {
        var f = try await context.fields()
        let name = f.requiredText("name", max: APITokenFeature.nameLength)
        let scopes: Set<APITokenScope> = f.required("scopes", []) { $0.tokenScopes("scopes") }
        let days = f.integer("expires_in_days", in: 1...APITokenFeature.longestDays) ?? APITokenFeature.usualDays
        try f.finish()
        let (text, view) = try await tokens.create.run(name, scopes, days: days, by: context.member, from: context.origin)
        return Reply.json(.created) { w in
            w.member("token", text)
            APITokenPayload.write(view, to: &w)
        }
    }
}

extension Fields {
    fileprivate mutating func tokenScopes(_ name: String) -> Set<APITokenScope>? {
        guard let names = texts(name, maxCount: APITokenScope.allCases.count, maxEach: 20) else { return nil }
        var scopes: Set<APITokenScope> = []
        for (index, text) in names.enumerated() {
            if let scope = APITokenScope(rawValue: text) {
                scopes.insert(scope)
            } else {
                errors.append(.init("\(pointer(name))/\(index)", FieldFault.notOne(of: APITokenScope.allCases.map(\.rawValue))))
            }
        }
        if names.isEmpty { refuse(name, "must have a scope") }
        return scopes
    }
}

enum APITokenPayload {
    static func write(_ token: APITokenView, to w: inout JSONWriter) {
        w.member("id", token.id)
        w.member("name", token.name)
        w.member("scopes", token.scopes.map(\.rawValue))
        w.member("created_at", token.createdAt)
        w.member("expires_at", token.expiresAt)
        w.member("last_used_at", token.lastUsedAt)
    }
}
