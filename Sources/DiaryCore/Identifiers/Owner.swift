/// The owner of data: the worker sets it in the transaction before it touches content.
package struct Owner: Sendable, Hashable {
    package let tenant: TenantID
    package let user: UserID

    package init(tenant: TenantID, user: UserID) {
        self.tenant = tenant
        self.user = user
    }
}

package enum Users {}
package typealias UserID = ID<Users>
