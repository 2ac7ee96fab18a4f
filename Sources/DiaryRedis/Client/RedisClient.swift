package import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// A client with one connection. Commands are pipelined as they come; while Redis is unavailable they fail at once.
///
/// Usable from initialisation: it connects with the first command, and again after a loss.
/// A blocking command delays every command after it, so it needs a client of its own.
package final class RedisClient: Sendable, Service {
    package let endpoint: RedisEndpoint
    private let options: RedisOptions
    private let loop: any EventLoop
    private let inbox: RedisInbox
    private let link: NIOLoopBoundBox<RedisLink>

    package init(endpoint: RedisEndpoint, options: RedisOptions = RedisOptions(), logger: Logger) {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let inbox = RedisInbox(capacity: options.maximumInFlight)
        self.endpoint = endpoint
        self.options = options
        self.loop = loop
        self.inbox = inbox
        link = NIOLoopBoundBox.makeBoxSendingValue(
            RedisLink(endpoint: endpoint, options: options, loop: loop, inbox: inbox, logger: logger), eventLoop: loop)
    }

    deinit { close() }

    /// Keeps the client open until the process is asked to stop, then closes it.
    package func run() async throws {
        try? await gracefulShutdown()
        close()
    }

    /// Ends the connection; later commands fail with `.closed`.
    package func close() {
        inbox.setGate(.closed)
        loop.execute { [link] in link.value.close() }
    }

    /// - Parameter deadline: time allowed for the reply; the client's default when nil.
    package func send(_ command: [RedisArgument], deadline: Duration? = nil) async throws(RedisError) -> RedisValue {
        let result = await withCheckedContinuation { continuation in
            submit(command, deadline: deadline) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    package func send(_ words: RedisArgument...) async throws(RedisError) -> RedisValue {
        try await send(words)
    }

    /// True when Redis answers within the deadline.
    package func ping() async -> Bool {
        (try? await send(["PING"])) == .status("PONG")
    }

    /// Returns before the reply. `complete` runs once, on the event loop or, when the command is refused, on this thread.
    package func submit(_ command: [RedisArgument], deadline: Duration? = nil, _ complete: @escaping RedisCompletion) {
        guard let bytes = RedisCommandEncoder.encode(command) else { return complete(.failure(.unavailable)) }
        let end = NIODeadline.now() + TimeAmount(deadline ?? options.deadline)
        switch inbox.admit(RedisPendingCommand(bytes: bytes, deadline: end, complete: complete)) {
        case .refused(let error): complete(.failure(error))
        case .queued: break
        case .drainNow: loop.execute { [link] in link.value.drain() }
        }
    }

    package func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
        loop.scheduleTask(in: TimeAmount(delay), action)
    }

    /// Commands sent or waiting to be sent.
    var inFlight: Int { inbox.inFlight }
}

/// Limits of one Redis connection.
package struct RedisOptions: Sendable {
    /// Time allowed for a command without a deadline of its own.
    package var deadline: Duration = .milliseconds(500)
    package var connectTimeout: Duration = .seconds(1)
    /// Full jitter: each wait is random between the floor and a ceiling that doubles up to the cap.
    package var backoffFloor: Duration = .milliseconds(50)
    package var backoffCap: Duration = .seconds(5)
    package var maximumInFlight = 10_000
    /// Bytes of one reply on the wire.
    package var maximumReply = 32 << 20

    package init(
        deadline: Duration = .milliseconds(500), connectTimeout: Duration = .seconds(1), backoffFloor: Duration = .milliseconds(50),
        backoffCap: Duration = .seconds(5), maximumInFlight: Int = 10_000, maximumReply: Int = 32 << 20
    ) {
        self.deadline = deadline
        self.connectTimeout = connectTimeout
        self.backoffFloor = backoffFloor
        self.backoffCap = backoffCap
        self.maximumInFlight = maximumInFlight
        self.maximumReply = maximumReply
    }
}
