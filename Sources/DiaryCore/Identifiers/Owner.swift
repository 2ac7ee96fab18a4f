/// Whose data: what the worker sets before it touches content.
package struct Owner: Sendable, Hashable {
    package let tenant: TenantID
    package let user: UserID

    package init(tenant: TenantID, user: UserID) {
        self.tenant = tenant
        self.user = user
    }
}
