import DiaryCore
import TestServers
import TestSupport
import Testing

@testable import DiaryRedis

/// What every `JobSignals` does, seen from one process.
@Suite struct JobSignalsConformanceTests {
    enum Kind: CaseIterable { case local, streams, streamsWithoutRedis }

    @Test("a signal wakes a waiter of its kind, and no other", arguments: Kind.allCases)
    func wakes(kind: Kind) async throws {
        try await with(kind) { jobSignals in
            let woken = Task { await seconds { await jobSignals.waitForWork([.clean, .transcribe], timeout: 20) } }
            let asleep = Task { await jobSignals.waitForWork([.mail], timeout: 20) }

            // Repeated, as the waiter may not be registered yet.
            #expect(
                await eventually {
                    jobSignals.jobCommitted(.transcribe); return await woken.isDone(within: 0.02)
                })

            #expect(await !asleep.isDone(within: 0.2))
            asleep.cancel()
            #expect(await seconds { await asleep.value } < 1)
        }
    }

    @Test("a signal before the wait is not lost", arguments: Kind.allCases)
    func earlySignal(kind: Kind) async throws {
        try await with(kind) { jobSignals in
            jobSignals.jobCommitted(.export)

            #expect(await seconds { await jobSignals.waitForWork([.export, .mail], timeout: 20) } < 3)
        }
    }

    @Test("a wait without a signal ends by its timeout", arguments: Kind.allCases)
    func timeout(kind: Kind) async throws {
        try await with(kind) { jobSignals in
            let took = await seconds { await jobSignals.waitForWork([.verify], timeout: 0.3) }
            #expect(took >= 0.29 && took < 2)
            for timeout in [0, -1, .nan] { #expect(await seconds { await jobSignals.waitForWork([.verify], timeout: timeout) } < 1) }
            #expect(await seconds { await jobSignals.waitForWork([], timeout: 0.1) } < 1)
        }
    }

    @Test("a cancelled wait ends at once, also when it was cancelled before", arguments: Kind.allCases)
    func cancellation(kind: Kind) async throws {
        try await with(kind) { jobSignals in
            for _ in 0..<20 {
                let waiter = Task { await jobSignals.waitForWork([.verify], timeout: .infinity) }
                waiter.cancel()
                #expect(await seconds { await waiter.value } < 1)
            }
        }
    }

    @Test("many waiters of different kinds each get their own signal", arguments: Kind.allCases)
    func manyWaiters(kind: Kind) async throws {
        try await with(kind) { jobSignals in
            let waiters = JobCatalogue.diary.kinds.map { kind in Task { await jobSignals.waitForWork([kind], timeout: 20) } }
            for (kind, waiter) in zip(JobCatalogue.diary.kinds, waiters) {
                #expect(
                    await eventually {
                        jobSignals.jobCommitted(kind); return await waiter.isDone(within: 0.02)
                    })
            }
        }
    }

    private func with(_ kind: Kind, _ body: (any JobSignals) async throws -> Void) async throws {
        switch kind {
        case .local: try await body(LocalJobSignals())
        case .streams:
            let redis = try await PrivateRedis.start()
            try await running(RedisJobSignals(client: try .to(redis), logger: .quiet), body)
        case .streamsWithoutRedis:
            let client = RedisClient(endpoint: RedisEndpoint(address: .unixSocket(path: "/nowhere/s")), logger: .quiet)
            try await running(RedisJobSignals(client: client, logger: .quiet), body)
        }
    }
}

@Suite struct RedisJobSignalsTests {
    @Test("A18: a signal of one process wakes a waiter of another within 250 ms")
    func acrossProcesses() async throws {
        let redis = try await PrivateRedis.start()
        let api = RedisJobSignals(client: try .to(redis), logger: .quiet)

        try await running(RedisJobSignals(client: try .to(redis), logger: .quiet)) { worker async throws in
            for _ in 0..<20 {
                let waiter = Task { await worker.waitForWork([.clean, .verify], timeout: 20) }
                #expect(try await eventually { try await isBlocked(redis) })

                api.jobCommitted(.verify)

                #expect(await seconds { await waiter.value } < 0.25)
            }
        }
    }

