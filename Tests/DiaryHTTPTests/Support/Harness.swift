import DiaryCore
import DiaryCrypto
import FoundationEssentials
import HTTPListener
import JSONLogging
import Logging
import ServiceLifecycle
import Synchronization
import TestHTTPClient
import Testing

@testable import DiaryHTTP

/// A running server on a free port, with the table of `TestRoutes` unless a test brings its own.
struct Harness: TestedServer {
    let port: Int
    let lines: Lines
}

/// Log lines of one server.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    func append(_ line: [UInt8]) { lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }
    var all: [String] { lines.withLock { $0 } }
}

func withServer(
    routes: [Route] = TestRoutes.all, limits adjustLimits: (inout ListenerLimits) -> Void = { _ in },
    _ adjust: (inout RequestEnvironment) -> Void = { _ in },
    _ test: @escaping @Sendable (Harness) async throws -> Void
) async throws {
    let lines = Lines()
    let logger = Logger(label: "test") { label in JSONLogHandler(label: label) { lines.append($0) } }
    var environment = RequestEnvironment(tokens: TestTokens(), limiter: TestLimiter(), subjectKey: SecretBytes([UInt8](repeating: 7, count: 32)))
    adjust(&environment)
    var limits = ListenerLimits()
    // Connections that a test leaves open must not delay the end of its server.
    limits.drainWait = 0.05
    limits.lingerSeconds = 0.5
    adjustLimits(&limits)
    let (ports, bound) = AsyncStream.makeStream(of: Int.self)
    let server = HTTPServer(
        Dispatcher(table: RouteTable(routes), environment: environment, logger: logger), at: .tcp(host: "127.0.0.1", port: 0),
        limits: limits, trusted: environment.trustedProxies, logger: logger, onBound: { if let port = $0 { bound.yield(port) } })
    let group = ServiceGroup(configuration: .init(services: [server], logger: Logger(label: "group") { _ in SwiftLogNoOpLogHandler() }))
    var wasBound = false
    try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
            defer { bound.finish() }
            try await group.run()
        }
        for await port in ports {
            wasBound = true
            try await test(Harness(port: port, lines: lines))
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

    /// Calls that are charged, of all subjects.
    func used(_ policy: RatePolicy) -> Int {
        counts.withLock { $0.filter { $0.key.hasPrefix(policy.name) }.values.reduce(0, +) }
    }

    func forget(_ policy: RatePolicy, subject: String) async { counts.withLock { $0[policy.name + subject] = nil } }
}
