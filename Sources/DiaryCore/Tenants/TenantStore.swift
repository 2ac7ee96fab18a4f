package protocol TenantStore: Sendable {
    /// Tenants are few and change rarely: implementations may cache them for some seconds.
    func tenant(slug: String) async throws(DiaryError) -> Tenant?
    func tenant(id: TenantID) async throws(DiaryError) -> Tenant?
    /// By slug.
    func all() async throws(DiaryError) -> [Tenant]
}

extension TenantStore {
    /// What is set for an app; nothing for one that is gone.
    package func configuration(of id: TenantID) async throws(DiaryError) -> TenantConfiguration {
        try await tenant(id: id)?.configuration ?? TenantConfiguration()
    }
}
