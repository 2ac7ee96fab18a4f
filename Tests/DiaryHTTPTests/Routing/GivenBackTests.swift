import DiaryTesting
import FoundationEssentials
import HTTPTypes
import Synchronization
import TestHTTPClient
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryHTTP

/// Refunds: calls of sessions that have ended, and quotas of calls that failed.
@Suite("Refunded limits") struct GivenBackTests {
    private static let rate = RatePolicy(name: "some", shape: .rate(limit: 10, window: 60, burst: 10))
    private static let daily = RatePolicy(name: "daily", shape: .quota(limit: 5, window: 86_400))

    private func routes(_ runs: Counter, _ answer: @escaping @Sendable () throws -> Reply) -> [Route] {
        [
            Route(.get, "/v1/counted", limits: [Self.rate, Self.daily]) { (_: MemberContext) -> Reply in
                runs.add()
                return try answer()
            },
            Route(.get, "/v1/anonymous", limits: [Self.rate, Self.daily]) { (_: AnonymousContext) -> Reply in
                runs.add()
                return try answer()
            },
        ]
    }

    @Test("an ended session's calls cost nothing of its owner's limits, and the handler runs once")
    func ended() async throws {
        let limiter = CountingLimiter()
        let runs = Counter()
        try await withServer(routes: routes(runs) { throw DiaryError.unauthorized }, { $0.limiter = limiter }) {
            (server: Harness) async throws in
            let first = try await server.ask("GET", "/v1/counted", headers: [RouteTests.member])
            ProblemTests.expectShape(first, 401, "unauthorized")
            #expect(first.header("ratelimit") == "\"some\";r=10;t=30, \"daily\";r=5;t=30")

            for _ in 0..<20 {
                let next = try await server.ask("GET", "/v1/counted", headers: [RouteTests.member])
                ProblemTests.expectShape(next, 401, "unauthorized")
                #expect(next.header("ratelimit") == nil)
            }
            #expect(limiter.used(Self.rate) == 0 && limiter.used(Self.daily) == 0)
            #expect(runs.count == 1)
        }
    }

