/// What an audit event and a session keep of the request they came from.
package struct RequestOrigin: Sendable, Equatable {
    /// The request's id in our logs.
    package var requestID: String
    /// Where the request came from, as coarse as the network tells: a country when a trusted proxy names one, else the address's network. Sealed wherever it is kept.
    package var place: String?
    /// The client's network (an IPv4 address, an IPv6 /64), for keyed hashes alone: never logged, never stored as it is.
    package var client: [UInt8]

    package init(requestID: String, place: String? = nil, client: [UInt8] = []) {
        self.requestID = requestID
        self.place = place
        self.client = client
    }
}
