/// What `diary tenant` does, by the database role `diary_admin`. Every change is recorded with its operator.
package protocol TenantAdministration: Sendable {
    /// - Returns: false when the slug is taken.
    func create(_ tenant: Tenant, by operator: String) async throws(DiaryError) -> Bool
    /// - Returns: the tenant as it is now; nil when there is no such app.
    func change(_ slug: String, _ change: TenantChange, _ kind: TenantAct.Kind, by operator: String) async throws(DiaryError) -> Tenant?
    /// Marks the app as the default instead of any other, or as none.
    /// - Returns: false when there is no such app.
    func setDefault(_ slug: String, _ isDefault: Bool, by operator: String) async throws(DiaryError) -> Bool
    func all() async throws(DiaryError) -> [Tenant]
    /// Newest first.
    func acts(on slug: String, limit: Int) async throws(DiaryError) -> [TenantAct]
    /// Replaces the client ids of the providers that are given.
    /// - Returns: the tenant as it is now; nil when there is none of this slug.
    func setClientIDs(apple: Set<String>?, google: Set<String>?, of slug: String, by operator: String) async throws(DiaryError) -> Tenant?
}
