import CurlTransfer
import TestPeers
import TestSupport
import Testing

@Suite("Deadlines, cancelling, closing", .serialized)
struct DeadlineTests {
    @Test("each deadline ends a transfer", .timeLimit(.minutes(1)))
    func deadlines() async throws {
        let fixtures = try await TransferFixtures()
        let short = TransferDeadlines(connect: .seconds(20), total: .milliseconds(300), stall: .seconds(20))
        let stall = TransferDeadlines(connect: .seconds(20), total: .seconds(20), stall: .seconds(1))
        let connect = TransferDeadlines(connect: .milliseconds(300), total: .seconds(20), stall: .seconds(20))
        let begin = ContinuousClock.now

        await fixtures.expect(.timedOut) { _ = try await fixtures.get("/hang", deadlines: short) }
        await fixtures.expect(.timedOut) { _ = try await fixtures.get("/slow", deadlines: short) }
        await fixtures.expect(.timedOut) { _ = try await fixtures.get("/hang", deadlines: stall) }
        await fixtures.expect(.timedOut) { _ = try await fixtures.get("/drip", deadlines: stall) }
        let silent = "http://127.0.0.1:\(fixtures.server.port("silent"))/"
        await fixtures.expect(.timedOut) {
            _ = try await fixtures.transfers.collect(TransferRequest(.get, silent, deadlines: connect), maximumBytes: 1)
        }

        #expect(ContinuousClock.now - begin < .seconds(15))
        try await until { fixtures.transfers.runningCount == 0 }
    }

    @Test("a slow reader is not a stall")
    func pausedIsNoStall() async throws {
        let fixtures = try await TransferFixtures()
        let deadlines = TransferDeadlines(total: .seconds(50), stall: .seconds(2))

        let count = try await fixtures.transfers.withResponse(
            TransferRequest(.get, fixtures.base + "/bytes?5000000", deadlines: deadlines)
        ) { _, body in
            var count = 0
            for try await chunk in body {
                // Longer than the stall deadline, once, with the response paused.
                if count == 0 { try await Task.sleep(for: .milliseconds(4500)) }
                count += chunk.count
            }
            return count
        }

        #expect(count == 5_000_000)
    }

    @Test("a port without a listener is couldNotConnect")
    func refused() async throws {
        let fixtures = try await TransferFixtures()

        await fixtures.expect(.couldNotConnect) {
            _ = try await fixtures.transfers.collect(TransferRequest(.get, "http://127.0.0.1:1/"), maximumBytes: 1)
        }
    }

    @Test("cancelling the task ends the transfer at once", .timeLimit(.minutes(1)))
    func cancel() async throws {
        let fixtures = try await TransferFixtures()
        let tasks = (0..<20).map { number in Task { try await fixtures.get(number % 2 == 0 ? "/hang" : "/slow") } }
        try await fixtures.server.wait(for: "request", count: 20)
        #expect(fixtures.transfers.runningCount == 20)

        for task in tasks { task.cancel() }

        for task in tasks { await fixtures.expect(.cancelled) { _ = try await task.value } }
        try await until { fixtures.transfers.runningCount == 0 }
        try await fixtures.server.wait(for: "closed", count: 20)
        #expect(try await fixtures.get("/bytes?1").status == 200, "and the others go on")
    }

    @Test("a task that is already cancelled sends nothing")
    func cancelledBefore() async throws {
        let fixtures = try await TransferFixtures()

        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await fixtures.get("/bytes?1")
        }

        await fixtures.expect(.cancelled) { _ = try await task.value }
        try await until { fixtures.transfers.runningCount == 0 }
    }

    @Test("closing waits for running transfers, refuses new ones, ends the rest after the grace", .timeLimit(.minutes(1)))
    func close() async throws {
        let fixtures = try await TransferFixtures(name: "curl-close")
        let hanging = Task { try await fixtures.get("/hang") }
        let running = Task { try await fixtures.get("/bytes?3000000", maximumBytes: 3_000_000) }
        try await fixtures.server.wait(for: "request", count: 2)
        let begin = ContinuousClock.now

        await fixtures.transfers.close(within: .milliseconds(1500))

        #expect(ContinuousClock.now - begin < .seconds(5))
        #expect(try await running.value.body.count == 3_000_000)
        await fixtures.expect(.cancelled) { _ = try await hanging.value }
        await fixtures.expect(.cancelled) { _ = try await fixtures.get("/bytes?1") }
        try await until { ThreadTime.ticks("curl-close") == -1 }
    }

    @Test("the thread ends with its owner")
    func deinitialised() async throws {
        do {
            let fixtures = try await TransferFixtures(name: "curl-deinit")
            #expect(try await fixtures.get("/bytes?1").status == 200)
            #expect(ThreadTime.ticks("curl-deinit") >= 0)
        }
        try await until { ThreadTime.ticks("curl-deinit") == -1 }
    }
}
