/// The apps of the service, as requests before sign-in name them.
package struct TenantFeature: Sendable {
    let tenants: any TenantStore

    init(_ ports: FeaturePorts) { tenants = ports.tenants }

    /// Finds the app that a request belongs to.
    package func find(_ reference: AppReference) async throws(DiaryError) -> Tenant? { try await tenants.all().app(reference) }
}

extension DiaryFeatures {
    package var tenants: TenantFeature { TenantFeature(ports) }
}

/// How a request before sign-in says which app it is for.
package struct AppReference: Sendable, Equatable {
    /// What `Diary-App` names.
    package var slug: String?
    /// The request's `Host`, with or without a port.
    package var authority: String? = nil

    package init(slug: String?, authority: String? = nil) {
        self.slug = slug
        self.authority = authority
    }
}

extension [Tenant] {
    /// The named app. Without a name: the one that the request's host is bound to, else the default, else the only one.
    package func app(_ reference: AppReference) -> Tenant? {
        if let slug = reference.slug { return first { $0.slug == slug } }
        if let host = reference.authority.flatMap({ HostName(authority: $0) }) {
            let bound = filter { $0.configuration.list(.hosts).contains(host.text) }
            // `diary tenant set` refuses a host that another app has; two commands at once might still have set it twice.
            if let first = bound.first { return bound.count == 1 ? first : nil }
        }
        return first { $0.isDefault } ?? (count == 1 ? first : nil)
    }
}