    @Test("after a minute an ended session is checked in the database again")
    func askedAgain() async throws {
        let runs = Counter()
        let minutes = Counter()
        let start = Date(timeIntervalSince1970: 1_783_150_200)
        try await withServer(
            routes: routes(runs) { throw DiaryError.unauthorized }, { $0.clock = WallClock { start + 60 * Double(minutes.count) } }
        ) { (server: Harness) async throws in
            for _ in 0..<2 { #expect(try await server.ask("GET", "/v1/counted", headers: [RouteTests.member]).status == 401) }
            minutes.add()
            for _ in 0..<2 { #expect(try await server.ask("GET", "/v1/counted", headers: [RouteTests.member]).status == 401) }
            #expect(runs.count == 2)
        }
    }

    @Test("a failed call is refunded to a quota and not to a rate")
    func failed() async throws {
        let limiter = CountingLimiter()
        let runs = Counter()
        try await withServer(routes: routes(runs) { throw DiaryError.invalid("/text", "is required") }, { $0.limiter = limiter }) {
            (server: Harness) async throws in
            for number in 1...7 {
                let answer = try await server.ask("GET", "/v1/counted", headers: [RouteTests.member])
                ProblemTests.expectShape(answer, 422, "invalid_fields")
                #expect(answer.header("ratelimit") == "\"some\";r=\(10 - number);t=30, \"daily\";r=5;t=30")
            }
            #expect(limiter.used(Self.rate) == 7 && limiter.used(Self.daily) == 0)
        }
    }

    @Test("a refusal for another reason is not cached as an ended session")
    func otherRefusals() async throws {
        let limiter = CountingLimiter()
        let runs = Counter()
        try await withServer(routes: routes(runs) { throw DiaryError(.invalidCredentials) }, { $0.limiter = limiter }) {
            (server: Harness) async throws in
            for _ in 0..<3 {
                #expect(try await server.ask("GET", "/v1/counted", headers: [RouteTests.member]).code == "invalid_credentials")
            }
            #expect(limiter.used(Self.rate) == 3 && limiter.used(Self.daily) == 0)
            #expect(runs.count == 3)
        }
    }

    @Test("a call that was answered stays charged")
    func answered() async throws {
        let limiter = CountingLimiter()
        let runs = Counter()
        try await withServer(routes: routes(runs) { .noContent }, { $0.limiter = limiter }) { (server: Harness) async throws in
            _ = try await server.ask("GET", "/v1/counted", headers: [RouteTests.member])
            let second = try await server.ask("GET", "/v1/counted", headers: [RouteTests.member])

            #expect(second.header("ratelimit") == "\"some\";r=8;t=30, \"daily\";r=3;t=30")
            #expect(limiter.used(Self.rate) == 2 && limiter.used(Self.daily) == 2)
        }
    }

    @Test("a repeated answer costs a read instead of what it repeats; over the limit of reads it stays charged")
    func replayed() async throws {
        let limiter = CountingLimiter()
        let reads = RatePolicy(name: "reads", shape: .rate(limit: 3, window: 60, burst: 3))
        let route = Route(.post, "/v1/made", limits: [Self.rate, Self.daily], replays: [reads]) { (context: MemberContext) -> Reply in
            Reply.noContent.replayed(try context.idempotencyKey() != nil)
        }
        try await withServer(routes: [route], { $0.limiter = limiter }) { (server: Harness) async throws in
            let headers = [RouteTests.member, "Idempotency-Key: k"]
            _ = try await server.ask("POST", "/v1/made", headers: [RouteTests.member])
            for _ in 0..<3 {
                let again = try await server.ask("POST", "/v1/made", headers: headers)
                #expect(again.header("idempotency-replayed") == "true")
                #expect(again.header("ratelimit") == "\"some\";r=9;t=30, \"daily\";r=4;t=30")
            }
            #expect(limiter.used(Self.rate) == 1 && limiter.used(Self.daily) == 1 && limiter.used(reads) == 3)

            let more = try await server.ask("POST", "/v1/made", headers: headers)
            #expect(more.status == 204 && limiter.used(Self.rate) == 2 && limiter.used(Self.daily) == 2)
        }
    }

    @Test("over its limits a request with an idempotency key may only repeat an answer, and costs a read; one without is refused")
    func replayedOverTheLimit() async throws {
        let limiter = CountingLimiter()
        let runs = Counter()
        let none = RatePolicy(name: "none", shape: .quota(limit: 0, window: 86_400))
        let reads = RatePolicy(name: "reads", shape: .rate(limit: 3, window: 60, burst: 3))
        let route = Route(.post, "/v1/made", limits: [none], replays: [reads]) { (context: MemberContext) -> Reply in
            runs.add()
            #expect(!context.exchange.mayCreate)
            guard try context.idempotencyKey() == "known" else { throw DiaryError(.rateLimited) }
            return Reply.noContent.replayed(true)
        }
        try await withServer(routes: [route], { $0.limiter = limiter }) { (server: Harness) async throws in
            ProblemTests.expectShape(try await server.ask("POST", "/v1/made", headers: [RouteTests.member]), 429, "rate_limited")
            #expect(runs.count == 0)
            let known = try await server.ask("POST", "/v1/made", headers: [RouteTests.member, "Idempotency-Key: known"])
            #expect(known.status == 204 && known.header("ratelimit") == "\"none\";r=0;t=30")
            let unknown = try await server.ask("POST", "/v1/made", headers: [RouteTests.member, "Idempotency-Key: other"])
            ProblemTests.expectShape(unknown, 429, "rate_limited")
            #expect(unknown.header("retry-after") == "17" && runs.count == 2 && limiter.used(reads) == 2)

            for _ in 0..<5 { _ = try await server.ask("POST", "/v1/made", headers: [RouteTests.member, "Idempotency-Key: known"]) }
            #expect(runs.count == 3, "as many as reads are left")
        }
    }

    @Test("a refusal by a limit refunds nothing")
    func refused() async throws {
        let limiter = CountingLimiter()
        let runs = Counter()
        try await withServer(routes: routes(runs) { .noContent }, { $0.limiter = limiter }) { (server: Harness) async throws in
            for _ in 0..<5 { #expect(try await server.ask("GET", "/v1/counted", headers: [RouteTests.member]).status == 204) }
            let sixth = try await server.ask("GET", "/v1/counted", headers: [RouteTests.member])

            ProblemTests.expectShape(sixth, 429, "rate_limited")
            #expect(sixth.header("ratelimit") == "\"some\";r=4;t=30, \"daily\";r=0;t=30")
            // This limiter counts what it refuses, too.
            #expect(limiter.used(Self.daily) == 6)
            #expect(runs.count == 5)
        }
    }

    @Test("an anonymous caller is charged for every call", arguments: [DiaryError.unauthorized, .invalid("/text", "is required")])
    func anonymous(error: DiaryError) async throws {
        let limiter = CountingLimiter()
        let runs = Counter()
        try await withServer(routes: routes(runs) { throw error }, { $0.limiter = limiter }) { (server: Harness) async throws in
            for _ in 0..<3 { #expect(try await server.ask("GET", "/v1/anonymous").code == error.code.rawValue) }
            #expect(limiter.used(Self.rate) == 3 && limiter.used(Self.daily) == 3)
            #expect(runs.count == 3)
        }
    }
}

@Suite("Ended sessions") struct RecentMembersTests {
    private let start = Date(timeIntervalSince1970: 1_783_150_200)

    @Test("an ended session is cached for a minute, and no other with it")
    func memory() {
        let ended = RecentMembers()
        let session = Member.random
        ended.remember(session, at: start)

        #expect(ended.holds(session, at: start) && ended.holds(session, at: start + 59.9))
        #expect(!ended.holds(session, at: start + 60))
        #expect(!ended.holds(Member.random, at: start))
    }

    @Test("their number is bounded; the newest stay")
    func bounded() {
        let ended = RecentMembers(maximum: 100)
        let sessions = (0..<1000).map { _ in Member.random }
        for session in sessions { ended.remember(session, at: start) }

        #expect(ended.count <= 100)
        #expect(sessions.suffix(50).allSatisfy { ended.holds($0, at: start) })
        #expect(!sessions.prefix(900).contains { ended.holds($0, at: start) })
    }
}

extension Member {
    fileprivate static var random: Member { Member(tenant: TenantID(UUID()), user: UserID(UUID()), session: SessionID(UUID())) }
}