    @Test("one signal wakes one of two processes")
    func oneProcess() async throws {
        let redis = try await PrivateRedis.start()
        let api = RedisJobSignals(client: try .to(redis), logger: .quiet)

        try await running(RedisJobSignals(client: try .to(redis), logger: .quiet)) { first async throws in
            try await running(RedisJobSignals(client: try .to(redis), logger: .quiet)) { second async throws in
                let waiters = [first, second].map { worker in Task { await worker.waitForWork([.verify], timeout: 20) } }
                #expect(try await eventually { try await redis.cli("INFO", "clients").contains("blocked_clients:2") })

                api.jobCommitted(.verify)

                var done = 0
                #expect(
                    await eventually {
                        done = await count(waiters); return done > 0
                    })
                #expect(await eventually(within: .milliseconds(300)) { await count(waiters) == 2 } == false)
                for waiter in waiters { waiter.cancel() }
            }
        }
    }

    @Test("a waiter for another kind interrupts a blocking read")
    func interruption() async throws {
        let redis = try await PrivateRedis.start()
        let api = RedisJobSignals(client: try .to(redis), logger: .quiet)

        try await running(RedisJobSignals(client: try .to(redis), logger: .quiet)) { worker async throws in
            let long = Task { await worker.waitForWork([.mail], timeout: 30) }
            #expect(try await eventually { try await isBlocked(redis) })
            for kind in [JobKind.verify, .clean, .export, .transcribe] {
                let waiter = Task { await worker.waitForWork([kind], timeout: 20) }
                api.jobCommitted(kind)
                #expect(await seconds { await waiter.value } < 1)
            }
            #expect(await !long.isDone(within: 0.05))
            long.cancel()
        }
    }

    @Test("A4: FLUSHALL during a blocked read costs no later signal")
    func flush() async throws {
        let redis = try await PrivateRedis.start()
        let api = RedisJobSignals(client: try .to(redis), logger: .quiet)

        try await running(RedisJobSignals(client: try .to(redis), logger: .quiet)) { worker async throws in
            for _ in 0..<20 {
                let waiter = Task { await worker.waitForWork([.verify], timeout: 20) }
                #expect(try await eventually { try await isBlocked(redis) })

                try await redis.flush()
                api.jobCommitted(.verify)

                #expect(await seconds { await waiter.value } < 3)
            }
        }
    }

    @Test("A4: signals work again after Redis was away")
    func restart() async throws {
        let redis = try await PrivateRedis.start()
        let api = RedisJobSignals(client: try .to(redis), logger: .quiet)

        try await running(RedisJobSignals(client: try .to(redis), logger: .quiet)) { worker async throws in
            await worker.waitForWork([.verify], timeout: 0.1)
            try await redis.stop()
            #expect(await seconds { await worker.waitForWork([.verify], timeout: 0.3) } < 1)
            #expect(await seconds { for _ in 0..<1000 { api.jobCommitted(.clean) } } < 1)
            try await redis.start()

            let waiter = Task { await worker.waitForWork([.verify], timeout: 30) }
            #expect(
                await eventually(within: .seconds(10)) {
                    api.jobCommitted(.verify); return await waiter.isDone(within: 0.05)
                })
        }
    }

    @Test("a burst is coalesced and the streams stay bounded")
    func burst() async throws {
        let redis = try await PrivateRedis.start()
        let client = try RedisClient.to(redis)
        let api = RedisJobSignals(client: client, prefix: "other:", logger: .quiet)
        #expect(await client.ping())

        for _ in 0..<20_000 { api.jobCommitted(.verify) }

        #expect(await eventually { client.inFlight == 0 })
        let length = try #require(try await client.send("XLEN", "other:verify").int)
        #expect(length > 0 && length < 2000)
    }

    @Test("signals older than the last query for jobs wake no waiter")
    func stale() async throws {
        let redis = try await PrivateRedis.start()
        for _ in 0..<100 { try await redis.cli("XADD", "diary:wake:verify", "1-*", "k", "1") }

        try await running(RedisJobSignals(client: try .to(redis), logger: .quiet)) { worker async throws in
            #expect(await seconds { await worker.waitForWork([.verify], timeout: 0.5) } > 0.45)
        }
    }
}

private func isBlocked(_ redis: PrivateRedis) async throws -> Bool {
    try await redis.cli("INFO", "clients").contains("blocked_clients:1")
}

private func count(_ tasks: [Task<Void, Never>]) async -> Int {
    var done = 0
    for task in tasks where await task.isDone(within: 0.02) { done += 1 }
    return done
}

private func running(_ jobSignals: RedisJobSignals, _ body: (any JobSignals) async throws -> Void) async throws {
    // Ends with the test that started it.
    let service = Task { try await jobSignals.run() }
    defer { service.cancel() }
    try await body(jobSignals)
}

extension Task where Failure == Never, Success: Sendable {
    /// Whether it ends within so many seconds.
    func isDone(within limit: Double) async -> Bool {
        let waiters = SignalWaiters()
        // Ends with the task it watches; wakes the wait below.
        Task<Void, Never> {
            _ = await self.value
            waiters.wakeOrRemember(.mail)
        }
        return await seconds { await waiters.wait(for: [.mail], timeout: limit) } < limit
    }
}
