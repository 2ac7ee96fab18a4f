import Foundation
import TestServers
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryRedis

/// A10: opens after five failures in a row, probes with one call, and a refusal stops all processes.
@Suite("Circuit breakers", .timeLimit(.minutes(1)))
struct BreakerTests {
    private static let engine = EngineKey(EngineSettings(name: "groq", stage: .speech, kind: .openai, url: "https://a"))
    /// Nothing ends during a test.
    private static let slow = BreakerPolicy(baseSeconds: 100, capSeconds: 900, refusedSeconds: 900)

    private static func isOpen(_ verdict: BreakerVerdict) -> Bool { if case .open = verdict { true } else { false } }

    private static func after(_ verdict: BreakerVerdict) -> Double {
        if case .open(let after, _) = verdict { after } else { 0 }
    }

    @Test(
        "four failures let calls pass, an answer between them starts the count anew, the fifth in a row opens",
        arguments: TestedBreakers.allCases)
    func opens(kind: TestedBreakers) async throws {
        try await kind.run(Self.slow) { breakers in
            for _ in 0..<4 { #expect(await breakers.ended(Self.engine, .failed(retryAfter: nil)) == .none) }
            #expect(await breakers.ended(Self.engine, .answered) == .none)
            for _ in 0..<4 { #expect(await breakers.ended(Self.engine, .failed(retryAfter: nil)) == .none) }
            #expect(await breakers.admit(Self.engine, probeSeconds: 9) == .admitted)

            #expect(await breakers.ended(Self.engine, .failed(retryAfter: nil)) == .opened)

            let verdict = await breakers.admit(Self.engine, probeSeconds: 9)
            #expect(Self.isOpen(verdict) && (90...100).contains(Self.after(verdict)))
            // Those that were under way when it opened.
            #expect(await breakers.ended(Self.engine, .failed(retryAfter: nil)) == .none)
            #expect(await breakers.ended(Self.engine, .answered) == .none)
            #expect(Self.isOpen(await breakers.admit(Self.engine, probeSeconds: 9)))
            let other = EngineKey(EngineSettings(name: "groq", stage: .speech, kind: .openai, url: "https://b"))
            #expect(await breakers.admit(other, probeSeconds: 9) == .admitted)
        }
    }

    @Test(
        "after the wait one call goes out as a probe and no other; its answer lets all pass, its failure closes for longer",
        arguments: TestedBreakers.allCases)
    func probes(kind: TestedBreakers) async throws {
        try await kind.run { breakers in
            for _ in 0..<5 { _ = await breakers.ended(Self.engine, .failed(retryAfter: nil)) }
            try await until { await breakers.admit(Self.engine, probeSeconds: 60) == .probe }
            for _ in 0..<20 { #expect(Self.isOpen(await breakers.admit(Self.engine, probeSeconds: 60))) }

            #expect(await breakers.ended(Self.engine, .failed(retryAfter: nil)) == .none)
            #expect((0.41...0.8).contains(Self.after(await breakers.admit(Self.engine, probeSeconds: 60))))
            try await until { await breakers.admit(Self.engine, probeSeconds: 60) == .probe }

            #expect(await breakers.ended(Self.engine, .answered) == .closed)
            for _ in 0..<20 { #expect(await breakers.admit(Self.engine, probeSeconds: 60) == .admitted) }
        }
    }

    @Test(
        "a probe that was not sent frees its place, and one that never came back does when its time is over",
        arguments: TestedBreakers.allCases)
    func lostProbe(kind: TestedBreakers) async throws {
        try await kind.run { breakers in
            for _ in 0..<5 { _ = await breakers.ended(Self.engine, .failed(retryAfter: nil)) }
            try await until { await breakers.admit(Self.engine, probeSeconds: 60) == .probe }

            #expect(await breakers.ended(Self.engine, .unused) == .none)

            #expect(await breakers.admit(Self.engine, probeSeconds: 0.1) == .probe)
            try await until { await breakers.admit(Self.engine, probeSeconds: 60) == .probe }
        }
    }

    @Test(
        "Retry-After holds for everyone from the first failure on, in place of the breaker's own wait, and for a day at most",
        arguments: TestedBreakers.allCases)
    func retryAfter(kind: TestedBreakers) async throws {
        try await kind.run(Self.slow) { breakers in
            #expect(await breakers.ended(Self.engine, .failed(retryAfter: 30)) == .none)
            #expect((25...30).contains(Self.after(await breakers.admit(Self.engine, probeSeconds: 9))))
            for _ in 0..<4 { _ = await breakers.ended(Self.engine, .failed(retryAfter: 40)) }
            #expect((35...40).contains(Self.after(await breakers.admit(Self.engine, probeSeconds: 9))))

            _ = await breakers.ended(Self.engine, .failed(retryAfter: 1e12))
            #expect((86_000...86_400).contains(Self.after(await breakers.admit(Self.engine, probeSeconds: 9))))
        }
    }

    @Test(
        "a refusal stops the engine at once and is news once; other settings or another secret are asked at once",
        arguments: TestedBreakers.allCases)
    func refused(kind: TestedBreakers) async throws {
        try await kind.run(Self.slow) { breakers in
            #expect(await breakers.ended(Self.engine, .refused) == .refused)
            for _ in 0..<3 { #expect(await breakers.ended(Self.engine, .refused) == .none) }

            guard case .open(let after, let isRefused) = await breakers.admit(Self.engine, probeSeconds: 9) else {
                Issue.record("not open")
                return
            }
            #expect(isRefused && (890...900).contains(after))
            var settings = EngineSettings(name: "groq", stage: .speech, kind: .openai, url: "https://a")
            settings.revision = "2"
            #expect(await breakers.admit(EngineKey(settings), probeSeconds: 9) == .admitted)
        }
    }

    @Test("after a refusal one probe goes out, and another refusal is no news", arguments: TestedBreakers.allCases)
    func refusedAgain(kind: TestedBreakers) async throws {
        try await kind.run { breakers in
            _ = await breakers.ended(Self.engine, .refused)
            try await until { await breakers.admit(Self.engine, probeSeconds: 60) == .probe }
            #expect(Self.isOpen(await breakers.admit(Self.engine, probeSeconds: 60)))
            #expect(await breakers.ended(Self.engine, .refused) == .none)
            try await until { await breakers.admit(Self.engine, probeSeconds: 60) == .probe }
            #expect(await breakers.ended(Self.engine, .answered) == .closed)
            #expect(await breakers.ended(Self.engine, .refused) == .refused)
        }
    }

    @Test(
        "a wrong key of one app stops neither another app's engine of the same settings nor the process's own; another key is asked at once",
        arguments: TestedBreakers.allCases)
    func apps(kind: TestedBreakers) async throws {
        let settings = EngineSettings(name: "openai", stage: .speech, kind: .openai, url: "https://a", model: "m", secret: "key")
        let (app, other) = (TenantID(UUID()), TenantID(UUID()))
        func key(_ app: TenantID, _ secret: [UInt8]) -> EngineKey { EngineKey(settings.owned(by: app, secret: secret)) }
        try await kind.run(Self.slow) { breakers in
            #expect(await breakers.ended(key(app, [1]), .refused) == .refused)

            #expect(Self.isOpen(await breakers.admit(key(app, [1]), probeSeconds: 9)))
            for asked in [key(other, [1]), key(app, [2]), EngineKey(settings), EngineKey(settings.revised(by: [1]))] {
                #expect(await breakers.admit(asked, probeSeconds: 9) == .admitted)
            }
        }
    }

    @Test("workers share what they find out; operators see it; without Redis a worker goes on with what it knows")
    func shared() async throws {
        let redis = try await PrivateRedis.start()
        let client = try RedisClient.to(redis)
        #expect(await client.ping())
        let workers = (0..<2).map { _ in RedisBreakers(client: client, Self.slow, jitter: { 1 }) }
        let app = TenantID(UUID())
        var settings = EngineSettings(name: "own", stage: .text, kind: .openai)
        settings.app = app
        let own = EngineKey(settings)

        #expect(await workers[0].ended(own, .refused) == .refused)
        for number in 0..<5 { _ = await workers[number % 2].ended(Self.engine, .failed(retryAfter: nil)) }

        #expect(Self.isOpen(await workers[1].admit(own, probeSeconds: 9)))
        #expect(await workers[1].ended(own, .refused) == .none)
        #expect(Self.isOpen(await workers[0].admit(Self.engine, probeSeconds: 9)))
        let open = try await RedisBreakers.open(on: client).sorted { $0.failures < $1.failures }
        #expect(open.map(\.engine) == [own, Self.engine] && open.map(\.isRefused) == [true, false] && open.map(\.failures) == [0, 5])
        #expect(open.allSatisfy { $0.seconds > 90 })
        let keys = try await redis.cli("KEYS", "*")
        #expect(!keys.contains("https") && keys.contains(app.description))

        #expect(try await RedisBreakers.forgetAll(on: client, of: app).map(\.engine) == [own])
        #expect(await workers[0].admit(own, probeSeconds: 9) == .admitted)
        #expect(Self.isOpen(await workers[0].admit(Self.engine, probeSeconds: 9)))
        #expect(try await RedisBreakers.forgetAll(on: client).map(\.engine) == [Self.engine])
        #expect(try await RedisBreakers.open(on: client).isEmpty)

        try await redis.stop()
        #expect(Self.isOpen(await workers[1].admit(own, probeSeconds: 9)))
        #expect(Self.isOpen(await workers[0].admit(Self.engine, probeSeconds: 9)))
    }

    @Test("waits grow to the longest one, with full jitter but for the lowest tenth")
    func waits() {
        let policy = BreakerPolicy(baseSeconds: 5, capSeconds: 900, refusedSeconds: 900)
        func waits(jitter: Double) -> [Double] {
            var (state, now, waits) = (BreakerState(failures: 4), 1_000.0, [Double]())
            for _ in 0..<10 {
                _ = state.end(.failed(retryAfter: nil), policy, jitter: jitter, now: now)
                waits.append((state.ends - now).rounded())
                now = state.ends
            }
            return waits
        }

        #expect(waits(jitter: 1) == [5, 10, 20, 40, 80, 160, 320, 640, 900, 900])
        #expect(waits(jitter: 0).last == 90)
    }

    @Test("a name of a key is read back, and strange ones are not")
    func names() {
        var settings = EngineSettings(name: "groq-1", stage: .text, kind: .openai, command: ["a", "b"])
        #expect(RedisBreakers.engine(RedisBreakers.key(EngineKey(settings))) == EngineKey(settings))
        settings.app = TenantID(UUID())
        #expect(RedisBreakers.engine(RedisBreakers.key(EngineKey(settings))) == EngineKey(settings))
        for name in ["", "brk:", "brk:{-}:speech:a", "brk:{x}:speech:a:b", "brk:{-}:sight:a:b", "rl:{-}:speech:a:b"] {
            #expect(RedisBreakers.engine(name) == nil, "\(name)")
        }
        let (one, two) = (
            EngineKey(EngineSettings(name: "a", stage: .text, kind: .command, command: ["ab", "c"])),
            EngineKey(EngineSettings(name: "a", stage: .text, kind: .command, command: ["a", "bc"]))
        )
        #expect(one != two)
    }
}
