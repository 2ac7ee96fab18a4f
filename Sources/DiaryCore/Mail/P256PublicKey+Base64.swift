package import DiaryCrypto

extension P256PublicKey {
    /// The base64 of a SubjectPublicKeyInfo in one line, as providers show keys; nil for another text.
    package init?(base64: String) {
        let bytes = Array(base64.utf8)
        guard bytes.count <= 300, bytes.allSatisfy({ (0x2B...0x7A).contains($0) }) else { return nil }
        let lines = stride(from: 0, to: bytes.count, by: 64).map { String(decoding: bytes[$0..<min($0 + 64, bytes.count)], as: UTF8.self) }
        try? self.init(pem: "-----BEGIN PUBLIC KEY-----\n\(lines.joined(separator: "\n"))\n-----END PUBLIC KEY-----\n")
    }
}
