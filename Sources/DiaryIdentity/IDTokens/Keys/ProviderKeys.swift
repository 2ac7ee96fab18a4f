import WireFormats

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
