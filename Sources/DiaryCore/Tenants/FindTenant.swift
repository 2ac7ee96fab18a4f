/// Finds the app that a request belongs to.
package struct FindTenant: Sendable {
    let tenants: any TenantStore

    package func named(_ slug: String) async throws(DiaryError) -> Tenant? { try await tenants.tenant(slug: slug) }

    /// The app of a service that has exactly one.
    package func only() async throws(DiaryError) -> Tenant? {
        let all = try await tenants.all()
        return all.count == 1 ? all.first : nil
    }
}
