/// A change of an app; nil leaves a field.
package struct TenantChange: Sendable {
    package var name: String? = nil
    package var mailFromName: String? = nil
    package var mailFromAddress: String? = nil
    /// Settings to set, and settings to remove.
    package var configured: TenantConfiguration = TenantConfiguration()
    package var unset: [String] = []
    package var suspended: Bool? = nil

    package init(
        name: String? = nil, mailFromName: String? = nil, mailFromAddress: String? = nil,
        configured: TenantConfiguration = TenantConfiguration(), unset: [String] = [], suspended: Bool? = nil
    ) {
        self.name = name
        self.mailFromName = mailFromName
        self.mailFromAddress = mailFromAddress
        self.configured = configured
        self.unset = unset
        self.suspended = suspended
    }
}
