import Foundation

@testable import DiaryIdentity

/// One vector of Wycheproof's `json_web_*_test.json` with the key set it runs against.
struct WycheproofVector {
    let id: Int
    let comment: String
    let token: String
    let saysValid: Bool
    /// Of the key; of the token where that is another and the vector is valid all the same.
    let algorithm: String
    let contradictsAnother: Bool
    private let keys: [UInt8]

    var mustBeAccepted: Bool { contradictsAnother ? id == 367 || id == 370 : saysValid }

    /// A valid vector of an algorithm we do not have. Invalid ones run whatever they name: they must be refused anyway.
    var needsOtherAlgorithm: Bool { saysValid && SignatureAlgorithm(rawValue: algorithm) == nil }

    var isAccepted: Bool {
        guard let set = try? JWKSet(parsing: keys), let jws = CompactJWS(token, maximumBytes: ProviderSignature.maximumBytes),
            let key = set.keys[jws.header.keyID]
        else { return false }
        return jws.header.algorithm.hasSameBytes(as: key.algorithm.rawValue) && key.isValid(jws.signature, for: jws.signingInput)
    }

    static func read(_ file: String) throws -> [WycheproofVector] {
        let url = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Vectors/wycheproof/testvectors_v1/\(file).json")
        let document = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any]
        let groups = document?["testGroups"] as? [[String: Any]] ?? []
        return try groups.flatMap { group in
            let key = group["public"] as? [String: Any] ?? group["private"] as? [String: Any] ?? [:]
            let keys = key["keys"] as? [[String: Any]] ?? [key]
            let set = try JSONSerialization.data(withJSONObject: ["keys": keys])
            let algorithm = keys.first?["alg"] as? String ?? "no alg"
            return (group["tests"] as? [[String: Any]] ?? []).map { WycheproofVector($0, file, algorithm, [UInt8](set)) }
        }
    }

    private init(_ test: [String: Any], _ file: String, _ algorithm: String, _ keys: [UInt8]) {
        id = test["tcId"] as? Int ?? 0
        comment = test["comment"] as? String ?? ""
        token = test["jws"] as? String ?? ""
        saysValid = test["result"] as? String == "valid"
        contradictsAnother = file == "json_web_signature_test" && [367, 370, 372, 373].contains(id)
        self.keys = keys
        // RFC 7520's figure 20 is PS384 under a key that the vectors call PS256.
        let isPS384 = token.hasPrefix("eyJhbGciOiJQUzM4NCIs")
        self.algorithm = isPS384 ? "PS384" : algorithm
    }
}
