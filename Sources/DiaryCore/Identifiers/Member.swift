/// The signed-in caller: every store call of the API names tenant, user and session, or API token (decision D3, decision D6).
package struct Member: Sendable, Hashable {
    package let tenant: TenantID
    package let user: UserID
    /// With an API token, the token's id: events name it.
    package let session: SessionID
    /// The hash of the API token by which the caller came; nil for a session.
    package let tokenHash: [UInt8]?

    package init(tenant: TenantID, user: UserID, session: SessionID, tokenHash: [UInt8]? = nil) {
        self.tenant = tenant
        self.user = user
        self.session = session
        self.tokenHash = tokenHash
    }

    /// The holder of an API token.
    package init(_ token: APIToken) {
        self.init(tenant: token.owner.tenant, user: token.owner.user, session: SessionID(token.id.uuid), tokenHash: token.hash)
    }

    package var owner: Owner { Owner(tenant: tenant, user: user) }
}

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

/// What an audit event and a session keep of the request that made them.
package struct RequestOrigin: Sendable, Equatable {
    /// The request's id in the logs.
    package var requestID: String
    /// The client's place: a country when a trusted proxy names one, else the address's network. Sealed wherever it is stored.
    package var place: String? = nil
    /// The client's network (an IPv4 address, an IPv6 /64), for keyed hashes only: never logged, never stored in the clear.
    package var client: [UInt8] = []

    package init(requestID: String, place: String? = nil, client: [UInt8] = []) {
        self.requestID = requestID
        self.place = place
        self.client = client
    }

    /// The /24 of an IPv4 client, the /48 of an IPv6 client; nil without an address. Kept in memory only.
    package var network: [UInt8]? {
        switch client.count {
        case 4: Array(client.prefix(3))
        case 8: Array(client.prefix(6))
        default: nil
        }
    }
}
