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
