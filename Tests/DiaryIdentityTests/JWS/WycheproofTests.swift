import Foundation
import Testing

@testable import DiaryIdentity

@Suite("B1: Wycheproof's JWS and JWK vectors")
struct WycheproofTests {
    @Test("B1: every applicable vector has its stated result", arguments: ["json_web_signature_test", "json_web_key_test"])
    func vectors(file: String) throws {
        let vectors = try WycheproofVector.read(file)
        var tally = Tally()

        for vector in vectors {
            if vector.needsOtherAlgorithm {
                tally.skip(vector)
                continue
            }
            let accepted = vector.isAccepted
            #expect(accepted == vector.mustBeAccepted, "\(file) \(vector.id): \(vector.comment)")
            tally.count(vector)
        }

        tally.print(file, of: vectors.count)
        #expect(tally.accepted + tally.refused + tally.skipped.values.reduce(0, +) == vectors.count)
    }

    /// 367 and 370 say that the bytes which 357 calls valid are invalid; 372 and 373 call a `?` inside base64url valid,
    /// against RFC 7515 section 2, and 360 to 371 of the same group. No verifier can satisfy both.
    @Test("the four vectors listed here contradict others")
    func contradictions() throws {
        let vectors = try WycheproofVector.read("json_web_signature_test")
        let byID = Dictionary(uniqueKeysWithValues: vectors.map { ($0.id, $0) })

        #expect(byID[367]?.token == byID[357]?.token && byID[370]?.token == byID[357]?.token)
        #expect(byID[357]?.saysValid == true && byID[367]?.saysValid == false && byID[370]?.saysValid == false)
        #expect(byID[372]?.token.contains("?") == true && byID[372]?.saysValid == true)
        #expect(byID[373]?.token.contains("?") == true && byID[373]?.saysValid == true)
    }

    private struct Tally {
        var accepted = 0
        var refused = 0
        var contradicted = 0
        var skipped: [String: Int] = [:]

        mutating func skip(_ vector: WycheproofVector) { skipped[vector.algorithm, default: 0] += 1 }

        mutating func count(_ vector: WycheproofVector) {
            if vector.mustBeAccepted { accepted += 1 } else { refused += 1 }
            if vector.contradictsAnother { contradicted += 1 }
        }

        func print(_ file: String, of total: Int) {
            let reasons = skipped.sorted { $0.key < $1.key }.map { "\($0.key) not supported: \($0.value)" }
            Swift.print(
                "B1: \(file): \(total) vectors; applicable \(accepted + refused) (accepted \(accepted), refused \(refused), "
                    + "of these \(contradicted) against their own word because they contradict another); "
                    + "skipped \(total - accepted - refused) [\(reasons.joined(separator: ", "))]")
        }
    }
}
