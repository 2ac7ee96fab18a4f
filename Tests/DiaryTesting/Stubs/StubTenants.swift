package import DiaryCore

/// The tenants it is given.
package struct StubTenants: TenantStore {
    private let tenants: [Tenant]
    package init(_ tenants: [Tenant]) { self.tenants = tenants }
    package func tenant(slug: String) async throws(DiaryError) -> Tenant? { tenants.first { $0.slug == slug } }
    package func tenant(id: TenantID) async throws(DiaryError) -> Tenant? { tenants.first { $0.id == id } }
    package func all() async throws(DiaryError) -> [Tenant] { tenants }
}
