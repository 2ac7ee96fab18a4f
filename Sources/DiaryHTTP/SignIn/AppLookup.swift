import DiaryCore
import HTTPTypes

/// Finds the app of a request before sign-in: `Diary-App` names it, and may be left out where there is only one.
struct AppLookup: Sendable {
    let tenants: TenantFeature

    func isNamed(in context: AnonymousContext) throws -> Bool {
        try FieldNames.diaryApp.flatMap { name throws(DiaryError) in try context.header(name) } != nil
    }

    /// The app of a service that has only one.
    func onlyTenant() async throws -> Tenant? {
        try await tenants.find.only()
    }

    /// - Throws: `app_unknown`, the same for missing, unknown and suspended.
    func tenant(of context: AnonymousContext) async throws -> Tenant {
        let slug = try FieldNames.diaryApp.flatMap { name throws(DiaryError) in try context.header(name) }
        let found: Tenant?
        if let slug {
            found = slug.utf8.count <= 64 ? try await tenants.find.named(slug) : nil
        } else {
            found = try await onlyTenant()
        }
        guard let found, found.suspendedAt == nil else {
            throw DiaryError(.appUnknown, fields: [.init("header/diary-app", "must name an app of this service")])
        }
        context.exchange.tenant.learn(found.id)
        return found
    }
}
