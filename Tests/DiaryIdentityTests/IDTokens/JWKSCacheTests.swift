import DiaryCore
import DiaryCrypto
import FoundationEssentials
import TestSupport
import Testing
import WireFormats

@testable import DiaryIdentity

@Suite("B3: the cache of a provider's keys")
struct JWKSCacheTests {
    private let clock = ManualClock()

    private func cache(_ source: ListedKeySets, _ limits: JWKSLimits = JWKSLimits()) -> JWKSCache {
        JWKSCache(issuer: .apple, source: source, limits: limits, now: { [clock] in clock.now })
    }

    private func jwk(_ keyID: String) throws -> String { try RSATestKey.issuer.get().jwk(keyID) }

    /// Whether the last set that was fetched is without this key. Within a minute of the fetch the cache says that a newer one may have it.
    private func lacks(_ cache: JWKSCache, _ keyID: String) async throws(IDTokenFailure) -> Bool {
        do throws(IDTokenFailure) {
            return try await cache.key(keyID) == nil
        } catch {
            guard case .keyNotFetched = error else { throw error }
            return true
        }
    }

    /// Whether the client is told to wait until the next fetch is allowed, and at most a second longer.
    private func saysWhen(_ failure: IDTokenFailure?, since fetch: ContinuousClock.Instant) -> Bool {
        guard case .keyNotFetched(let seconds)? = failure else { return false }
        let rest = clock.now.duration(to: fetch.advanced(by: .seconds(60)))
        return (rest...(rest + Duration.seconds(1))).contains(Duration.seconds(seconds))
    }

    @Test("B3: 10,000 tokens with random key ids over ten minutes make at most one fetch a minute, and the good ones pass meanwhile")
    func randomKeyIDs() async throws {
        let forge = try IDTokenForge(.apple)
        let source = ListedKeySets(try jwk(IDTokenForge.keyID))
        let cache = cache(source)
        let verifier = IDTokenVerifier(issuer: .apple, keys: cache)
        let good = try forge.good
        let tail = good.drop { $0 != "." }

        var lastFetch = clock.now
        for number in 0..<10_000 {
            let header = #"{"alg":"RS256","kid":"\#(Hex.encode(SecureRandom.bytes(8)))"}"#
            let token = Base64URL.encode(Array(header.utf8)) + tail
            let fetches = source.fetches
            let failure = await #expect(throws: IDTokenFailure.self) {
                try await verifier.verify(token, nonce: IDTokenForge.nonce, audiences: IDTokenForge.audiences, at: IDTokenForge.now)
            }
            // Refused for good only after a fetch that did not bring the key.
            if source.fetches > fetches {
                lastFetch = clock.now
                #expect(failure == .refused)
            } else {
                #expect(saysWhen(failure, since: lastFetch), "\(String(describing: failure))")
            }
            if number % 1000 == 0 {
                _ = try await verifier.verify(good, nonce: IDTokenForge.nonce, audiences: IDTokenForge.audiences, at: IDTokenForge.now)
            }
            clock.advance(.milliseconds(60))
        }

