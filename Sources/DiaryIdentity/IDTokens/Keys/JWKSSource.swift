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
