package import CurlTransfer

/// Fetches key sets over the network: no redirects, five seconds, and only from hosts on the transfers' allow list.
package struct CurlKeySets: JWKSSource {
    /// Any status but 200.
    struct NotFound: Error {}

    let transfers: CurlTransfers

    package init(transfers: CurlTransfers) { self.transfers = transfers }

    package func keySet(at url: String, maximumBytes: Int) async throws -> JWKSDocument {
        let request = TransferRequest(
            .get, url, headers: [(name: "Accept", value: "application/json")],
            deadlines: TransferDeadlines(connect: .seconds(3), total: .seconds(5), stall: .seconds(5)))
        let response = try await transfers.collect(request, maximumBytes: maximumBytes)
        guard response.status == 200 else { throw NotFound() }
        return JWKSDocument(bytes: response.body, cacheControl: response.head.header("cache-control"))
    }
}
