package import DiaryCore

/// Breakers that all processes share, by Redis' clock. While Redis is unavailable or slow each process has its own, which know what this
/// process has seen.
package struct RedisBreakers: EngineBreakers {
    /// An engine's call takes seconds: a longer wait would not be worth it.
    private static let deadline = Duration.milliseconds(200)

    let client: RedisClient
    let policy: BreakerPolicy
    let local: LocalBreakers
    let jitter: @Sendable () -> Double

    package init(
        client: RedisClient, _ policy: BreakerPolicy, local: LocalBreakers? = nil,
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) {
        self.client = client
        self.policy = policy
        self.local = local ?? LocalBreakers(policy)
        self.jitter = jitter
    }

    package func admit(_ engine: EngineKey, probeSeconds: Double) async -> BreakerVerdict {
        let arguments = [probeSeconds, policy.baseSeconds, policy.capSeconds].map(Self.milliseconds)
        guard let reply = try? await run(BreakerScript.admit, engine, arguments), let numbers = Self.numbers(reply, count: 3) else {
            return await local.admit(engine, probeSeconds: probeSeconds)
        }
        switch numbers[0] {
        case 1: return .admitted
        case 2: return .probe
        default:
            let (seconds, isRefused) = (max(Double(numbers[1]) / 1_000, 0.001), numbers[2] == 1)
            local.hold(engine, seconds: seconds, isRefused: isRefused)
            return .open(after: seconds, isRefused: isRefused)
        }
    }

    package func ended(_ engine: EngineKey, _ ending: BreakerEnding) async -> BreakerChange {
        let own = await local.ended(engine, ending)
        let (word, after): (String, Double?) =
            switch ending {
            case .answered: ("answered", nil)
            case .failed(let retryAfter): ("failed", BreakerPolicy.bounded(retryAfter))
            case .refused: ("refused", nil)
            case .unused: ("unused", nil)
            }
        let arguments =
            [RedisArgument(word), after.map(Self.milliseconds) ?? -1, RedisArgument("\(jitter())"), RedisArgument(policy.failures)]
            + [policy.baseSeconds, policy.capSeconds, policy.refusedSeconds].map(Self.milliseconds)
        switch (try? await run(BreakerScript.end, engine, arguments))?.int {
        case 0: return .none
        case 1: return .opened
        case 2: return .refused
        case 3: return .closed
        default: return own
        }
    }

    /// Those that are open or have been refused, in no order. For operators: a scan over all keys, page by page.
    package static func open(on client: RedisClient) async throws(RedisError) -> [OpenBreaker] {
        var found: [OpenBreaker] = []
        for (name, engine) in try await engines(on: client) {
            let reply = try await BreakerScript.read.run(on: client, keys: [RedisArgument(name)], arguments: [])
            guard let numbers = numbers(reply, count: 4), numbers[0] > 0 || numbers[3] > 0 else { continue }
            found.append(
                OpenBreaker(
                    engine: engine, isRefused: numbers[2] == 1, failures: Int(clamping: numbers[1]), seconds: Double(numbers[0]) / 1_000))
        }
        return found
    }

    /// Lets all engines be asked again at once: an operator has mended what was wrong, and the settings are the same.
    /// - Parameter app: only the engines of its own; nil for all.
    /// - Returns: those that were open.
    package static func forgetAll(on client: RedisClient, of app: TenantID? = nil) async throws(RedisError) -> [OpenBreaker] {
        let forgotten = try await open(on: client).filter { app == nil || $0.engine.app == app }
        for (name, engine) in try await engines(on: client) where app == nil || engine.app == app {
            _ = try await client.send(["DEL", RedisArgument(name)])
        }
        return forgotten
    }

    /// Each once, by its key.
    private static func engines(on client: RedisClient) async throws(RedisError) -> [String: EngineKey] {
        var found: [String: EngineKey] = [:]
        var cursor = "0"
        // The server ends the scan; the bound is far beyond any server's number of pages.
        for _ in 0..<1_000_000 {
            let page = try await client.send(["SCAN", RedisArgument(cursor), "MATCH", "brk:*", "COUNT", 1000])
            guard let parts = page.array, parts.count == 2, let next = parts[0].text else { throw .protocolError }
            // A scan may name a key twice.
            for name in (parts[1].array ?? []).compactMap(\.text) { found[name] = engine(name) }
            if next == "0" { break }
            cursor = next
        }
        return found
    }

    private func run(_ script: RedisScript, _ engine: EngineKey, _ arguments: [RedisArgument]) async throws(RedisError) -> RedisValue {
        try await script.run(on: client, keys: [RedisArgument(Self.key(engine))], arguments: arguments, deadline: Self.deadline)
    }

    /// `brk:{<app>}:<stage>:<name>:<revision>`, with `-` for the process's own.
    static func key(_ engine: EngineKey) -> String {
        "brk:{\(engine.app?.description ?? "-")}:\(engine.stage.rawValue):\(engine.name):\(engine.revision)"
    }

    static func engine(_ key: String) -> EngineKey? {
        let parts = key.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0] == "brk", parts[1].first == "{", parts[1].last == "}",
            let stage = EngineStage(rawValue: String(parts[2]))
        else { return nil }
        let app = parts[1].dropFirst().dropLast()
        let tenant = TenantID(app)
        guard app == "-" || tenant != nil else { return nil }
        return EngineKey(app: tenant, stage: stage, name: String(parts[3]), revision: String(parts[4]))
    }

    /// At most a day, in whole milliseconds.
    private static func milliseconds(_ seconds: Double) -> RedisArgument {
        RedisArgument(seconds.isFinite ? Int64((min(max(seconds, 0), 86_400) * 1_000).rounded()) : 0)
    }

    private static func numbers(_ reply: RedisValue, count: Int) -> [Int64]? {
        guard let numbers = reply.array?.compactMap(\.int), numbers.count == count else { return nil }
        return numbers
    }
}
