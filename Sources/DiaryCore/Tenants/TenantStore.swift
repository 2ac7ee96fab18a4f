package protocol TenantStore: Sendable {
    /// Tenants are few and change rarely: implementations may cache them for some seconds.
    func tenant(slug: String) async throws(DiaryError) -> Tenant?
    func tenant(id: TenantID) async throws(DiaryError) -> Tenant?
    /// All tenants, in the order of their slugs.
    func all() async throws(DiaryError) -> [Tenant]
}

extension TenantStore {
    /// What is set for an app; empty for one that was removed.
    package func configuration(of id: TenantID) async throws(DiaryError) -> TenantConfiguration {
        try await tenant(id: id)?.configuration ?? TenantConfiguration()
    }
}
