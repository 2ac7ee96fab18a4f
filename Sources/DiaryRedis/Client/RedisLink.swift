import Logging
import NIOCore
import NIOPosix

/// One connection: connects at the first command, signs in, reconnects after a loss. Used on the event loop only.
final class RedisLink {
    private enum Phase {
        case idle
        case connecting
        case up(RedisChannelHandler, since: NIODeadline)
        case backingOff
        case closed
    }

    /// A server without a reply for this long after a deadline counts as lost, and the connection is closed.
    private static let silence: TimeAmount = .milliseconds(1500)
    /// A connection lost sooner than this counts as a failed attempt, so that there is no tight loop of reconnects.
    private static let settled: TimeAmount = .seconds(1)
    /// A key that is never written, so that `DEL` is a write command without an effect. Among the service's own keys, as a user of Redis may
    /// be confined to those.
    private static let absentKey: RedisArgument = "diary:absent"

    private let endpoint: RedisEndpoint
    private let options: RedisOptions
    private let loop: any EventLoop
    private let inbox: RedisInbox
    private let logger: Logger
    private var phase = Phase.idle
    private var attempt = 0
    /// The server was a replica: it is connected to again, and used once it takes writes.
    private var isReadOnly = false
    private var handler: RedisChannelHandler?
    /// Commands submitted during the first attempt.
    private var held: [RedisPendingCommand] = []
    private var isTicking = false

    init(endpoint: RedisEndpoint, options: RedisOptions, loop: any EventLoop, inbox: RedisInbox, logger: Logger) {
        self.endpoint = endpoint
        self.options = options
        self.loop = loop
        self.inbox = inbox
        self.logger = logger
    }

    /// Takes the commands in the inbox.
    func drain() {
        let commands = inbox.take()
        guard !commands.isEmpty else { return }
        switch phase {
        case .idle:
            held += commands
            connect()
        case .connecting where attempt == 0: held += commands
        case .up(let handler, _): handler.write(commands)
        case .connecting, .backingOff: fail(commands, .unavailable)
        case .closed: fail(commands, .closed)
        }
        tick()
    }

    func close() {
        if case .closed = phase { return }
        phase = .closed
        inbox.setGate(.closed)
        fail(takeHeld() + inbox.take(), .closed)
        handler?.close()
        handler = nil
    }

