/// The apps of the service, as requests before sign-in name them.
package struct TenantFeature: Sendable {
    package let find: FindTenant

    init(_ ports: FeaturePorts) { find = FindTenant(tenants: ports.tenants) }
}

extension DiaryFeatures {
    package var tenants: TenantFeature { TenantFeature(ports) }
}
