import WireFormats

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
