import DiaryCore
import DiaryCrypto
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization
import Testing

@testable import DiaryHTTP

/// A running server on a free port, with the table of `TestRoutes` unless a test brings its own.
struct Harness: Sendable {
    let port: Int
    let lines: Lines
    let connections: ConnectionTable
    /// The order to stop; returns when every connection has been told.
    var stop: @Sendable () async -> Void = {}

    /// One request on its own connection.
    func ask(_ method: String, _ target: String, headers: [String] = [], body: String? = nil) async throws -> Answer {
        let wire = try await Wire.open(port)
        try await wire.send(Self.request(method, target, headers: headers, body: body))
        let answer = try await wire.answer(toHead: method == "HEAD")
        await wire.close()
        return answer
    }

    /// Raw bytes on their own connection, and the first answer.
    func raw(_ text: String) async throws -> Answer {
        let wire = try await Wire.open(port)
        await wire.push(text)
        let answer = try await wire.answer()
        await wire.close()
        return answer
    }

    /// Waits until the log has so many lines with these words.
    func logged(_ words: String, times: Int = 1) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while lines.all.filter({ $0.contains(words) }).count < times {
            guard ContinuousClock.now < deadline else { throw WireError.tooLate }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Waits until the server sees so many connections that keep it waiting: in its first moments it sees none so.
    func sees(waiting number: Int) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while connections.all.filter({ $0.waitingSince != nil }).count < number {
            guard ContinuousClock.now < deadline else { throw WireError.tooLate }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    static func request(_ method: String, _ target: String, headers: [String] = [], body: String? = nil) -> String {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: diary.example"] + headers
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
    }
}

/// Log lines of one server.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    func append(_ line: [UInt8]) { lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }
    var all: [String] { lines.withLock { $0 } }
}

func withServer(
    routes: [Route] = TestRoutes.all, _ adjust: (inout RequestEnvironment) -> Void = { _ in },
    _ test: @escaping @Sendable (Harness) async throws -> Void
) async throws {
    let lines = Lines()
    let logger = Logger(label: "test") { label in JSONLogHandler(label: label) { lines.append($0) } }
    var environment = RequestEnvironment(tokens: TestTokens(), limiter: TestLimiter(), subjectKey: SecretBytes([UInt8](repeating: 7, count: 32)))
    // A test's own connections shall not make its server wait.
    environment.limits.drainWait = 0.05
    environment.limits.lingerSeconds = 0.5
    adjust(&environment)
    let (ports, bound) = AsyncStream.makeStream(of: Int.self)
    let (stopping, told) = AsyncStream.makeStream(of: Never.self)
    let server = HTTPServer.make(
        RouteTable(routes), at: .tcp(host: "127.0.0.1", port: 0), environment: environment, logger: logger,
        onBound: { if let port = $0 { bound.yield(port) } }, turnAway: { _ in told.finish() })
    let group = ServiceGroup(configuration: .init(services: [server], logger: Logger(label: "group") { _ in SwiftLogNoOpLogHandler() }))
    var wasBound = false
    try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
            defer { bound.finish() }
            try await group.run()
        }
        for await port in ports {
            let stop = { @Sendable in
                await group.triggerGracefulShutdown()
                for await _ in stopping {}
                // The connections were told by tasks of their loops.
                for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { try? await loop.submit {}.get() }
            }
            wasBound = true
            try await test(Harness(port: port, lines: lines, connections: server.table, stop: stop))
            break
        }
        await group.triggerGracefulShutdown()
    }
    #expect(wasBound)
}

struct TestTokens: AccessTokens {
    static let member = Member(tenant: TenantID(UUID()), user: UserID(UUID()), session: SessionID(UUID()))

    func issue(_ claims: AccessClaims, at now: Date) throws -> String { "good-token" }
    func verify(_ token: String, at now: Date) throws(TokenRefused) -> AccessClaims {
        guard token == "good-token" else { throw TokenRefused() }
        return AccessClaims(tenant: Self.member.tenant, user: Self.member.user, session: Self.member.session, expiresAt: now + 900)
    }
    var jwks: String { "{\"keys\":[]}" }
}

/// Counts per subject and policy, without time.
final class TestLimiter: RateLimiter {
    private let counts = Mutex<[String: Int]>([:])

    func charge(_ policies: [RatePolicy], subject: String) async -> [RateVerdict] {
        policies.map { policy in
            let used = counts.withLock { counts in
                counts[policy.name + subject, default: 0] += 1
                return counts[policy.name + subject] ?? 0
            }
            let limit =
                switch policy.shape {
                case .rate(let limit, _, _), .quota(let limit, _), .backoff(let limit, _, _): limit
                }
            return RateVerdict(
                policy: policy, allowed: used <= limit, remaining: max(0, limit - used), resetSeconds: 30,
                retryAfterSeconds: used <= limit ? 0 : 17)
        }
    }

    func refund(_ policies: [RatePolicy], subject: String) async {
        counts.withLock { counts in
            for policy in policies { counts[policy.name + subject, default: 0] -= 1 }
        }
    }

    /// Calls that count, whoever's.
    func used(_ policy: RatePolicy) -> Int {
        counts.withLock { $0.filter { $0.key.hasPrefix(policy.name) }.values.reduce(0, +) }
    }

    func forget(_ policy: RatePolicy, subject: String) async { counts.withLock { $0[policy.name + subject] = nil } }
}
