import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import TestHTTPClient
import TestSupport
import Testing

@testable import HTTPListener

/// A running listener on a free port that serves a `TestApplication`.
struct Harness: TestedServer {
    let port: Int
    let application: TestApplication
    let connections: ConnectionTable
    /// Orders the server to stop; returns when the listener and every connection have been told.
    var stop: @Sendable () async -> Void = {}

    /// Waits until the path was answered so often.
    func answered(_ path: String, times: Int = 1) async throws {
        try await until(within: .seconds(20)) { application.answers(to: path) >= times }
    }

    /// Waits until so many connections wait for their clients; a new one does not until its loop has polled the socket once.
    func sees(waiting number: Int) async throws {
        try await until(within: .seconds(20)) { connections.all.filter { $0.waitingSince != nil }.count >= number }
    }
}

/// What a test may change.
struct ListenerSettings {
    var limits = ListenerLimits()
    var trustedProxies = TrustedProxies.none
}

func withServer(
    _ adjust: (inout ListenerSettings) -> Void = { _ in }, _ test: @escaping @Sendable (Harness) async throws -> Void
) async throws {
    var settings = ListenerSettings()
    // Connections that a test leaves open must not delay the end of its server.
    settings.limits.drainWait = 0.05
    settings.limits.lingerSeconds = 0.5
    adjust(&settings)
    let logger = Logger.quiet
    let application = TestApplication()
    let (ports, bound) = AsyncStream.makeStream(of: Int.self)
    let (stopping, told) = AsyncStream.makeStream(of: Never.self)
    let server = HTTPServer(
        application, at: .tcp(host: "127.0.0.1", port: 0), limits: settings.limits, trusted: settings.trustedProxies, logger: logger,
        onBound: { port in
            // Runs with the server's task-local shutdown manager, whose handlers run in the order they came: the server's own is first.
            Task {
                try? await gracefulShutdown()
                told.finish()
            }
            if let port { bound.yield(port) }
        })
    let group = ServiceGroup(configuration: .init(services: [server], logger: logger))
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
                // The listener and the connections were told by tasks of their loops.
                for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { try? await loop.submit {}.get() }
            }
            wasBound = true
            try await test(Harness(port: port, application: application, connections: server.table, stop: stop))
            break
        }
        await group.triggerGracefulShutdown()
    }
    #expect(wasBound)
}