        #expect(source.fetches <= 11 && source.fetches >= 9)
        print("B3: 10,000 random kids in 10 minutes: \(source.fetches) fetches")
    }

    @Test("B3: all at the same instant make one")
    func burst() async throws {
        let source = ListedKeySets(try jwk("a"))
        let cache = cache(source)

        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1000 { group.addTask { _ = try? await cache.key("random-\(number)") } }
        }

        #expect(source.fetches == 1)
    }

    @Test("B3: a hundred first callers share one fetch and all get the key")
    func singleFlight() async throws {
        let source = ListedKeySets(try jwk("a"))
        let cache = cache(source)
        source.hold()

        let callers = (0..<100).map { _ in Task { try await cache.key("a") != nil } }
        while source.fetches == 0 { await Task.yield() }
        callers[0].cancel()
        source.release()

        for caller in callers { #expect(try await caller.value) }
        #expect(source.fetches == 1)
    }

    @Test("B3: while the endpoint is down for hours known keys work, no caller waits, and it is requested once a minute")
    func outage() async throws {
        let source = ListedKeySets(try jwk("a"), cacheControl: "max-age=3600")
        let cache = cache(source)
        _ = try await cache.key("a")
        source.goDown()

        for _ in 0..<(5 * 60 * 6) {
            clock.advance(.seconds(10))
            #expect(try await cache.key("a") != nil)
        }
        #expect(source.fetches <= 1 + 5 * 60)

        source.serve(try jwk("b"))
        clock.advance(.seconds(61))
        _ = try await cache.key("a")
        try await until { try await cache.key("b") != nil }
        #expect(try await lacks(cache, "a"), "a withdrawn key goes with the next set")
    }

    @Test("B3: an outage of two days ends the use of old keys, so that a withdrawn key does not stay valid for ever")
    func endlessOutage() async throws {
        let source = ListedKeySets(try jwk("a"))
        let cache = cache(source)
        _ = try await cache.key("a")
        source.goDown()

        clock.advance(.seconds(47 * 3600))
        #expect(try await cache.key("a") != nil)
        clock.advance(.seconds(2 * 3600))

        await #expect(throws: IDTokenFailure.keysUnavailable) { try await cache.key("a") }
    }

    @Test("B3: without keys a token is neither good nor bad, and the first fetch is not repeated within a minute")
    func neverSeen() async throws {
        let source = ListedKeySets()
        let cache = cache(source)
        source.goDown()

        for _ in 0..<100 { await #expect(throws: IDTokenFailure.keysUnavailable) { try await cache.key("a") } }
        #expect(source.fetches == 1)
        source.serve(try jwk("a"))
        await #expect(throws: IDTokenFailure.keysUnavailable) { try await cache.key("a") }
        clock.advance(.seconds(60))
        #expect(try await cache.key("a") != nil)
    }

    @Test("B3: a poisoned set is refused and the old keys stay")
    func poisoned() async throws {
        let source = ListedKeySets(try jwk("a"), cacheControl: "max-age=300")
        let cache = cache(source)
        _ = try await cache.key("a")

        for document in try PoisonedKeySets.all() {
            source.serve(bytes: document)
            clock.advance(.seconds(600))
            // Fetches; the second time it is too soon for that.
            #expect(try await lacks(cache, "evil"))
            #expect(try await cache.key("a") != nil)
            #expect(try await lacks(cache, "evil"))
        }
        #expect(source.fetches == 1 + (try PoisonedKeySets.all().count))
    }

    @Test("a new key is found by the first token that names it; a fresh set is not requested again")
    func rotation() async throws {
        let source = ListedKeySets(try jwk("a"), cacheControl: "max-age=86400")
        let cache = cache(source)
        _ = try await cache.key("a")
        source.serve(try jwk("a"), try RSATestKey.next.get().jwk("b"), cacheControl: "max-age=86400")

        clock.advance(.seconds(61))
        #expect(try await cache.key("b") != nil)
        for _ in 0..<100 {
            clock.advance(.seconds(600))
            _ = try await cache.key("a")
        }

        #expect(source.fetches == 2)
    }

    @Test("keys a little past their time are used while new ones come; long past it the new ones are waited for")
    func background() async throws {
        let source = ListedKeySets(try jwk("a"), cacheControl: "max-age=600")
        let cache = cache(source)
        _ = try await cache.key("a")
        source.serve(try jwk("b"), cacheControl: "max-age=600")

        source.hold()
        clock.advance(.seconds(601))
        #expect(try await cache.key("a") != nil, "without waiting for the fetch that is held")
        source.release()
        try await until { try await lacks(cache, "a") }
        #expect(source.fetches == 2)

        source.serve(try jwk("c"), cacheControl: "max-age=600")
        clock.advance(.seconds(24 * 3600))
        #expect(try await cache.key("b") == nil, "a key withdrawn long ago is not used once more")
        #expect(try await cache.key("c") != nil)
        #expect(source.fetches == 3)
    }

    @Test("preparing fetches once and then not again")
    func prepare() async throws {
        let source = ListedKeySets(try jwk("a"))
        let cache = cache(source)

        await cache.prepare()
        await cache.prepare()
        _ = try await cache.key("a")

        #expect(source.fetches == 1)
    }

    @Test(
        "what Cache-Control says is taken within bounds",
        arguments: [
            (nil, 3600), ("", 3600), ("public", 3600), ("max-age=19204, must-revalidate, public, no-transform", 19204),
            ("public, max-age=1", 300),
            ("max-age=99999999", 86400), ("max-age=0", 300), ("no-store", 300), ("private, no-cache, max-age=5000", 300),
            ("MAX-AGE=1000", 1000),
            ("max-age=x", 300), ("max-age=-1", 300), ("max-age=", 300), ("max-age=99999999999999999999", 300),
            ("max-age=4000, max-age=2000", 2000),
        ] as [(String?, Int64)])
    func cacheControl(field: String?, seconds: Int64) {
        #expect(JWKSLimits().freshness(field) == .seconds(seconds))
    }
}
