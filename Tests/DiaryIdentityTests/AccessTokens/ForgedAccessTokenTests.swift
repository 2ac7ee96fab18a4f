import DiaryCore
import FoundationEssentials
import Testing

@testable import DiaryIdentity

@Suite("B1: forged and damaged access tokens")
struct ForgedAccessTokenTests {
    @Test("B1: is refused", arguments: ForgedAccessToken.all)
    func refused(forged: ForgedAccessToken) throws {
        let forge = try TokenForge()
        let token = try forged.make(forge)

        #expect(throws: TokenRefused()) { try forge.tokens.verify(token, at: TokenForge.now) }
        #expect(throws: TokenRefused(), "and again, in case something was kept") { try forge.tokens.verify(token, at: TokenForge.now) }
    }

    @Test("B1: the list holds at least 60 different forgeries, and the token they start from is good")
    func list() throws {
        let forge = try TokenForge()

        #expect(Set(ForgedAccessToken.all.map(\.testDescription)).count == ForgedAccessToken.all.count)
        #expect(ForgedAccessToken.all.count >= 60)
        #expect(try forge.tokens.verify(forge.good, at: TokenForge.now) == TokenForge.claims)
        print("B1: \(ForgedAccessToken.all.count) forged access tokens")
    }

    @Test("a token with the other value of s is the same token: accepted, with the same claims")
    func otherS() throws {
        let forge = try TokenForge()
        let good = try forge.good
        let parts = good.split(separator: ".")

        let other = try forge.changing(parts) { Array($0.prefix(32)) + TokenForge.negated($0.suffix(32)) }

        #expect(other != good)
        #expect(try forge.tokens.verify(good, at: TokenForge.now) == TokenForge.claims)
        #expect(try forge.tokens.verify(other, at: TokenForge.now) == TokenForge.claims)
    }

    @Test("10,000 random damages of a good token never trap and never pass")
    func damaged() throws {
        let forge = try TokenForge()
        let good = Array(try forge.good.utf8)
        var generator = SystemRandomNumberGenerator()

        for _ in 0..<10_000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0..<128, using: &generator)
                case 1: bytes.remove(at: place)
                default: bytes.insert(UInt8.random(in: 0..<128, using: &generator), at: place)
                }
            }
            guard bytes != good else { continue }
            #expect(throws: TokenRefused()) { try forge.tokens.verify(String(decoding: bytes, as: UTF8.self), at: TokenForge.now) }
        }
    }
}
