package import FoundationEssentials

/// An app that this service serves.
package struct Tenant: Sendable, Equatable {
    package var id: TenantID
    /// What the `Diary-App` header names.
    package var slug: String
    package var name: String
    package var mailFromName: String
    package var mailFromAddress: String
    package var createdAt: Date
    package var suspendedAt: Date?
    package var configuration: TenantConfiguration = TenantConfiguration()
    /// Client ids that a provider's token may name (`aud`); without any, sign-in by that provider is refused.
    package var appleClientIDs: Set<String> = []
    package var googleClientIDs: Set<String> = []
    /// The app of requests that name none; of all apps one at most.
    package var isDefault = false

    package init(
        id: TenantID, slug: String, name: String, mailFromName: String, mailFromAddress: String, createdAt: Date, suspendedAt: Date?,
        configuration: TenantConfiguration = TenantConfiguration(), appleClientIDs: Set<String> = [], googleClientIDs: Set<String> = [],
        isDefault: Bool = false
    ) {
        self.id = id
        self.slug = slug
        self.name = name
        self.mailFromName = mailFromName
        self.mailFromAddress = mailFromAddress
        self.createdAt = createdAt
        self.suspendedAt = suspendedAt
        self.configuration = configuration
        self.appleClientIDs = appleClientIDs
        self.googleClientIDs = googleClientIDs
        self.isDefault = isDefault
    }
}

extension Tenant {
    package func clientIDs(of provider: IdentityProvider) -> Set<String> {
        switch provider {
        case .apple: appleClientIDs
        case .google: googleClientIDs
        }
    }
}

package enum Tenants {}
package typealias TenantID = ID<Tenants>

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