    private func connect() {
        phase = .connecting
        guard let reader = RedisReplyReader(maximumReply: options.maximumReply) else { return failed(.unavailable) }
        let handler = RedisChannelHandler(
            reader: reader, onSlotsFreed: { [inbox] in inbox.release($0) },
            onReadOnly: { [weak self] in self?.refusedWrite() },
            onClosed: { [weak self] in self?.lost() })
        self.handler = handler
        let bound = NIOLoopBound(handler, eventLoop: loop)
        let bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(options.connectTimeout))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(bound.value) }
            }
        let connected =
            switch endpoint.address {
            case .tcp(let host, let port): bootstrap.connect(host: host, port: port)
            case .unixSocket(let path): bootstrap.connect(unixDomainSocketPath: path)
            }
        connected.assumeIsolated().whenComplete { [weak self] result in
            guard let self else { return handler.close() }
            switch result {
            case .success: self.greet(handler)
            case .failure: self.failed(.unavailable)
            }
        }
    }

    /// Sends AUTH, SELECT, and a PING that proves that the server answers (it may be loading, or stopped with its socket open).
    private func greet(_ handler: RedisChannelHandler) {
        guard case .connecting = phase, self.handler === handler else { return handler.close() }
        var greeting: [[RedisArgument]] = []
        if let password = endpoint.password {
            greeting.append(["AUTH"] + (endpoint.user.map { [RedisArgument($0)] } ?? []) + [RedisArgument(password)])
        }
        if endpoint.database != 0 { greeting.append(["SELECT", RedisArgument(endpoint.database)]) }
        let deadline = NIODeadline.now() + TimeAmount(options.connectTimeout)
        let bound = NIOLoopBound(self, eventLoop: loop)
        var commands = greeting.compactMap { words in
            RedisCommandEncoder.encode(words).map { bytes in
                RedisPendingCommand(bytes: bytes, deadline: deadline) { result in
                    if case .failure(let error) = result { bound.value.failed(error) }
                }
            }
        }
        guard commands.count == greeting.count, let ping = RedisCommandEncoder.encode(["PING"]) else { return failed(.unavailable) }
        // A replica's answer comes by `onReadOnly`. Any other one, such as that this user may not touch the key, does not matter.
        if isReadOnly, let write = RedisCommandEncoder.encode(["DEL", Self.absentKey]) {
            commands.append(RedisPendingCommand(bytes: write, deadline: deadline) { _ in })
        }
        commands.append(
            RedisPendingCommand(bytes: ping, deadline: deadline) { result in
                switch result {
                case .success: bound.value.succeeded()
                case .failure(let error): bound.value.failed(error)
                }
            })
        inbox.reserve(commands.count)
        handler.write(commands)
        tick()
    }

    private func succeeded() {
        guard case .connecting = phase, let handler else { return }
        phase = .up(handler, since: .now())
        isReadOnly = false
        inbox.setGate(.open)
        if attempt > 0 { logger.info("redis connection is back") }
        let commands = takeHeld()
        if !commands.isEmpty { handler.write(commands) }
    }

    /// The server is a replica, after a failover of Redis for example: nothing of the service works with it. Its address may lead to the new
    /// primary, so it is connected to again, at growing intervals; one line of the log, and commands fail at once meanwhile.
    private func refusedWrite() {
        switch phase {
        case .up(_, let since): if NIODeadline.now() - since >= Self.settled { attempt = 0 }
        case .connecting: break
        case .idle, .backingOff, .closed: return
        }
        isReadOnly = true
        backOff(.server(code: RedisError.readOnlyCode))
    }

    /// Ends the current attempt. Later failures of the same attempt change nothing.
    private func failed(_ reason: RedisError) {
        guard case .connecting = phase else { return }
        backOff(reason)
    }

    /// The handler has closed: the server closed, the bytes were no Redis reply, or `silence` has passed.
    private func lost() {
        switch phase {
        case .connecting: backOff(.unavailable)
        case .up(_, let since):
            handler = nil
            if NIODeadline.now() - since < Self.settled { return backOff(.unavailable) }
            attempt = 0
            connect()
        case .idle, .backingOff, .closed: break
        }
    }

    private func backOff(_ reason: RedisError) {
        phase = .backingOff
        let isReplica = reason == .server(code: RedisError.readOnlyCode)
        if !isReplica { isReadOnly = false }
        inbox.setGate(.down(isReplica ? reason : .unavailable))
        if attempt == 0 { logger.warning("redis is unavailable", metadata: ["reason": "\(reason)"]) }
        // Only the waiting commands fail with a refused sign-in; later ones fail with `.unavailable`.
        let told: RedisError = if case .server = reason { reason } else { .unavailable }
        fail(takeHeld() + inbox.take(), told)
        let abandoned = handler
        handler = nil
        abandoned?.close()

        let floor = TimeAmount(options.backoffFloor).nanoseconds
        let ceiling = min(TimeAmount(options.backoffCap).nanoseconds, floor << Int64(min(attempt + 1, 16)))
        attempt += 1
        let wait = Int64.random(in: floor...max(floor, ceiling))
        loop.assumeIsolated().scheduleTask(in: .nanoseconds(wait)) { [weak self] in
            guard let self, case .backingOff = self.phase else { return }
            self.connect()
        }
    }

    private func takeHeld() -> [RedisPendingCommand] {
        defer { held = [] }
        return held
    }

    private func fail(_ commands: [RedisPendingCommand], _ error: RedisError) {
        guard !commands.isEmpty else { return }
        for command in commands { command.complete(.failure(error)) }
        inbox.release(commands.count)
    }

    /// One timer for all deadlines; it runs only while something is in flight. A timer per command would cost more than the command.
    private func tick() {
        guard !isTicking else { return }
        isTicking = true
        let step = min(max(TimeAmount(options.deadline).nanoseconds / 25, 5_000_000), 200_000_000)
        loop.assumeIsolated().scheduleTask(in: .nanoseconds(step)) { [weak self] in
            guard let self else { return }
            self.isTicking = false
            self.expire()
            if !self.held.isEmpty || (self.handler?.inFlight ?? 0) > 0 { self.tick() }
        }
    }

    private func expire() {
        let now = NIODeadline.now()
        let late = held.filter { $0.deadline <= now }
        held.removeAll { $0.deadline <= now }
        fail(late, .timeout)
        guard let handler else { return }
        handler.expire(now)
        if let oldest = handler.oldestDeadline, oldest + Self.silence < now { handler.close() }
    }
}
