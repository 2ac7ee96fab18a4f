import BlockingCalls
import DiaryCore
import TestSupport
import Testing

@testable import DiaryIdentity

@Suite("Password hashing")
struct Argon2HasherTests {
    private static let owner = HasherCaller.known(account: [1], network: [203, 0, 113])
    private static let cheap = Argon2Parameters(memoryKiB: 64, passes: 1)

    @Test("B11: the hash is argon2id with 19 MiB, two passes, one lane, and a salt of its own")
    func parameters() async throws {
        let hasher = try Argon2Hasher()

        let first = try await hasher.hash("correct horse battery", for: .unknown)
        let second = try await hasher.hash("correct horse battery", for: .unknown)

        #expect(first.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        #expect(first != second)
        #expect(try await hasher.verify("correct horse battery", against: first, for: .unknown))
        #expect(try await !hasher.verify("correct horse batterz", against: first, for: .unknown))
    }

    @Test(
        "B12: nothing is cut and NUL counts",
        arguments: [
            ("abc\0def", "abc\0xyz"), ("abc", "abc\0"),
            (String(repeating: "a", count: 1024) + "b", String(repeating: "a", count: 1024) + "c"),
            (String(repeating: "é", count: 1 << 19), String(repeating: "é", count: 1 << 19) + "!"), ("🙂🙂", "🙂🙃"), ("", "\0"),
        ])
    func wholePassword(password: String, other: String) async throws {
        let hasher = try Argon2Hasher(parameters: Self.cheap)

        let phc = try await hasher.hash(password, for: .unknown)

        #expect(try await hasher.verify(password, against: phc, for: .unknown))
        #expect(try await !hasher.verify(other, against: phc, for: .unknown))
    }

