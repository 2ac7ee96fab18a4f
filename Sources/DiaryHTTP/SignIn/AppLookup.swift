import DiaryCore
import HTTPTypes

/// Finds the app of a request before sign-in: `Diary-App` names it; without it the request's host does, or it is the default or only app.
struct AppLookup: Sendable {
    let tenants: TenantFeature

    /// The app, also a suspended one where the request does not name it; nil where no app is meant without a name.
    /// - Throws: `app_unknown` for a name, the same for unknown and suspended.
    func tenantIfAny(of context: AnonymousContext) async throws -> Tenant? {
        let slug = try FieldNames.diaryApp.flatMap { name throws(DiaryError) in try context.header(name) }
        guard let slug else { return try await tenants.find(AppReference(slug: nil, authority: context.exchange.authority)) }
        guard slug.utf8.count <= 64, let found = try await tenants.find(AppReference(slug: slug)), found.suspendedAt == nil else {
            throw Self.unknown
        }
        return found
    }

    /// - Throws: `app_unknown`, the same for unknown and suspended.
    func tenant(of context: AnonymousContext) async throws -> Tenant {
        guard let found = try await tenantIfAny(of: context) else {
            throw DiaryError(
                .appUnknown,
                fields: [.init(Self.pointer, "is missing, and no app is the default or bound to this host")])
        }
        guard found.suspendedAt == nil else { throw Self.unknown }
        context.exchange.tenant.learn(found.id)
        return found
    }

    private static let pointer = "header/diary-app"
    private static let unknown = DiaryError(.appUnknown, fields: [.init(pointer, "must name an app of this service")])
}
