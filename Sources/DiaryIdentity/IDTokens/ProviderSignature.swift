import WireFormats

/// Checks form, header, key and signature of a provider's token; the caller checks the claims.
struct ProviderSignature: Sendable {
    /// Bytes; Google's with all claims take about 1,500.
    static let maximumBytes = 8192

    let issuer: IDTokenIssuer
    let keys: JWKSCache

    /// The payload, after its signature was verified here and by libjwt (decision 0004).
    /// - Parameter audiences: of them one is worth waiting for a key that is new: 503 instead of 403 between two fetches.
    func payload(of token: String, audiences: Set<String>) async throws(IDTokenFailure) -> [UInt8] {
        guard let jws = Self.read(token, algorithm: issuer.algorithm) else { throw .refused }
        let found: VerificationKey?
        do throws(IDTokenFailure) { found = try await keys.key(jws.header.keyID) } catch {
            guard case .keyNotFetched = error, !isMeantForUs(jws.payload, audiences) else { throw error }
            throw .refused
        }
        guard let key = found, Self.isSigned(jws, token, by: key) else { throw .refused }
        return jws.payload
    }

    /// Nothing of it is verified.
    private func isMeantForUs(_ payload: [UInt8], _ audiences: Set<String>) -> Bool {
        guard let object = JSONParser.object(payload, .jose), let name = object["iss"]?.string, issuer.isNamed(name) else { return false }
        let named = object["aud"]?.string.map { [$0] } ?? object["aud"]?.strings ?? []
        return named.contains { name in audiences.contains { $0.hasSameBytes(as: name) } }
    }

    /// Runs before any key is looked up: a token that is refused here cannot cause a fetch of keys.
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
