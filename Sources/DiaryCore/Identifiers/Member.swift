/// The signed-in caller: every store call of the API names tenant, user and session (decision D3, decision D6).
package struct Member: Sendable, Hashable {
    package let tenant: TenantID
    package let user: UserID
    package let session: SessionID

    package init(tenant: TenantID, user: UserID, session: SessionID) {
        self.tenant = tenant
        self.user = user
        self.session = session
    }

    package var owner: Owner { Owner(tenant: tenant, user: user) }
}
