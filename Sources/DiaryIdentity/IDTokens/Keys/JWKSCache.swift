import Synchronization

/// One issuer's keys: fetched when needed, by one fetch for all callers, at most once a minute, and kept when a fetch fails.
package final class JWKSCache: Sendable {
    private struct Kept {
        var keys: ProviderKeys
        var at: ContinuousClock.Instant
        var freshness: Duration
    }

    private struct State {
        var kept: Kept?
        var lastAttempt: ContinuousClock.Instant?
        var lastAttemptFailed = false
        var flight: Task<Void, Never>?
    }

    private enum Step {
        case answer(VerificationKey?)
        case wait(Task<Void, Never>)
        case unavailable
        case notFetched(seconds: Int)
    }

    private let issuer: IDTokenIssuer
    private let source: any JWKSSource
    private let limits: JWKSLimits
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    package init(
        issuer: IDTokenIssuer, source: any JWKSSource, limits: JWKSLimits = JWKSLimits(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.issuer = issuer
        self.source = source
        self.limits = limits
        self.now = now
    }

    /// Fetches unless the keys are fresh or were just fetched. Called at the start, so that the first sign-in does not wait.
    package func prepare() async {
        let now = now()
        let flight = state.withLock { state in
            isFresh(state.kept, now) ? nil : self.flight(&state, now)
        }
        await flight?.value
    }

    /// The key of exactly this id, nil when the issuer has none.
    /// - Throws: `keysUnavailable`; `keyNotFetched` for an id that may be a new key's.
    func key(_ keyID: String) async throws(IDTokenFailure) -> VerificationKey? {
        let asked = now()
        switch state.withLock({ step(&$0, keyID, asked) }) {
        case .answer(let key): return key
        case .unavailable: throw .keysUnavailable
        case .notFetched(let seconds): throw .keyNotFetched(seconds: seconds)
        case .wait(let flight): await flight.value
        }
        let answered = now()
        let (keys, hasFailed) = state.withLock { (usable($0.kept, answered), $0.lastAttemptFailed) }
        guard let keys else { throw .keysUnavailable }
        if keys[keyID] == nil, hasFailed { throw .keyNotFetched(seconds: Int(limits.coolDown.components.seconds)) }
        return keys[keyID]
    }

    private func step(_ state: inout State, _ keyID: String, _ now: ContinuousClock.Instant) -> Step {
        let keys = usable(state.kept, now)
        if let key = keys?[keyID] {
            if isFresh(state.kept, now) { return .answer(key) }
            guard let flight = flight(&state, now) else { return .answer(key) }
            // During an outage no caller waits for a fetch that will most likely fail again.
            return isWithinGrace(state.kept, now) || state.lastAttemptFailed ? .answer(key) : .wait(flight)
        }
        if let flight = flight(&state, now) { return .wait(flight) }
        guard keys != nil, let last = state.lastAttempt else { return .unavailable }
        return .notFetched(seconds: max(1, Int((last + limits.coolDown - now).components.seconds) + 1))
    }

    /// The running fetch, or a new one when the last was long enough ago.
    private func flight(_ state: inout State, _ now: ContinuousClock.Instant) -> Task<Void, Never>? {
        if let flight = state.flight { return flight }
        if let last = state.lastAttempt, now < last + limits.coolDown { return nil }
        state.lastAttempt = now
        // Unstructured: all waiting callers share it, and the cancellation of one must not end it for the others.
        let flight = Task { await fetch() }
        state.flight = flight
        return flight
    }

    private func fetch() async {
        let document = try? await source.keySet(at: issuer.jwksURL, maximumBytes: ProviderKeys.maximumBytes)
        let keys = document.flatMap { try? ProviderKeys(parsing: $0.bytes, algorithm: issuer.algorithm) }
        let now = now()
        state.withLock { state in
            state.flight = nil
            state.lastAttemptFailed = keys == nil
            // A refused set leaves the old one in place.
            if let keys { state.kept = Kept(keys: keys, at: now, freshness: limits.freshness(document?.cacheControl)) }
        }
    }

    private func usable(_ kept: Kept?, _ now: ContinuousClock.Instant) -> ProviderKeys? {
        guard let kept, now <= kept.at + max(limits.longestOutage, kept.freshness) else { return nil }
        return kept.keys
    }

    private func isFresh(_ kept: Kept?, _ now: ContinuousClock.Instant) -> Bool {
        kept.map { now < $0.at + $0.freshness } ?? false
    }

    private func isWithinGrace(_ kept: Kept?, _ now: ContinuousClock.Instant) -> Bool {
        kept.map { now < $0.at + $0.freshness + limits.grace } ?? false
    }
}

/// When keys are fetched (row B3).
package struct JWKSLimits: Sendable {
    /// Between two fetches, whatever the reason.
    package var coolDown: Duration = .seconds(60)
    /// Bounds for what the provider's `max-age` says; without one, `usual`.
    package var shortest: Duration = .seconds(5 * 60)
    package var longest: Duration = .seconds(24 * 60 * 60)
    package var usual: Duration = .seconds(60 * 60)
    /// Keys that have been stale for longer are used only if the fetch of new ones fails; callers wait for that fetch.
    package var grace: Duration = .seconds(5 * 60)
    /// Keys are used at most that long after they were fetched while no fetch succeeds; longer, and an outage would keep a
    /// withdrawn key valid.
    package var longestOutage: Duration = .seconds(48 * 60 * 60)

    func freshness(_ cacheControl: String?) -> Duration {
        guard let seconds = CacheLifetime.seconds(cacheControl) else { return usual }
        return min(max(.seconds(min(seconds, 1 << 40)), shortest), longest)
    }
}

/// How long a response is fresh by its own fields (RFC 9111 section 5.2.2).
enum CacheLifetime {
    /// nil when the field says nothing; zero for `no-store` and `no-cache`.
    static func seconds(_ cacheControl: String?) -> Int64? {
        guard let cacheControl, cacheControl.utf8.count <= 1024 else { return nil }
        var seconds: Int64?
        for directive in cacheControl.lowercased().split(separator: ",") {
            let word = directive.drop { $0 == " " || $0 == "\t" }
            if word.hasPrefix("no-store") || word.hasPrefix("no-cache") { return 0 }
            guard word.hasPrefix("max-age=") else { continue }
            let digits = word.dropFirst("max-age=".count).prefix { $0 != " " && $0 != "\t" }
            // Section 4.2.1: of several values, the most restrictive.
            guard digits.allSatisfy({ ("0"..."9").contains($0) }), let value = Int64(digits) else { return 0 }
            seconds = min(seconds ?? value, value)
        }
        return seconds
    }
}
