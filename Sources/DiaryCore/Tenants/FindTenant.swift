/// Finds the app that a request belongs to.
package struct FindTenant: Sendable {
    let tenants: any TenantStore

    package func run(_ reference: AppReference) async throws(DiaryError) -> Tenant? { try await tenants.all().app(reference) }
}
