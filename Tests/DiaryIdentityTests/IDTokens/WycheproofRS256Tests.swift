import DiaryCore
import Foundation
import Testing

@testable import DiaryIdentity

@Suite("B2: Wycheproof through the way of ID tokens")
struct WycheproofRS256Tests {
    private struct Vector {
        let id: Int
        let token: String
        let isValid: Bool
        let keys: [UInt8]
        let algorithm: String
    }

    private func vectors() throws -> [Vector] {
        let url = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Vectors/wycheproof/testvectors_v1/json_web_signature_test.json")
        let document = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any]
        return try (document?["testGroups"] as? [[String: Any]] ?? []).flatMap { group in
            let key = group["public"] as? [String: Any] ?? group["private"] as? [String: Any] ?? [:]
            let keys = key["keys"] as? [[String: Any]] ?? [key]
            let set = try JSONSerialization.data(withJSONObject: ["keys": keys])
            return (group["tests"] as? [[String: Any]] ?? []).map { test in
                Vector(
                    id: test["tcId"] as? Int ?? 0, token: test["jws"] as? String ?? "", isValid: test["result"] as? String == "valid",
                    keys: [UInt8](set), algorithm: keys.first?["alg"] as? String ?? "")
            }
        }
    }

    /// Form, header, key and signature, as `ProviderSignature.payload` takes them; the vectors' payloads are no ID tokens.
    private func isSigned(_ vector: Vector) -> (signature: Bool, withLibjwt: Bool) {
        guard let keys = try? ProviderKeys(parsing: vector.keys, algorithm: .rs256),
            let jws = ProviderSignature.read(vector.token, algorithm: .rs256), let key = keys[jws.header.keyID]
        else { return (false, false) }
        return (key.isValid(jws.signature, for: jws.signingInput), ProviderSignature.isSigned(jws, vector.token, by: key))
    }

    @Test("B2: of all 401 vectors only the valid ones of RS256 pass, and libjwt adds none")
    func all() throws {
        let vectors = try vectors()
        var tally = (applicable: 0, valid: 0, passed: 0, libjwt: 0, others: 0)

        for vector in vectors {
            let result = isSigned(vector)
            if vector.algorithm == "RS256" {
                tally.applicable += 1
                #expect(result.signature == vector.isValid, "\(vector.id)")
            } else {
                tally.others += 1
                #expect(!result.signature, "\(vector.id)")
            }
            if vector.isValid, vector.algorithm == "RS256" { tally.valid += 1 }
            if result.signature { tally.passed += 1 }
            if result.withLibjwt { tally.libjwt += 1 }
            #expect(result.signature || !result.withLibjwt)
        }

        #expect(vectors.count == 401)
        print("B2: Wycheproof RS256: \(tally)")
    }
}
