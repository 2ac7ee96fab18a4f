package import FoundationEssentials

/// An app that this server carries.
package struct Tenant: Sendable, Equatable {
    package var id: TenantID
    /// What the `Diary-App` header names.
    package var slug: String
    package var name: String
    package var mailFromName: String
    package var mailFromAddress: String
    package var createdAt: Date
    package var suspendedAt: Date?
    /// Client ids that may stand in a provider's token (`aud`); none closes that way in.
    package var appleClientIDs: Set<String> = []
    package var googleClientIDs: Set<String> = []

    package init(
        id: TenantID, slug: String, name: String, mailFromName: String, mailFromAddress: String, createdAt: Date, suspendedAt: Date?
    ) {
        self.id = id
        self.slug = slug
        self.name = name
        self.mailFromName = mailFromName
        self.mailFromAddress = mailFromAddress
        self.createdAt = createdAt
        self.suspendedAt = suspendedAt
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

package protocol TenantStore: Sendable {
    /// Tenants are few and change rarely: implementations may cache them for some seconds.
    func tenant(slug: String) async throws(DiaryError) -> Tenant?
    func tenant(id: TenantID) async throws(DiaryError) -> Tenant?
    /// By slug.
    func all() async throws(DiaryError) -> [Tenant]
}

/// What `diary tenant` does, as `diary_admin`.
package protocol TenantAdministration: Sendable {
    /// - Returns: false when the slug is taken.
    func create(_ tenant: Tenant) async throws(DiaryError) -> Bool
    func all() async throws(DiaryError) -> [Tenant]
    /// Replaces the client ids of the providers that are given.
    /// - Returns: the tenant as it is now; nil when there is none of this slug.
    func setClientIDs(apple: Set<String>?, google: Set<String>?, of slug: String) async throws(DiaryError) -> Tenant?
}
