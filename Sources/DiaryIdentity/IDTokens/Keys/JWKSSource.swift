package import CurlTransfer
import WireFormats

/// A key set as received.
package struct JWKSDocument: Sendable {
    package var bytes: [UInt8]
    /// The `Cache-Control` field, if present.
    package var cacheControl: String?
}

/// Fetches a provider's keys: over the network in the product, from a list in tests.
package protocol JWKSSource: Sendable {
    /// One GET, without redirects and with a deadline of a few seconds. Any status but 200 throws.
    /// - Parameter maximumBytes: a longer body throws.
    func keySet(at url: String, maximumBytes: Int) async throws -> JWKSDocument
}

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

/// A provider's keys of its pinned algorithm.
struct ProviderKeys: Sendable {
    static let maximumBytes = JWKSet.maximumBytes
    /// Google has two or three, Apple three to five.
    static let maximumKeys = 32

    private let keys: [String: VerificationKey]

    /// - Throws: `JWKSetRefused` for what `JWKSet` refuses, for more than 32 keys, and for a set without a usable key,
    ///   with which every sign-in would fail.
    init(parsing document: [UInt8], algorithm: SignatureAlgorithm) throws(JWKSetRefused) {
        guard document.count <= Self.maximumBytes, let entries = JSONParser.object(document, .jose)?["keys"]?.array,
            (1...Self.maximumKeys).contains(entries.count)
        else { throw JWKSetRefused() }
        keys = try JWKSet(parsing: document).keys.filter { $0.value.algorithm == algorithm }
        if keys.isEmpty { throw JWKSetRefused() }
    }

    subscript(_ keyID: String) -> VerificationKey? {
        // Dictionary equality takes canonically equivalent text; a kid is compared by bytes.
        keys.first { $0.key.hasSameBytes(as: keyID) }?.value
    }
}