    @Test("a hash by another implementation verifies")
    func knownAnswer() async throws {
        let hasher = try Argon2Hasher(parameters: Self.cheap)

        #expect(
            try await hasher.verify(
                "password", against: "$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHRzb21lc2FsdA$wRLS7mudUUQT+AYkMYeVIYbo8Zysq4DyCoI9VJ8RHSw",
                for: .unknown))
    }

    @Test("B8: existing, unknown and unusable accounts cost one run each, and only the right password is right")
    func equalWork() async throws {
        let hasher = try Argon2Hasher(parameters: Self.cheap)
        let phc = try await hasher.hash("correct horse battery", for: .unknown)
        let before = hasher.runs

        let answers = [
            try await hasher.verify("correct horse battery", against: phc, for: .unknown),
            try await hasher.verify("wrong", against: phc, for: .unknown),
            try await hasher.verify("correct horse battery", against: nil, for: .unknown),
            try await hasher.verify("", against: nil, for: .unknown),
            try await hasher.verify("correct horse battery", against: "not a hash", for: .unknown),
            try await hasher.verify("correct horse battery", against: phc.replacing("m=64", with: "m=4294967295"), for: .unknown),
            try await hasher.verify("correct horse battery", against: phc.replacing("argon2id", with: "argon2i"), for: .unknown),
        ]

        #expect(answers == [true, false, false, false, false, false, false])
        #expect(hasher.runs - before == answers.count)
    }

    @Test("B8: the work for an unknown account takes as long as for a known one")
    func equalTime() async throws {
        let hasher = try Argon2Hasher()
        let phc = try await hasher.hash("correct horse battery", for: .unknown)
        let clock = ContinuousClock()
        var (known, unknown) = (Duration.seconds(60), Duration.seconds(60))

        // The shortest of twenty each is the one that other processes disturbed least.
        for _ in 0..<20 {
            known = min(known, try await clock.measure { _ = try await hasher.verify("wrong password", against: phc, for: .unknown) })
            unknown = min(unknown, try await clock.measure { _ = try await hasher.verify("wrong password", against: nil, for: .unknown) })
        }

        // Without the dummy the ratio is in the thousands.
        let ratio = known / unknown
        #expect((0.5...2).contains(ratio))
    }

    @Test("B11: what does not fit the queue is refused at once, the rest is done", .timeLimit(.minutes(1)))
    func busy() async throws {
        let hasher = try Argon2Hasher(parameters: Argon2Parameters(), concurrency: 2, waiting: 6)

        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    do {
                        _ = try await hasher.hash("correct horse battery", for: .unknown)
                        return true
                    } catch { return false }
                }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }

        let done = outcomes.filter { $0 }.count
        #expect(done >= 8 && done < 100)
        #expect(hasher.runs == done)
        #expect(try await hasher.verify("x", against: nil, for: .unknown) == false, "and it works again afterwards")
    }

    @Test("B11: with unknown callers in every waiting place a known one is served, and before them", .timeLimit(.minutes(1)))
    func known() async throws {
        let hasher = try Argon2Hasher(parameters: Argon2Parameters(), concurrency: 1, waiting: 30)
        let phc = try await hasher.hash("correct horse battery", for: Self.owner)
        let refused = Gauge()

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    do { _ = try await hasher.verify("a guess", against: nil, for: .unknown) } catch { refused.enter() }
                }
            }
            try #require(await eventually { refused.total >= 60 })
            let served = hasher.runs
            #expect(try await hasher.verify("correct horse battery", against: phc, for: Self.owner))
            #expect(hasher.runs - served < 15, "31 and more were admitted before it")
            try await group.waitForAll()
        }
    }

    @Test("B11: one account on known devices, from as many networks as there are calls, does not hold up another", .timeLimit(.minutes(1)))
    func crowdOfOneAccount() async throws {
        let hasher = try Argon2Hasher(parameters: Argon2Parameters(), concurrency: 1, waiting: 30)
        let phc = try await hasher.hash("correct horse battery", for: Self.owner)
        let refused = Gauge()

        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                let caller = HasherCaller.known(account: [9], network: [UInt8(number)])
                group.addTask {
                    do { _ = try await hasher.verify("correct horse battery", against: phc, for: caller) } catch { refused.enter() }
                }
            }
            // One is among the preferred calls, and 30 wait with the ordinary ones.
            try #require(await eventually { refused.total >= 60 })
            let served = hasher.runs
            #expect(try await hasher.verify("correct horse battery", against: phc, for: Self.owner))
            #expect(hasher.runs - served < 15)
            try await group.waitForAll()
        }
    }

    @Test("no more hashes run at once than there are threads")
    func concurrency() async {
        let pool = BoundedBlockingPool(threads: 3, waiting: 100)
        let gauge = Gauge()

        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    _ = await pool.run {
                        gauge.enter()
                        _ = Argon2.hash([1], Argon2Parameters(memoryKiB: 1024, passes: 1))
                        gauge.leave()
                    }
                }
            }
        }

        #expect((1...3).contains(gauge.peak))
        #expect(gauge.total == 50)
    }

    @Test(
        "needsRehash",
        arguments: [
            ("$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaA", false),
            ("$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHRzYWx0$aGFzaA", false),
            ("$argon2id$v=19$m=19455,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaA", true),
            ("$argon2id$v=19$m=19456,t=1,p=1$c2FsdHNhbHRzYWx0$aGFzaA", true),
            ("$argon2i$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaA", true), ("$argon2id$v=16$m=19456,t=2,p=1$c2FsdA$aGFzaA", true),
            ("$2b$12$abcdefghijklmnopqrstuv", true), ("", true), ("$argon2id$v=19$m=19456,t=2$c2FsdA$aGFzaA", true),
            ("$argon2id$v=19$m=-1,t=2,p=1$c2FsdA$aGFzaA", true),
        ])
    func needsRehash(phc: String, expected: Bool) throws {
        #expect(try Argon2Hasher().needsRehash(phc) == expected)
    }
}
