import WireFormats

/// The parts of a compact JWS (RFC 7515 section 7.1), not yet verified.
struct CompactJWS {
    let header: JOSEHeader
    let payload: [UInt8]
    let signature: [UInt8]
    /// The bytes that the signature covers: the first two parts as received.
    let signingInput: [UInt8]

    /// Nil for anything but three parts of strict base64url, whose first is a header of known members.
    init?(_ token: String, maximumBytes: Int) {
        // Bounds the work below, which is linear in the length.
        guard token.utf8.count <= maximumBytes else { return nil }
        let parts = token.utf8.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3,
            let headerBytes = Base64URL.decode(String(decoding: parts[0], as: UTF8.self)),
            let payload = Base64URL.decode(String(decoding: parts[1], as: UTF8.self)),
            let signature = Base64URL.decode(String(decoding: parts[2], as: UTF8.self)), !signature.isEmpty,
            let header = JOSEHeader(headerBytes)
        else { return nil }
        self.header = header
        self.payload = payload
        self.signature = signature
        self.signingInput = Array(parts[0]) + [UInt8(ascii: ".")] + Array(parts[1])
    }
}

/// The protected header with its three supported members.
///
/// Decision: any other member refuses the token. That covers `crit` (RFC 7515 section 4.1.11: must be understood),
/// key injection (`jwk`, `jku`, `x5c`, `x5u`) and RFC 7797's `b64`, without a list of bad names to keep.
struct JOSEHeader {
    let algorithm: String
    let keyID: String
    let type: String?

    init?(_ bytes: [UInt8]) {
        guard let object = JSONParser.object(bytes, .jose), object.hasOnly(["alg", "kid", "typ"]),
            let algorithm = object["alg"]?.string,
            let keyID = object["kid"]?.string, !keyID.isEmpty, keyID.utf8.count <= 128
        else { return nil }
        if let type = object["typ"] {
            guard let text = type.string else { return nil }
            self.type = text
        } else {
            self.type = nil
        }
        self.algorithm = algorithm
        self.keyID = keyID
    }
}

extension String {
    /// Decision: JOSE names and values are compared byte for byte; `==` would also take canonically equivalent text.
    func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
