import DiaryCore
import DiaryDatabase
import DiaryIdentity
import Logging
import PostgresClient
import ServiceLifecycle
import Synchronization

/// Keeps the token keys of this process up to date: a small query to the key database every five seconds, and one at once (at most one a
/// second) when a token names an unknown key. While the key database is unreachable the keys stay as they are.
struct SigningKeyRefresher: Service {
    static let refreshSeconds = 5

    let tokens: ES256AccessTokens
    private let source: SigningKeySource
    private let request: RefreshRequest
    private let clock: WallClock
    private let logger: Logger

    private final class RefreshRequest: Sendable {
        let isPending = Atomic(false)
    }

    /// Reads the keys: without them no request could be authenticated, and a key that other processes have replaced must not sign.
    /// - Throws: `SettingsError` when there is no key at all, `DiaryError` when the key database does not answer for ten seconds.
    /// - Parameters:
    ///   - pool: of the key database.
    ///   - retirements: the main database's record, which a restore of the key database does not undo.
    init(
        pool: ConnectionPool, retirements: any RetiredTokenKeys, settings: KeySettings, policy: AccessTokenPolicy, clock: WallClock,
        logger: Logger
    ) async throws {
        let source = SigningKeySource(
            store: PostgresSigningKeyStore(pool: pool), retirements: retirements, masters: settings.masters,
            configured: settings.signingKey, accessTokenSeconds: settings.accessTokenSeconds)
        let schedule = try await Self.first(source)
        for kid in schedule.restoredIDs { logger.error("retired token key refused", metadata: ["kid": "\(kid)"]) }
        guard let ring = schedule.ring(at: clock.now()) else {
            throw SettingsError(
                KeySettings.signingKey,
                schedule.restoredIDs.isEmpty
                    ? "is required until `diary keys rotate` has made a key that signs"
                    : "every token key of the key database is retired: run `diary keys rotate --now`, and start again after ten seconds")
        }
        let request = RefreshRequest()
        self.source = source
        self.request = request
        self.clock = clock
        self.logger = logger
        tokens = ES256AccessTokens(ring: ring, policy: policy) { request.isPending.store(true, ordering: .relaxed) }
    }

    private static func first(_ source: SigningKeySource) async throws -> SigningKeySchedule {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            do throws(DiaryError) { return try await source.schedule() } catch {
                guard error.code == .unavailable, ContinuousClock.now < deadline else { throw error }
            }
            try await Task.sleep(for: .milliseconds(250))
        }
    }

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var seconds = 0
            while true {
                try await Task.sleep(for: .seconds(1))
                seconds += 1
                guard request.isPending.exchange(false, ordering: .relaxed) || seconds >= Self.refreshSeconds else { continue }
                seconds = 0
                await refresh()
            }
        }
    }

    private func refresh() async {
        do throws(DiaryError) {
            if let ring = try await source.schedule().ring(at: clock.now()) { tokens.use(ring) }
        } catch {
            logger.warning("signing keys not read", metadata: ["error": "\(error)"])
        }
    }
}
