package import FoundationEssentials

/// A secret of an app, such as the key of a speech server, as the main database holds it.
package struct StoredAppSecret: Sendable, Equatable {
    package var tenant: TenantID
    /// Unique in the app; formed as an engine's name.
    package var name: String
    /// The master of the ring that sealed it.
    package var masterID: String
    package var sealed: [UInt8]
    package var setAt: Date

    package init(tenant: TenantID, name: String, masterID: String, sealed: [UInt8], setAt: Date) {
        self.tenant = tenant
        self.name = name
        self.masterID = masterID
        self.sealed = sealed
        self.setAt = setAt
    }

    /// The context that the sealed bytes are bound to: they open neither for another app nor under another name.
    package static func context(_ tenant: TenantID, _ name: String) -> [String] { ["app_secrets", "sealed", tenant.description, name] }
}
