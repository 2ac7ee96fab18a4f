/// The JWS half of a provider's token: form, header, key, signature. Claims are the reader's.
struct ProviderSignature: Sendable {
    /// Bytes; Google's with all claims take about 1,500.
    static let maximumBytes = 8192

    let issuer: IDTokenIssuer
    let keys: JWKSCache

    /// The payload, once its signature holds and libjwt agrees (decision 0004).
    func payload(of token: String) async throws(IDTokenFailure) -> [UInt8] {
        guard let jws = Self.read(token, algorithm: issuer.algorithm) else { throw .refused }
        guard let key = try await keys.key(jws.header.keyID), Self.isSigned(jws, token, by: key) else { throw .refused }
        return jws.payload
    }

    /// Before any key is looked for: what is refused here can make nobody fetch keys.
    static func read(_ token: String, algorithm: SignatureAlgorithm) -> CompactJWS? {
        guard let jws = CompactJWS(token, maximumBytes: maximumBytes),
            jws.header.algorithm.hasSameBytes(as: algorithm.rawValue),
            jws.header.type.map({ ["JWT", "jwt"].contains($0) }) ?? true
        else { return nil }
        return jws
    }

    static func isSigned(_ jws: CompactJWS, _ token: String, by key: VerificationKey) -> Bool {
        jws.header.algorithm.hasSameBytes(as: key.algorithm.rawValue) && key.isValid(jws.signature, for: jws.signingInput)
            && LibjwtReading.agrees(token, key: key)
    }
}
