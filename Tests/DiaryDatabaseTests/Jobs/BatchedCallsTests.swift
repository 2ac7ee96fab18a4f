import PostgresClient
import TestSupport
import Testing

@testable import DiaryDatabase

@Suite("Calls in batches", .timeLimit(.minutes(1)))
struct BatchedCallsTests {
    /// Answers a number with its double, and notes what was sent.
    private static func doubling(_ sent: Shared<[[Int]]>, failing: DatabaseError? = nil) -> BatchedCalls<Int, Int> {
        BatchedCalls { numbers throws(DatabaseError) in
            sent.change { $0.append(numbers) }
            if let failing { throw failing }
            return numbers.map { $0 * 2 }
        }
    }

    @Test("a call that comes alone is not sent")
    func alone() async throws {
        let sent = Shared<[[Int]]>([])
        let calls = Self.doubling(sent)

        for number in 0..<3 { #expect(try await calls.answer(number) == nil) }

        #expect(sent.now.isEmpty)
    }

    /// Makes two calls at a time until two have met.
    /// - Returns: the answers or errors of those two.
    private static func met(
        _ calls: BatchedCalls<Int, Int>, _ sent: Shared<[[Int]]>
    ) async throws -> [Result<Int?, DatabaseError>] {
        var results: [Result<Int?, DatabaseError>] = []
        while sent.now.isEmpty {
            results = try await parallel(2) { number in
                do throws(DatabaseError) { return .success(try await calls.answer(number)) } catch { return .failure(error) }
            }
        }
        return results
    }

    @Test("each call of many gets its own answer, and none is sent twice or with more than 64")
    func many() async throws {
        let sent = Shared<[[Int]]>([])
        let calls = Self.doubling(sent)
        #expect(try await Self.met(calls, sent) == [.success(0), .success(2)])
        sent.set([])

        let answers = try await parallel(1_000) { try await calls.answer($0) }

        let together = Set(sent.now.joined())
        #expect(together.count == sent.now.map(\.count).reduce(0, +))
        #expect(sent.now.allSatisfy { (2...64).contains($0.count) })
        for (number, answer) in answers.enumerated() { #expect(answer == (together.contains(number) ? number * 2 : nil)) }
    }

    @Test("calls that come while others are under way go together")
    func next() async throws {
        let (sent, gate) = (Shared<[[Int]]>([]), Shared(false))
        let calls = BatchedCalls<Int, Int> { numbers throws(DatabaseError) in
            sent.change { $0.append(numbers) }
            while !gate.now { await Task.yield() }
            return numbers
        }

        let first = Task { try await Self.met(calls, sent) }
        try await until { !sent.now.isEmpty }
        // Each runs until it waits before the next one is made.
        let others = (100..<110).map { number in Task.immediate { try await calls.answer(number) } }
        gate.set(true)
        #expect(try await first.value == [.success(0), .success(1)])

        for (number, other) in zip(100..<110, others) { #expect(try await other.value == number) }
        #expect(sent.now.map { $0.sorted() } == [[0, 1], Array(100..<110)])
    }

    @Test(
        "when the server answers with an error, each call is made by itself",
        arguments: [
            DatabaseError(.constraint("a"), sqlstate: "23505"), DatabaseError(.raised(code: "DI410"), sqlstate: "DI410"),
            DatabaseError(.timeout, sqlstate: "57014"), DatabaseError(.serialization, sqlstate: "40P01"), DatabaseError(.encoding),
        ])
    func refused(error: DatabaseError) async throws {
        let sent = Shared<[[Int]]>([])

        #expect(try await Self.met(Self.doubling(sent, failing: error), sent) == [.success(nil), .success(nil)])
    }

    @Test(
        "an outcome that is not known is told to all, and so is a database that cannot be asked",
        arguments: [
            DatabaseError(.unavailable, outcomeUnknown: true), DatabaseError(.unavailable, sqlstate: "57P01", outcomeUnknown: true),
            DatabaseError(.timeout), DatabaseError(.closed),
        ])
    func unknown(error: DatabaseError) async throws {
        let sent = Shared<[[Int]]>([])

        #expect(try await Self.met(Self.doubling(sent, failing: error), sent) == [.failure(error), .failure(error)])
    }

    @Test("while a batch is under way for long, no call waits for it")
    func silent() async throws {
        let (sent, gate) = (Shared<[[Int]]>([]), Shared(false))
        let calls = BatchedCalls<Int, Int>(patience: .zero) { numbers throws(DatabaseError) in
            sent.change { $0.append(numbers) }
            while !gate.now { await Task.yield() }
            return numbers
        }
        let first = Task { try await Self.met(calls, sent) }
        try await until { !sent.now.isEmpty }

        #expect(try await calls.answer(7) == nil)

        gate.set(true)
        #expect(try await first.value == [.success(0), .success(1)])
    }

    @Test("a call whose task is cancelled does not stop the others'")
    func cancelled() async throws {
        let sent = Shared<[[Int]]>([])
        let calls = Self.doubling(sent)

        let answers = try await parallel(200) { number in
            let call = Task { try await calls.answer(number) }
            if number % 2 == 0 { call.cancel() }
            return try await call.value
        }

        let together = Set(sent.now.joined())
        for (number, answer) in answers.enumerated() { #expect(answer == (together.contains(number) ? number * 2 : nil)) }
    }
}
