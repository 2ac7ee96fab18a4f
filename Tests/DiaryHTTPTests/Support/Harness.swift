import DiaryApp
import DiaryCore
import DiaryCrypto
import DiaryTesting
import FoundationEssentials
import HTTPListener
import Logging
import ServiceLifecycle
import Synchronization
import TestHTTPClient
import TestSupport
import Testing

@testable import DiaryHTTP

/// A running server on a free port, with the table of `TestRoutes` unless a test brings its own.
struct Harness: TestedServer {
    static let publicURL = "https://diary.example/api"

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
    var environment = RequestEnvironment(
        tokens: TestTokens(), limiter: CountingLimiter(), subjectKey: SecretBytes([UInt8](repeating: 7, count: 32)),
        publicURL: Harness.publicURL)
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
    let group = ServiceGroup(configuration: .init(services: [server], logger: .quiet))
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
