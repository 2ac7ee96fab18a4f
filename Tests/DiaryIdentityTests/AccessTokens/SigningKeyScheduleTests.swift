import DiaryCore
import DiaryCrypto
import FoundationEssentials
import Testing

@testable import DiaryIdentity

@Suite("Token keys in time")
struct SigningKeyScheduleTests {
    private static let now = TokenForge.now

    private func key(_ seconds: Double) throws -> SigningKeySchedule.Key {
        .init(try P256PrivateKey.generate(), signsFrom: Self.now.addingTimeInterval(seconds))
    }

    @Test("a key is published, signs, verifies what it signed, and ends, by the times alone")
    func states() throws {
        let (first, second) = (try key(-10_000), try key(900))
        let schedule = SigningKeySchedule([second, first], accessTokenSeconds: 900)
        func states(_ seconds: Double) -> [SigningKeySchedule.State] {
            schedule.keys.indices.map { schedule.state(of: $0, at: Self.now.addingTimeInterval(seconds)) }
        }

        #expect(schedule.keys.map(\.id) == [first.id, second.id])
        #expect(states(-20_000) == [.next, .next])
        #expect(states(0) == [.signing, .next])
        #expect(states(899.9) == [.signing, .next])
        #expect(states(900) == [.old, .signing])
        #expect(states(900 + 900 + 119) == [.old, .signing])
        #expect(states(900 + 900 + 121) == [.ended, .signing])
        #expect(schedule.end(of: 0) == Self.now.addingTimeInterval(1_920))
        #expect(schedule.end(of: 1) == nil)
    }

    @Test("the ring at a moment signs with one key and verifies with all that have not ended")
    func rings() throws {
        let (first, second) = (try key(-10_000), try key(900))
        let schedule = SigningKeySchedule([first, second], accessTokenSeconds: 900)

        #expect(schedule.ring(at: Self.now.addingTimeInterval(-20_000)) == nil)
        let before = try #require(schedule.ring(at: Self.now))
        #expect(before.currentKeyID == first.id && before.keyIDs == [first.id, second.id])
        let after = try #require(schedule.ring(at: Self.now.addingTimeInterval(900)))
        #expect(after.currentKeyID == second.id && after.keyIDs == [first.id, second.id])
        #expect(try #require(schedule.ring(at: Self.now.addingTimeInterval(5_000))).keyIDs == [second.id])
    }

    @Test("a token of a key that is gone is refused at once, although it was verified before; the others go on")
    func use() throws {
        let forge = try TokenForge()
        let next = try P256PrivateKey.generate()
        let old = try forge.tokens.issue(TokenForge.claims, at: TokenForge.now)
        _ = try forge.tokens.verify(old, at: TokenForge.now)

        forge.tokens.use(SigningKeyRing(current: next, verifying: [forge.key.publicKey]))
        let new = try forge.tokens.issue(TokenForge.claims, at: TokenForge.now)
        #expect(forge.tokens.cache.payload(SHA256.digest(Array(old.utf8))) != nil, "remembered across a ring that kept its key")
        #expect(try forge.tokens.verify(old, at: TokenForge.now) == TokenForge.claims)
        _ = try forge.tokens.verify(new, at: TokenForge.now)

        forge.tokens.use(SigningKeyRing(current: next))
        #expect(throws: TokenRefused()) { try forge.tokens.verify(old, at: TokenForge.now) }
        #expect(try forge.tokens.verify(new, at: TokenForge.now) == TokenForge.claims)
        #expect(!forge.tokens.jwks.contains(forge.keyID))
    }

    @Test("a key comes from the database sealed, the setting's before it, and a retired one not at all")
    func source() async throws {
        let masters = try MasterKeyRing(current: "m", keys: ["m": .random(32)])
        let (stored, configured) = (try P256PrivateKey.generate(), try P256PrivateKey.generate())
        let kid = SigningKeyRing.keyID(of: stored.publicKey)
        let sealed = try SigningKeySource.seal(stored, masters)
        #expect(!String(decoding: sealed.bytes, as: UTF8.self).contains("PRIVATE"))
        func schedule(_ keys: [StoredSigningKey], _ ring: MasterKeyRing = masters) async throws -> [String] {
            try await SigningKeySource(store: Listed(keys: keys), masters: ring, configured: configured, accessTokenSeconds: 900).schedule()
                .keys.map(\.id)
        }
        func row(_ kid: String, _ sealed: StoredSigningKey.Sealed?) -> StoredSigningKey {
            StoredSigningKey(kid: kid, sealed: sealed, publishedAt: Self.now, signsFrom: Self.now)
        }
        let configuredID = SigningKeyRing.keyID(of: configured.publicKey)

        #expect(try await schedule([]) == [configuredID])
        #expect(try await schedule([row(kid, sealed)]) == [configuredID, kid])
        #expect(try await schedule([row(kid, sealed), row(configuredID, nil)]) == [kid])
        #expect(try await schedule([row(kid, nil)]) == [configuredID])
        // Put under another id, or under a master that the ring does not have, it does not open; and the error names no key.
        await #expect(throws: DiaryError.self) { try await schedule([row(configuredID + "x", sealed)]) }
        let other = try MasterKeyRing(current: "n", keys: ["n": .random(32)])
        await #expect(throws: DiaryError.self) { try await schedule([row(kid, sealed)], other) }
    }

    @Test("A20: a retired key that a restore brought back neither signs nor verifies, also the setting's, and is named")
    func restored() async throws {
        let masters = try MasterKeyRing(current: "m", keys: ["m": .random(32)])
        let (stored, configured) = (try P256PrivateKey.generate(), try P256PrivateKey.generate())
        let (kid, configuredID) = (SigningKeyRing.keyID(of: stored.publicKey), SigningKeyRing.keyID(of: configured.publicKey))
        let row = StoredSigningKey(
            kid: kid, sealed: try SigningKeySource.seal(stored, masters), publishedAt: Self.now, signsFrom: Self.now)
        func schedule(retired: Set<String>) async throws -> SigningKeySchedule {
            try await SigningKeySource(
                store: Listed(keys: [row]), retirements: Retired(kids: retired), masters: masters, configured: configured,
                accessTokenSeconds: 900
            ).schedule()
        }

        let all = try await schedule(retired: [])
        #expect(all.keys.map(\.id) == [configuredID, kid] && all.restoredIDs.isEmpty)
        let one = try await schedule(retired: [kid])
        #expect(one.keys.map(\.id) == [configuredID] && one.restoredIDs == [kid])
        #expect(try await schedule(retired: [configuredID]).keys.map(\.id) == [kid])
    }

    private struct Retired: RetiredTokenKeys {
        let kids: Set<String>
        func retired(among kids: [String]) async throws(DiaryError) -> Set<String> { self.kids.intersection(kids) }
        func record(_ kids: [String]) async throws(DiaryError) {}
    }

    private struct Listed: SigningKeyStore {
        let keys: [StoredSigningKey]
        func signingKeys() async throws(DiaryError) -> [StoredSigningKey] { keys }
    }

    @Test("each of the service's purposes has a key of its own")
    func purposes() {
        let serviceKeys = ServiceKeys(secret: .random(32))
        let keys = [
            serviceKeys.addressIndex, serviceKeys.requestHash, serviceKeys.mailedCode, serviceKeys.refreshToken, serviceKeys.rateSubject,
            serviceKeys.links,
            serviceKeys.uploads, serviceKeys.erasureReceipt, serviceKeys.erasureSubject,
        ].map { $0.bytes() }

        #expect(Set(keys).count == keys.count)
        #expect(keys.allSatisfy { $0.count == 32 })
    }
}
